import fc from 'fast-check';

import {
  HOUR_MS,
  nominalIntervalMs,
  MINUTE_MS,
  present,
  resampleCandles,
  type CandleColumns,
  type CandleSeries,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
  type Interval,
} from '../../../src/domain/index.js';
import { keepRows } from '../candle-columns.js';
import { marksOf } from '../arbitraries/contract-market.js';
import { firstRows } from '../memory-archive.js';
import type { MarketHistory } from '../look-ahead.js';

/** The longest of the drawn intervals. */
const LONGEST_MS = 15 * MINUTE_MS;
/** So few candles of an instrument are all there. */
const FEW = 40;

/** What is missing in a market, and how coarse its marks are. */
export interface MarketTerms {
  /** Interval of the marks; that of the finest candles if it is longer. */
  readonly marks: Interval;
  /** Every n-th mark is missing; 0: none. */
  readonly missingMarks: number;
  /** Number of marks before the first stored one. */
  readonly lateMarks: number;
  /** For each instrument, candles that are missing: those whose row, modulo `every`, is in `[from, from + length)`. */
  readonly holes: readonly (Hole | undefined)[];
  /** Number of candles by which the second instrument begins later, and ends earlier, unless it has few. */
  readonly late: number;
  readonly early: number;
  /** Minutes from the first candle to the change of rules and of fees, if they change. */
  readonly changesAfter: number;
  /** Funding of every second hour, as a ratio; a half of it is paid back in the hours between. */
  readonly fundingRate: number;
}

interface Hole {
  readonly every: number;
  readonly from: number;
  readonly length: number;
}

const hole: fc.Arbitrary<Hole | undefined> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  fc.record({
    every: fc.integer({ min: 9, max: 25 }),
    from: fc.integer({ min: 3, max: 8 }),
    length: fc.constantFrom(1, 1, 2, 6),
  }),
);

export const marketTerms: fc.Arbitrary<MarketTerms> = fc.record({
  marks: fc.constantFrom('1min' as const, '1min' as const, '5min' as const, '15min' as const),
  missingMarks: fc.constantFrom(0, 0, 0, 7),
  lateMarks: fc.constantFrom(0, 0, 0, 2),
  holes: fc.tuple(hole, hole, hole, hole),
  late: fc.constantFrom(0, 0, 0, 9),
  early: fc.constantFrom(0, 0, 0, 9),
  changesAfter: fc.integer({ min: 3, max: 35 }),
  fundingRate: fc.constantFrom(0.002, -0.002),
});

/** Markets in which funding may use up an account. */
export const dearMarketTerms: fc.Arbitrary<MarketTerms> = fc
  .tuple(marketTerms, fc.constantFrom(0.002, -0.002, 0.04, -0.04, 0.7, -0.7))
  .map(([terms, fundingRate]) => ({ ...terms, fundingRate }));

/** A market as an exchange shows it: longer candles are made of the finest, and marks and funding are at whole times. */
export function toldMarket(market: MarketHistory, terms: MarketTerms): MarketHistory {
  const series = inStep([...market.candles, ...market.finer], terms);
  const candles = series.slice(0, market.candles.length);
  return {
    candles,
    marks: market.marks.length > 0 ? marksFor(candles, terms) : [],
    finer: series.slice(market.candles.length).map(withGaps),
    funding: new Map(
      [...market.funding.keys()].map((id) => [id, hourlyRates(candles, terms.fundingRate)]),
    ),
  };
}

function marksFor(
  candles: readonly CandleSeries[],
  { marks: wanted, missingMarks, lateMarks }: MarketTerms,
): readonly CandleSeries[] {
  return candles
    .filter((series) => series === drivingOf(series, candles))
    .flatMap(({ instrumentId, interval: own, columns }) => {
      const interval = nominalIntervalMs(own) > nominalIntervalMs(wanted) ? own : wanted;
      const coarse = resampleCandles(columns, own, interval).columns;
      const [marks] = marksOf([{ instrumentId, interval: '1min', columns: coarse }], missingMarks);
      if (marks === undefined) return [];
      const isKept = (_: unknown, row: number): boolean => row >= lateMarks;
      return [{ instrumentId, interval, columns: keepRows(marks.columns, isKept) }];
    })
    .filter(({ columns }) => columns.openTime.length > 0);
}

/** Some finer candles are missing: then the coarse candle around them uses its own path. */
function withGaps({ columns, ...series }: CandleSeries): CandleSeries {
  return { ...series, columns: keepRows(columns, (_, row) => row % 11 !== 7) };
}

/** Rates that go up and down, settled at each hour of the run. */
function hourlyRates(candles: readonly CandleSeries[], rate: number): FundingColumns {
  const times = candles.flatMap(({ columns: { openTime } }) => [...openTime]);
  const first = Math.ceil(Math.min(...times) / HOUR_MS) * HOUR_MS;
  const length = Math.floor((Math.max(...times) - first) / HOUR_MS) + 2;
  return {
    time: Float64Array.from({ length }, (_, row) => first + row * HOUR_MS),
    rate: Float64Array.from({ length }, (_, row) => (row % 2 === 0 ? rate : -rate / 2)),
  };
}

interface Grid {
  readonly count: number;
  readonly stepMs: number;
}

/** Candles of all instruments from the same time on and to the same end, except for what the terms leave out. */
function inStep(
  candles: readonly CandleSeries[],
  { holes, late, early, marks }: MarketTerms,
): readonly CandleSeries[] {
  const driving = candles.filter((series) => series === drivingOf(series, candles));
  const start = Math.min(...driving.map(({ columns }) => columns.openTime[0] ?? Infinity));
  const first = Math.ceil(start / LONGEST_MS) * LONGEST_MS;
  const lengthMs = Math.min(
    ...driving.map(
      ({ columns, interval }) => columns.openTime.length * nominalIntervalMs(interval),
    ),
  );
  const instruments = [...new Set(driving.map(({ instrumentId }) => instrumentId))];
  const marksMs = nominalIntervalMs(marks);
  const isStored = (id: InstrumentId, row: number, { count, stepMs }: Grid): boolean => {
    const index = instruments.indexOf(id);
    const { every, from, length } = holes[index] ?? { every: 1, from: 1, length: 0 };
    const place = row % every;
    // A candle at whose close a longer mark candle ends is there: a mark is told with a candle.
    const tellsMark = stepMs < marksMs && (first + (row + 1) * stepMs) % marksMs === 0;
    if (place >= from && place < from + length && !tellsMark) return false;
    return index === 0 || count < FEW || (row >= late && row < count - early);
  };
  const whole = driving.map((series) => {
    const stepMs = nominalIntervalMs(series.interval);
    const count = Math.floor(lengthMs / stepMs);
    const columns = inLine(series.columns, { first, stepMs, count });
    return {
      ...series,
      columns: keepRows(columns, (_, row) => isStored(series.instrumentId, row, { count, stepMs })),
    };
  });
  return candles.map(({ instrumentId, interval }) => {
    const finest = present(
      whole.find((each) => each.instrumentId === instrumentId),
      'a series',
    );
    const columns =
      finest.interval === interval
        ? finest.columns
        : resampleCandles(finest.columns, finest.interval, interval).columns;
    return { instrumentId, interval, columns };
  });
}

function drivingOf({ instrumentId }: CandleSeries, all: readonly CandleSeries[]): CandleSeries {
  return all
    .filter((each) => each.instrumentId === instrumentId)
    .reduce((one, other) =>
      nominalIntervalMs(other.interval) < nominalIntervalMs(one.interval) ? other : one,
    );
}

/** The first `count` candles without gaps. Volumes are whole, so that their sums are exact in any order. */
function inLine(
  columns: CandleColumns,
  {
    first,
    stepMs,
    count,
  }: { readonly first: EpochMs; readonly stepMs: number; readonly count: number },
): CandleColumns {
  const { volume, ...prices } = firstRows(columns, count);
  return {
    ...prices,
    openTime: prices.openTime.map((_, row) => first + row * stepMs),
    volume: volume.map(Math.round),
  };
}
