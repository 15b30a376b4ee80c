import { DataError, formatUtc, type CandleColumns } from '../domain/index.js';
import { allocateColumns, COLUMN_NAMES, sliceColumns } from './columns.js';

/** Rows of two series put together. */
export interface MergedColumns {
  readonly columns: CandleColumns;
  /** Rows that only the newcomer has. */
  readonly added: number;
  /** Rows that both have, with equal values. */
  readonly duplicates: number;
  /** Rows that both have, with other values: the newcomer's were taken. */
  readonly replaced: number;
}

export interface MergeColumnsOptions {
  /** @defaultValue false: rows stored with other values are an error */
  readonly replace?: boolean | undefined;
  /** What a message calls the rows. @defaultValue candles */
  readonly noun?: string | undefined;
}

/**
 * Merges rows into stored ones. Both must be in strictly rising order of time.
 *
 * @throws {DataError} `E_DATA_CONFLICT` naming the first time at which both have other values, unless `replace` is set.
 */
export function mergeColumns(
  stored: CandleColumns,
  incoming: CandleColumns,
  { replace = false, noun = 'candles' }: MergeColumnsOptions = {},
): MergedColumns {
  const out = allocateColumns(stored.openTime.length + incoming.openTime.length);
  let left = 0;
  let right = 0;
  let rows = 0;
  let duplicates = 0;
  let replaced = 0;
  let firstConflict: string | undefined;
  while (left < stored.openTime.length || right < incoming.openTime.length) {
    const storedTime = stored.openTime[left] ?? Infinity;
    const incomingTime = incoming.openTime[right] ?? Infinity;
    const isSameTime = storedTime === incomingTime;
    if (isSameTime) {
      const difference = describeDifference(stored, left, { columns: incoming, row: right });
      if (difference === undefined) duplicates += 1;
      else {
        replaced += 1;
        firstConflict ??= `${formatUtc(storedTime)}: ${difference}`;
      }
    }
    if (incomingTime <= storedTime) copyRow(incoming, right, { columns: out, row: rows });
    else copyRow(stored, left, { columns: out, row: rows });
    if (storedTime <= incomingTime) left += 1;
    if (incomingTime <= storedTime) right += 1;
    rows += 1;
  }
  if (firstConflict !== undefined && !replace) {
    throw new DataError(
      'E_DATA_CONFLICT',
      `${String(replaced)} ${noun} are stored with other values, the first at ${firstConflict}; pass --replace to overwrite them`,
    );
  }
  return {
    columns: sliceColumns(out, 0, rows),
    added: rows - stored.openTime.length,
    duplicates,
    replaced,
  };
}

interface RowReference {
  readonly columns: CandleColumns;
  readonly row: number;
}

function describeDifference(
  stored: CandleColumns,
  row: number,
  incoming: RowReference,
): string | undefined {
  for (const name of COLUMN_NAMES) {
    const before = stored[name][row];
    const after = incoming.columns[name][incoming.row];
    if (before !== after) return `${name} ${String(before)} stored, ${String(after)} given`;
  }
  return undefined;
}

function copyRow(from: CandleColumns, row: number, to: RowReference): void {
  for (const name of COLUMN_NAMES) to.columns[name][to.row] = from[name][row] ?? Number.NaN;
}
