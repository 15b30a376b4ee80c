import {
  DataError,
  floorToInterval,
  formatUtc,
  type CandleColumns,
  type Interval,
} from '../../domain/index.js';
import { describeInvalidNumbers } from '../check/validate.js';
import {
  allocateColumns,
  candlesFromArrays,
  COLUMN_NAMES,
  sliceColumns,
} from '../columns/columns.js';
import type { RawRows } from './raw-rows.js';
import { RefusedRowLog, type RefusedRows } from './refused-rows.js';

interface CleanOptions {
  readonly path: string;
  readonly interval: Interval;
  /** Whether rows that no candle can have are counted instead of ending the import. */
  readonly skipBad: boolean;
}

/** Rows in strictly rising order of time, each one a candle. */
interface CleanRows {
  readonly columns: CandleColumns;
  /** Rows that came after a later one in the file. */
  readonly unordered: number;
  /** Rows dropped because an equal one came before. */
  readonly duplicates: number;
  readonly refused: RefusedRows;
}

/**
 * Sorts rows by time, drops repetitions of equal rows and refuses rows that no candle can have: numbers out of range, a time off the
 * grid of the interval, other values for a time that came before.
 *
 * @throws {DataError} `E_DATA_ROW` naming file and row of the first refused one, unless `skipBad` is set.
 */
export function cleanRows(raw: RawRows, options: CleanOptions): CleanRows {
  const refused = new RefusedRowLog();
  const refuse = (index: number, reason: string): void => {
    const row = raw.numberOf(index);
    if (!options.skipBad) {
      throw new DataError('E_DATA_ROW', `${options.path} row ${String(row)}: ${reason}`);
    }
    refused.add(row, reason);
  };
  const source = candlesFromArrays(raw.columns);
  const { order, unordered } = sortByTime(source.openTime);
  const target = allocateColumns(raw.length);
  let rows = 0;
  let duplicates = 0;
  let keptIndex = -1;
  for (let place = 0; place < raw.length; place += 1) {
    const index = order === undefined ? place : (order[place] ?? place);
    const defect = describeDefect(source, index, options.interval);
    if (defect !== undefined) {
      refuse(index, defect);
      continue;
    }
    const isSameTime = rows > 0 && target.openTime[rows - 1] === source.openTime[index];
    if (isSameTime && isEqualRow(source, index, keptIndex)) duplicates += 1;
    else if (isSameTime) {
      const first = String(raw.numberOf(keptIndex));
      refuse(index, `row ${first} has the same time and other values`);
    } else {
      for (const name of COLUMN_NAMES) target[name][rows] = source[name][index] ?? Number.NaN;
      keptIndex = index;
      rows += 1;
    }
  }
  return {
    columns: sliceColumns(target, 0, rows),
    unordered,
    duplicates,
    refused: refused.summary,
  };
}

/** The order of rows by time, equal times as they came; undefined when the rows are in that order already. */
export function sortByTime(openTime: Float64Array): {
  readonly order: Uint32Array | undefined;
  readonly unordered: number;
} {
  let unordered = 0;
  let latest = -Infinity;
  for (const time of openTime) {
    if (time < latest) unordered += 1;
    else latest = time;
  }
  if (unordered === 0) return { order: undefined, unordered };
  const order = Uint32Array.from(openTime, (_, index) => index);
  order.sort((a, b) => (openTime[a] ?? 0) - (openTime[b] ?? 0) || a - b);
  return { order, unordered };
}

function describeDefect(
  columns: CandleColumns,
  index: number,
  interval: Interval,
): string | undefined {
  const time = columns.openTime[index] ?? Number.NaN;
  if (Number.isNaN(time) || floorToInterval(time, interval) !== time) {
    return `expected a time at the start of a candle of ${interval}, received ${formatUtc(time)}`;
  }
  return describeInvalidNumbers({
    open: columns.open[index] ?? Number.NaN,
    high: columns.high[index] ?? Number.NaN,
    low: columns.low[index] ?? Number.NaN,
    close: columns.close[index] ?? Number.NaN,
    volume: columns.volume[index] ?? Number.NaN,
  });
}

function isEqualRow(columns: CandleColumns, index: number, other: number): boolean {
  return COLUMN_NAMES.every((name) => columns[name][index] === columns[name][other]);
}
