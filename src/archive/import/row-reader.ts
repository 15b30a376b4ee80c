import { DataError } from '../../domain/index.js';
import { COLUMN_NAMES, type ColumnName } from '../columns.js';
import { lastColumn, type ColumnMap } from './column-map.js';
import type { RawRow, RawRows } from './raw-rows.js';
import type { RefusedRowLog } from './refused-rows.js';
import type { TimeParser } from './time-parser.js';

/** What happens to rows while a file is read. */
export interface RowTarget {
  readonly path: string;
  readonly rows: RawRows;
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
  readonly #row: RawRow = { openTime: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 };

  constructor(target: RowTarget, map: ColumnMap, headers: readonly string[]) {
    this.#target = target;
    this.#map = map;
    this.#headers = headers;
    this.#cells = lastColumn(map) + 1;
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
    const time = this.#target.times.parse(trim(cells[this.#map.openTime] ?? ''));
    if (typeof time === 'string') {
      refuseRow(this.#target, number, `${this.#describe('openTime')}: ${time}`);
      return;
    }
    this.#row.openTime = time;
    for (const name of NUMBER_COLUMNS) {
      const text = cells[this.#map[name]] ?? '';
      const value = parseNumber(text);
      if (Number.isNaN(value)) {
        const reason = `${this.#describe(name)}: expected a number, received "${text.slice(0, 40)}"`;
        refuseRow(this.#target, number, reason);
        return;
      }
      this.#row[name] = value;
    }
    this.#target.rows.add(this.#row, number);
  }

  #describe(name: ColumnName): string {
    const header = this.#headers[this.#map[name]];
    return header === undefined ? `column ${String(this.#map[name] + 1)}` : `column "${header}"`;
  }
}

const NUMBER_COLUMNS = COLUMN_NAMES.filter((name) => name !== 'openTime');
const SPACE = 32;

/** Reads a decimal number; NaN for anything else, above all for what `Number` takes for one: nothing, spaces and 0x10. */
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
