import type { BotFlags } from '../bot/bot-options.js';

/** Options of `fuzz` as commander parses them. */
export interface FuzzFlags extends Pick<BotFlags, 'json' | 'set'> {
  readonly law?: readonly string[];
  readonly runs: number;
  readonly seed: number;
  readonly candles: number;
  readonly out: string;
}
