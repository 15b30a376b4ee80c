import type { EpochMs } from '../../domain/index.js';
import type { Figure } from '../figures/figure.js';
import { figuresOfReturns } from '../figures/return-figures.js';
import type { DayReturn } from './curve-returns.js';

/** Figures of the days before an instant. */
interface RollingPoint {
  readonly time: EpochMs;
  readonly sharpe: Figure;
  readonly volatility: Figure;
}

/** Sharpe and volatility of the last `days` returns, at the end of each return, by the formulas of the statistics. Empty with fewer returns than `days`. */
export function rollingFigures(
  returns: readonly DayReturn[],
  days: number,
): readonly RollingPoint[] {
  const values = returns.map(({ value }) => value);
  return returns.slice(days - 1).map(({ time }, index) => {
    const { sharpe, volatility } = figuresOfReturns(values.slice(index, index + days));
    return { time, sharpe, volatility };
  });
}
