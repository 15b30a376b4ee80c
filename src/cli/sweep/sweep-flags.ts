import type { ObjectiveName } from '../../research/index.js';
import type { BotFlags } from '../bot/bot-options.js';

/** The figures of research's own list; research itself is loaded by the command that runs. */
export const OBJECTIVE_NAMES = [
  'sharpe',
  'sortino',
  'calmar',
  'totalReturn',
  'cagr',
  'profitFactor',
  'winRate',
  'maxDrawdown',
  'volatility',
] as const satisfies readonly ObjectiveName[];

/** Options of `sweep` as commander parses them. */
export interface SweepFlags extends BotFlags {
  readonly grid?: string;
  readonly random?: number;
  readonly seed?: number;
  readonly jobs?: number;
  readonly objective: ObjectiveName;
  readonly ledger?: string;
}
