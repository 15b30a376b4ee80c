import { formatFixed, InvariantError, parseFixed } from '../domain/index.js';
import type { Figure } from './figure.js';
import type { HeadlineFigures, Result } from './result-schema.js';
import type { RunRecord } from './run-record.js';
import { computeStatistics } from './statistics.js';

type RangeEnd = 'low' | 'high';

/** Figures that have a range, all of them known. */
export type KnownFigures = {
  readonly [Key in keyof HeadlineFigures]-?: Exclude<HeadlineFigures[Key], undefined>;
};

/** What was found of the range of a result's figures over the paths of its candles (DESIGN R16). */
export type BoundsFound = Pick<Result['bounds'], 'low' | 'high' | 'exact' | 'search' | 'ribbon'>;

/** The figures of one run that a range is given of. */
export function headlineOf(record: RunRecord): KnownFigures {
  const { totalReturn, cagr, sharpe, maxDrawdown, trades, winRate, profitFactor } =
    computeStatistics(record);
  return {
    ...{ totalReturn, cagr, sharpe, maxDrawdown, trades, winRate, profitFactor },
    finalEquity: formatFixed(record.finalEquity),
  };
}

/**
 * Lowest and highest value of each figure over runs of the same inputs on different paths. A figure that one of them cannot carry has no range:
 * null.
 *
 * @throws {InvariantError} `E_BOUNDS` without runs.
 */
export function rangeOf(runs: readonly KnownFigures[]): {
  readonly low: KnownFigures;
  readonly high: KnownFigures;
} {
  if (runs.length === 0)
    throw new InvariantError('E_BOUNDS', 'there is no run to take a range over');
  return { low: figuresAt('low', runs), high: figuresAt('high', runs) };
}

/**
 * The range where only its lowest and highest end are known: figures that rise with the equity at the end have their range between the two,
 * others have none.
 */
export function rangeBetween(
  lowest: KnownFigures,
  highest: KnownFigures,
): { readonly low: KnownFigures; readonly high: KnownFigures } {
  const { low, high } = rangeOf([lowest, highest]);
  return { low: { ...low, ...UNKNOWN }, high: { ...high, ...UNKNOWN } };
}

/** They follow from how a run came to its end. */
const UNKNOWN = {
  sharpe: null,
  maxDrawdown: null,
  trades: null,
  winRate: null,
  profitFactor: null,
} as const;

/** The result with the range over all paths; its own figures stay. */
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
