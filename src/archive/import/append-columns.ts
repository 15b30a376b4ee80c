import { COLUMN_NAMES, type ColumnName } from '../columns.js';
import type { ColumnMap } from './column-map.js';
import type { RawRow } from './raw-rows.js';
import { parseNumber, refuseRow, type RowTarget } from './row-reader.js';

/** A value of a binary file: numbers, instants as Date, text, or nothing. */
export type CellValue = number | bigint | Date | string | null | undefined;

/** Rows of a binary file, column by column. */
export interface ColumnarRows {
  readonly length: number;
  /** Number of the first row in the file, from 1. */
  readonly firstRow: number;
  readonly names: readonly string[];
  /** The value of a row (from 0) in a column of the file. */
  valueOf(column: number, row: number): CellValue;
}

/** Adds the rows of a binary file. */
export function appendColumns(target: RowTarget, source: ColumnarRows, map: ColumnMap): void {
  const row: RawRow = { openTime: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 };
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
  row: RawRow,
  { source, map, index }: RowPlace,
): string | undefined {
  for (const name of COLUMN_NAMES) {
    const value = source.valueOf(map[name], index);
    const read = name === 'openTime' ? readTime(target, value) : readNumber(value);
    if (typeof read === 'string') return `${describe(source, map, name)}: ${read}`;
    row[name] = read;
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

function describe(source: ColumnarRows, map: ColumnMap, name: ColumnName): string {
  return `column "${source.names[map[name]] ?? String(map[name] + 1)}"`;
}
