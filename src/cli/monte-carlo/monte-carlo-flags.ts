import type { BotFlags } from '../bot/bot-options.js';
import type { QueueFlags } from '../queue/queue-options.js';

/** Options of `monte-carlo` as commander parses them. */
export interface MonteCarloFlags extends BotFlags, QueueFlags {
  readonly paths: number;
  readonly seed: number;
  readonly ruin: number;
  readonly block?: number;
  readonly candles?: number;
  readonly jobs?: number;
}
