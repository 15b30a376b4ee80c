import type { CandleColumns } from '../../domain/index.js';
import type { ReadRange } from '../archive.js';
import { lowerBound, sliceColumns } from '../columns/columns.js';
import { requireRows } from './read-series.js';
import type { SeriesInfo } from './series.js';

/** A series of candles that is in memory whole. */
export interface HeldSeries {
  readonly info: SeriesInfo;
  readonly columns: CandleColumns;
}

/** The rows of a range, which share the memory of the series. @throws {DataError} `E_DATA_RANGE` where there are none. */
export function rowsWithin(series: HeldSeries, range: ReadRange): CandleColumns {
  const rows = rowsOrNone(series, range);
  requireRows(series.info, rows.openTime.length, range);
  return rows;
}

/** As {@link rowsWithin}, but empty if no row lies in the range. */
export function rowsOrNone({ columns }: HeldSeries, { from, to }: ReadRange): CandleColumns {
  const start = from === undefined ? 0 : lowerBound(columns.openTime, from);
  const end = to === undefined ? columns.openTime.length : lowerBound(columns.openTime, to);
  return sliceColumns(columns, start, Math.max(start, end));
}
