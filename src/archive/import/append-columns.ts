import type { ColumnMap } from './column-map.js';
import { parseNumber, refuseRow, type RowTarget } from './row-reader.js';

/** A value of a binary file: numbers, instants as Date, text, or nothing. */
export type CellValue = number | bigint | Date | string | null | undefined;

/** Rows of a binary file, column by column. */
interface ColumnarRows {
  readonly length: number;
  /** Number of the first row in the file, from 1. */
  readonly firstRow: number;
  readonly names: readonly string[];
  /** The value of a row (from 0) in a column of the file. */
  valueOf(column: number, row: number): CellValue;
}

/** Adds the rows of a binary file. */
export function appendColumns(target: RowTarget, source: ColumnarRows, map: ColumnMap): void {
  const row = new Float64Array(map.length);
  for (let index = 0; index < source.length; index += 1) {
    const problem = readRow(target, row, { source, map, index });
    const number = source.firstRow + index;
    if (problem === undefined) target.rows.add(row, number);
    else refuseRow(target, number, problem);
  }
}

interface RowPlace {
  readonly source: ColumnarRows;
  readonly map: ColumnMap;
  readonly index: number;
}

/** Reads one row into `row`, or says what is wrong with it. */
function readRow(
  target: RowTarget,
  row: Float64Array,
  { source, map, index }: RowPlace,
): string | undefined {
  for (const [column, place] of map.entries()) {
    const value = source.valueOf(place, index);
    const read = column === 0 ? readTime(target, value) : readNumber(value);
    if (typeof read === 'string') return `${describe(source, place)}: ${read}`;
    row[column] = read;
  }
  return undefined;
}

function readTime(target: RowTarget, value: CellValue): number | string {
  if (value instanceof Date) return target.times.fromTimestamp(value);
  if (typeof value === 'string') return target.times.parse(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return target.times.fromNumber(Number(value));
  }
  return 'expected a time, received nothing';
}

function readNumber(value: CellValue): number | string {
  const number =
    typeof value === 'string'
      ? parseNumber(value)
      : typeof value === 'number' || typeof value === 'bigint'
        ? Number(value)
        : Number.NaN;
  if (!Number.isNaN(number)) return number;
  return `expected a number, received ${value === null || value === undefined ? 'nothing' : String(value)}`;
}

function describe(source: ColumnarRows, place: number): string {
  return `column "${source.names[place] ?? String(place + 1)}"`;
}
