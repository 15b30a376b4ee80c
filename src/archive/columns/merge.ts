import { DataError, formatUtc } from '../../domain/index.js';
import type { ColumnLayout, FileColumn } from './columns.js';

/** Rows of two series put together. */
interface MergedColumns<Columns> {
  readonly columns: Columns;
  /** Rows that only the incoming series has. */
  readonly added: number;
  /** Rows that both have, with equal values. */
  readonly duplicates: number;
  /** Rows that both have, with different values: the incoming values were taken. */
  readonly replaced: number;
}

export interface MergeColumnsOptions<Columns> {
  readonly layout: ColumnLayout<Columns>;
  /** What a message calls the rows. */
  readonly noun: string;
  /** @defaultValue false: rows stored with other values are an error */
  readonly replace?: boolean | undefined;
}

/**
 * Merges rows into stored ones. Both must be in strictly rising order of time.
 *
 * @throws {DataError} `E_DATA_CONFLICT` naming the first time at which the values differ, unless `replace` is set.
 */
export function mergeColumns<Columns>(
  stored: Columns,
  incoming: Columns,
  { layout, noun, replace = false }: MergeColumnsOptions<Columns>,
): MergedColumns<Columns> {
  const [before, after] = [layout.fileColumns(stored), layout.fileColumns(incoming)];
  const [storedTimes, incomingTimes] = [timesOf(before), timesOf(after)];
  const merged = layout.allocate(storedTimes.length + incomingTimes.length);
  const out = layout.fileColumns(merged);
  if ((storedTimes.at(-1) ?? -Infinity) < (incomingTimes[0] ?? Infinity)) {
    // The usual case: all incoming rows come after the stored ones.
    for (const [index, { values }] of out.entries()) {
      values.set(before[index]?.values ?? []);
      values.set(after[index]?.values ?? [], storedTimes.length);
    }
    return { columns: merged, added: incomingTimes.length, duplicates: 0, replaced: 0 };
  }
  let left = 0;
  let right = 0;
  let rows = 0;
  let duplicates = 0;
  let replaced = 0;
  let firstConflict: string | undefined;
  while (left < storedTimes.length || right < incomingTimes.length) {
    const storedTime = storedTimes[left] ?? Infinity;
    const incomingTime = incomingTimes[right] ?? Infinity;
    if (storedTime === incomingTime) {
      const difference = describeDifference(before, left, { columns: after, row: right });
      if (difference === undefined) duplicates += 1;
      else {
        replaced += 1;
        firstConflict ??= `${formatUtc(storedTime)}: ${difference}`;
      }
    }
    if (incomingTime <= storedTime) copyRow(after, right, { columns: out, row: rows });
    else copyRow(before, left, { columns: out, row: rows });
    if (storedTime <= incomingTime) left += 1;
    if (incomingTime <= storedTime) right += 1;
    rows += 1;
  }
  if (firstConflict !== undefined && !replace) {
    throw new DataError(
      'E_DATA_CONFLICT',
      `${String(replaced)} stored ${noun} have different values, the first at ${firstConflict}; pass --replace to overwrite them`,
    );
  }
  const added = rows - storedTimes.length;
  return { columns: layout.slice(merged, 0, rows), added, duplicates, replaced };
}

/** Column of the times, the first one. */
export function timesOf([times]: readonly FileColumn[]): Float64Array {
  return times?.values ?? new Float64Array();
}

interface RowReference {
  readonly columns: readonly FileColumn[];
  readonly row: number;
}

function describeDifference(
  stored: readonly FileColumn[],
  row: number,
  incoming: RowReference,
): string | undefined {
  for (const [index, { name, values }] of stored.entries()) {
    const before = values[row];
    const after = incoming.columns[index]?.values[incoming.row];
    if (before === after) continue;
    // A single column of values needs no name.
    const which = stored.length > 2 ? `${name} ` : '';
    return `${which}${String(before)} stored, ${String(after)} given`;
  }
  return undefined;
}

function copyRow(from: readonly FileColumn[], row: number, to: RowReference): void {
  for (let index = 0; index < from.length; index += 1) {
    const target = to.columns[index];
    if (target !== undefined) target.values[to.row] = from[index]?.values[row] ?? Number.NaN;
  }
}
