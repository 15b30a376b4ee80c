import { formatFixed, InvariantError, parseFixed } from '../domain/index.js';
import type { Figure } from './figures/figure.js';
import type { HeadlineFigures, Result } from './result/result-schema.js';
import type { RunRecord } from './run-record.js';
import { computeStatistics } from './figures/statistics.js';

type RangeEnd = 'low' | 'high';

/** Figures that can have a range, without missing members. */
export type KnownFigures = {
  readonly [Key in keyof HeadlineFigures]-?: Exclude<HeadlineFigures[Key], undefined>;
};

/** The part of a result's bounds that a search over the paths of its candles fills in (DESIGN R16). */
export type BoundsFound = Pick<Result['bounds'], 'low' | 'high' | 'exact' | 'search' | 'ribbon'>;

/** Figures of one run for which a range is given. */
export function headlineOf(record: RunRecord): KnownFigures {
  const { totalReturn, cagr, sharpe, maxDrawdown, trades, winRate, profitFactor } =
    computeStatistics(record);
  return {
    ...{ totalReturn, cagr, sharpe, maxDrawdown, trades, winRate, profitFactor },
    finalEquity: formatFixed(record.finalEquity),
  };
}

/**
 * Lowest and highest value of each figure over runs of the same inputs on different paths. The range of a figure is null if any run has no value for it.
 *
 * @throws {InvariantError} `E_BOUNDS` without runs.
 */
export function rangeOfRuns(runs: readonly KnownFigures[]): {
  readonly low: KnownFigures;
  readonly high: KnownFigures;
} {
  if (runs.length === 0)
    throw new InvariantError('E_BOUNDS', 'there is no run to take a range over');
  return { low: figuresAt('low', runs), high: figuresAt('high', runs) };
}

/**
 * Range if only the runs with the lowest and the highest final equity are known. Figures that rise with the final equity have a range. All others are null.
 */
export function rangeBetween(
  lowest: KnownFigures,
  highest: KnownFigures,
): { readonly low: KnownFigures; readonly high: KnownFigures } {
  const { low, high } = rangeOfRuns([lowest, highest]);
  return { low: { ...low, ...UNKNOWN }, high: { ...high, ...UNKNOWN } };
}

/** Figures that depend on the way of a run to its end. */
const UNKNOWN = {
  sharpe: null,
  maxDrawdown: null,
  trades: null,
  winRate: null,
  profitFactor: null,
} as const;

/** The result with the range over all paths. Its own figures do not change. */
export function withBounds<R extends Pick<Result, 'bounds'>>(result: R, found: BoundsFound): R {
  return { ...result, bounds: { ...result.bounds, ...found } };
}

function figuresAt(end: RangeEnd, runs: readonly KnownFigures[]): KnownFigures {
  const figure = (read: (figures: KnownFigures) => Figure): Figure => {
    const values = runs.map(read);
    return values.every((value) => value !== null) ? extreme(end, values) : null;
  };
  const equities = runs.map(({ finalEquity }) => parseFixed(finalEquity));
  return {
    finalEquity: formatFixed(extreme(end, equities)),
    totalReturn: figure(({ totalReturn }) => totalReturn),
    cagr: figure(({ cagr }) => cagr),
    sharpe: figure(({ sharpe }) => sharpe),
    maxDrawdown: figure(({ maxDrawdown }) => maxDrawdown),
    trades: figure(({ trades }) => trades),
    winRate: figure(({ winRate }) => winRate),
    profitFactor: figure(({ profitFactor }) => profitFactor),
  };
}

function extreme<T extends number | bigint>(end: RangeEnd, values: readonly T[]): T {
  return values.reduce((best, value) =>
    (end === 'low' ? value < best : value > best) ? value : best,
  );
}
