import type { BotFlags } from '../bot/bot-options.js';

/** Options of `backtest` as commander parses them. */
export interface BacktestFlags extends BotFlags {
  readonly bounds?: true;
  readonly journal?: string;
  readonly curve: 'daily' | 'candle';
}
