import { formatUtc, UsageError } from '../../domain/index.js';
import { drivingSeries, type LoadedMarket } from '../../assembly/backtest/index.js';
import type { Fold } from './lay-out-folds.js';

/** Fewest candles of each part: fewer say nothing about a strategy. */
const LEAST = { train: 30, test: 10 } as const;

/**
 * Requires enough candles in both parts of every fold, of the finest interval of each instrument.
 *
 * @throws {UsageError} `E_FOLDS` naming fold, part and series.
 */
export function requireCandles(folds: readonly Fold[], series: LoadedMarket['series']): void {
  const driving = [...drivingSeries(series).values()];
  for (const [index, fold] of folds.entries()) {
    for (const part of ['train', 'test'] as const) {
      const { from, to } = fold[part];
      for (const { instrumentId, interval, rows } of driving) {
        const count = rows.rowBefore(to) - rows.rowBefore(from);
        if (count >= LEAST[part]) continue;
        throw new UsageError(
          'E_FOLDS',
          `fold ${String(index + 1)}, ${part} part from ${formatUtc(from)} to ${formatUtc(to)}: expected at least ${String(LEAST[part])} candles of ${instrumentId} ${interval}, received ${String(count)}; take a longer --${part}`,
        );
      }
    }
  }
}
