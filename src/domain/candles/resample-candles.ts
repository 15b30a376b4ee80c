import { DomainError } from '../errors.js';
import { formatUtc } from '../time.js';
import type { CandleColumns } from './candle.js';
import { closeTimeOf, fixedIntervalMs, floorToInterval, type Interval } from './interval.js';
import { sumVolumes } from './sum-volumes.js';

interface ResampleOptions {
  /**
   * Which candles are made: only candles with all of their parts (`all`), or candles with at least one part (`any`).
   *
   * @defaultValue `any`
   */
  readonly complete?: 'all' | 'any';
}

/** Coarse candles, and how many of their parts are missing. */
export interface ResampledCandles {
  readonly columns: CandleColumns;
  /** How many fine candles each row of `columns` lacks: before its first, between, and after its last. */
  readonly missing: Int32Array;
  /** Candles that had a part but not all of them, and were left out (`complete: 'all'`). */
  readonly dropped: number;
}

/** Whether candles of `to` consist of whole candles of `from`: each candle of `to` starts together with a candle of `from`. */
export function canResample(from: Interval, to: Interval): boolean {
  if (from === to) return true;
  const fine = fixedIntervalMs(from);
  if (fine === undefined) return false;
  // Months start at midnight, but not always with a week: so they consist of whole days, not of whole weeks.
  const coarse = fixedIntervalMs(to) ?? fixedIntervalMs('1day') ?? Number.NaN;
  return coarse % fine === 0;
}

/**
 * Makes candles of a longer interval from those of a shorter one.
 *
 * A coarse candle exists when at least one fine candle lies in it. It has the open of the first, the close of the last, the highest
 * high, the lowest low, and the exact sum of the volumes ({@link sumVolumes}). Nothing is interpolated: a period without candles
 * gives no candle. Weeks start on Monday 00:00 UTC, months on the first. Any chain of intervals gives the same candles as one step:
 * minutes to hours to days is minutes to days, with `complete: 'any'` in between.
 *
 * The last candle is made from the candles present. If the data end before it does, the rest counts as missing.
 * @throws {DomainError} `E_RESAMPLE_INTERVAL` when `to` is no multiple of `from`; `E_RESAMPLE_ROW` when times do not rise or lie off
 * the grid of `from`.
 * @example see test/unit/domain/resample-candles.test.ts "builds a candle of one hour from its 60 minutes"
 */
export function resampleCandles(
  columns: CandleColumns,
  from: Interval,
  to: Interval,
  options: ResampleOptions = {},
): ResampledCandles {
  if (!canResample(from, to)) {
    throw new DomainError(
      'E_RESAMPLE_INTERVAL',
      `expected an interval that consists of whole candles of ${from}, received ${to}`,
    );
  }
  checkTimes(columns.openTime, from);
  const groups = groupRows(columns.openTime, from, to);
  const kept = options.complete === 'all' ? groups.filter(({ missing }) => missing === 0) : groups;
  return {
    columns: joinGroups(columns, kept),
    missing: Int32Array.from(kept, ({ missing }) => missing),
    dropped: groups.length - kept.length,
  };
}

/** The rows from `start` to `end` (exclusive) lie in the candle that opens at `openTime`. */
interface Group {
  readonly openTime: number;
  readonly start: number;
  readonly end: number;
  readonly missing: number;
}

function groupRows(openTime: Float64Array, from: Interval, to: Interval): readonly Group[] {
  const groups: Group[] = [];
  let start = 0;
  while (start < openTime.length) {
    const opened = floorToInterval(openTime[start] ?? Number.NaN, to);
    const closed = closeTimeOf(opened, to);
    let end = start + 1;
    while ((openTime[end] ?? Infinity) < closed) end += 1;
    // `from` has no fixed length only if it is a month, and then `to` is a month as well.
    const parts = from === to ? 1 : (closed - opened) / (fixedIntervalMs(from) ?? Number.NaN);
    groups.push({ openTime: opened, start, end, missing: parts - (end - start) });
    start = end;
  }
  return groups;
}

function joinGroups(columns: CandleColumns, groups: readonly Group[]): CandleColumns {
  const joined: CandleColumns = {
    openTime: new Float64Array(groups.length),
    open: new Float64Array(groups.length),
    high: new Float64Array(groups.length),
    low: new Float64Array(groups.length),
    close: new Float64Array(groups.length),
    volume: new Float64Array(groups.length),
  };
  groups.forEach(({ openTime, start, end }, row) => {
    joined.openTime[row] = openTime;
    joined.open[row] = columns.open[start] ?? Number.NaN;
    joined.high[row] = highestOf(columns.high, start, end);
    joined.low[row] = lowestOf(columns.low, start, end);
    joined.close[row] = columns.close[end - 1] ?? Number.NaN;
    joined.volume[row] = sumVolumes(columns.volume, start, end);
  });
  return joined;
}

function highestOf(high: Float64Array, start: number, end: number): number {
  let highest = -Infinity;
  for (let row = start; row < end; row += 1) highest = Math.max(highest, high[row] ?? Number.NaN);
  return highest;
}

function lowestOf(low: Float64Array, start: number, end: number): number {
  let lowest = Infinity;
  for (let row = start; row < end; row += 1) lowest = Math.min(lowest, low[row] ?? Number.NaN);
  return lowest;
}

function checkTimes(openTime: Float64Array, interval: Interval): void {
  const length = fixedIntervalMs(interval);
  let previous = -Infinity;
  for (let row = 0; row < openTime.length; row += 1) {
    const time = openTime[row] ?? Number.NaN;
    // A whole number of intervals after a start is a start; asking the calendar is slow.
    const isStart =
      row > 0 && length !== undefined
        ? (time - previous) % length === 0
        : floorToInterval(time, interval) === time;
    if (!(time > previous) || !isStart) {
      const after = Number.isFinite(previous) ? ` after ${formatUtc(previous)}` : '';
      throw new DomainError(
        'E_RESAMPLE_ROW',
        `row ${String(row)}: expected the start of a candle of ${interval}${after}, received ${Number.isFinite(time) ? formatUtc(time) : String(time)}`,
      );
    }
    previous = time;
  }
}
