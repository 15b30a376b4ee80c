import type { ListRequest, ObjectiveName, SearchRequest } from '../../research/index.js';
import type { BotFlags } from '../bot/bot-options.js';
import type { QueueFlags } from '../queue/queue-options.js';

/** Options of every command that searches, as commander parses them. */
export interface SearchFlags extends BotFlags, ListRequest, QueueFlags {
  readonly jobs?: number;
  readonly objective: ObjectiveName;
  readonly constraint?: readonly string[];
  readonly ledger?: string;
}

/** Options of `sweep` as commander parses them. */
export interface SweepFlags extends SearchFlags, Omit<SearchRequest, keyof SearchFlags> {
  /** Bot's file that receives the best parameters. */
  readonly write?: string;
  readonly yes?: true;
}
