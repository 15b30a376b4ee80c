import type { ObjectiveName, SearchRequest } from '../../research/index.js';
import type { BotFlags } from '../bot/bot-options.js';

/** Options of `sweep` as commander parses them. */
export interface SweepFlags extends BotFlags, SearchRequest {
  readonly jobs?: number;
  readonly objective: ObjectiveName;
  readonly ledger?: string;
}
