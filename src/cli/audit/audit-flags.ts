import type { AuditPart } from '../../research/index.js';
import type { BotFlags } from '../bot/bot-options.js';

/** Options of `audit` as commander parses them. */
export interface AuditFlags extends BotFlags {
  readonly only?: readonly AuditPart[];
  readonly instants: number;
  readonly seed: number;
  readonly jobs?: number;
}
