import { DataError } from '../../domain/index.js';
import type { ColumnMap } from './column-map.js';
import type { FileLayout } from './file-layout.js';
import type { RawRows } from './raw-rows.js';
import type { RefusedRowLog } from './refused-rows.js';
import type { TimeParser } from './time-parser.js';

/** Where rows go while a file is read. */
export interface RowTarget {
  readonly path: string;
  readonly layout: FileLayout;
  /** The caller may replace it between two pieces of text. */
  rows: RawRows;
  readonly times: TimeParser;
  /** Takes rows that cannot be read; without it the first of them is an error. */
  readonly refused: RefusedRowLog | undefined;
}

/**
 * Refuses a row that cannot be read.
 *
 * @throws {DataError} `E_DATA_ROW` naming file, row and column, unless refused rows are collected.
 */
export function refuseRow(target: RowTarget, row: number, reason: string): void {
  if (target.refused === undefined) {
    throw new DataError('E_DATA_ROW', `${target.path} row ${String(row)}, ${reason}`);
  }
  target.refused.add(row, reason);
}

/** Reads rows of text cells into numbers. */
export class RowReader {
  readonly #target: RowTarget;
  readonly #map: ColumnMap;
  readonly #headers: readonly string[];
  readonly #cells: number;
  readonly #row: Float64Array;

  constructor(target: RowTarget, map: ColumnMap, headers: readonly string[]) {
    this.#target = target;
    this.#map = map;
    this.#headers = headers;
    this.#cells = Math.max(...map) + 1;
    this.#row = new Float64Array(map.length);
  }

  read(cells: readonly string[], number: number): void {
    if (cells.length < this.#cells) {
      const received = cells.length === 1 && cells[0] === '' ? 'none' : String(cells.length);
      refuseRow(
        this.#target,
        number,
        `expected at least ${String(this.#cells)} cells, received ${received}`,
      );
      return;
    }
    const time = this.#target.times.parse(trim(cells[this.#map[TIME] ?? TIME] ?? ''));
    if (typeof time === 'string') {
      refuseRow(this.#target, number, `${this.#describe(TIME)}: ${time}`);
      return;
    }
    this.#row[TIME] = time;
    for (let column = 1; column < this.#map.length; column += 1) {
      const text = cells[this.#map[column] ?? -1] ?? '';
      const value = parseNumber(text);
      if (Number.isNaN(value)) {
        const reason = `${this.#describe(column)}: expected a number, received "${text.slice(0, 40)}"`;
        refuseRow(this.#target, number, reason);
        return;
      }
      this.#row[column] = value;
    }
    this.#target.rows.add(this.#row, number);
  }

  #describe(column: number): string {
    const place = this.#map[column] ?? 0;
    const header = this.#headers[place];
    return header === undefined ? `column ${String(place + 1)}` : `column "${header}"`;
  }
}

/** Place of the time in every layout. */
const TIME = 0;
const SPACE = 32;

/** Reads a decimal number. NaN for anything else, even if `Number` accepts it: empty text, spaces and 0x10. */
export function parseNumber(text: string): number {
  if (text === '') return Number.NaN;
  const first = text.charCodeAt(0);
  if (first <= SPACE || text.charCodeAt(text.length - 1) <= SPACE) {
    const trimmed = text.trim();
    return trimmed === text ? Number.NaN : parseNumber(trimmed);
  }
  // A letter behind the first digit is an exponent or the mark of another base.
  const second = text.charCodeAt(1) | 32;
  if (first === 48 && (second === 120 || second === 98 || second === 111)) return Number.NaN;
  return Number(text);
}

function trim(text: string): string {
  const isBare = text.charCodeAt(0) > SPACE && text.charCodeAt(text.length - 1) > SPACE;
  return isBare ? text : text.trim();
}
