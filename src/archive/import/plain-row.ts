import type { ColumnMap } from './column-map.js';
import type { TimeParser } from './time-parser.js';

const QUOTE = 34;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
/** Up to this number, a double holds every whole number exactly. */
const LARGEST_EXACT = Number.MAX_SAFE_INTEGER;
/** All of these are exact doubles. A whole number divided by one of them is rounded only once, so the result equals `Number` of the text. */
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${String(power)}`));

/**
 * Reads the numbers of one row straight from its bytes. Each needed cell must be digits with at most one point among them, with or without
 * quotes. Nearly all files of candles are like this, and reading without strings is several times faster.
 */
export class PlainRow {
  /** The numbers of the last {@link read}, in the order of the layout. */
  readonly values: Float64Array;
  /** Column of the layout for each place in the row, up to the last needed one; -1 for a cell to skip. */
  readonly #columns: Int32Array;
  readonly #delimiter: number;
  readonly #times: TimeParser;
  #end = 0;

  constructor(map: ColumnMap, delimiter: number, times: TimeParser) {
    this.values = new Float64Array(map.length);
    this.#columns = new Int32Array(Math.max(...map) + 1).fill(-1);
    for (const [column, place] of map.entries()) this.#columns[place] = column;
    this.#delimiter = delimiter;
    this.#times = times;
  }

  /** Reads the row in [from, to). Returns false if one of its cells has another form: then the row must be read as text. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    let start = from;
    for (let place = 0; place < this.#columns.length; place += 1) {
      if (start > to) return false;
      const column = this.#columns[place] ?? -1;
      if (column < 0) this.#end = this.#endOfCell(bytes, start, to);
      else {
        const number = this.#readNumber(bytes, start, to);
        if (number < 0) return false;
        this.values[column] = number;
      }
      start = this.#end + 1;
    }
    // The time comes last: the first time read sets the unit of the whole file, and a row that lacks cells must not set it.
    const time = this.#times.fromNumber(this.values[0] ?? Number.NaN);
    if (typeof time === 'string') return false;
    this.values[0] = time;
    return true;
  }

  #endOfCell(bytes: Uint8Array, start: number, to: number): number {
    if (bytes[start] === QUOTE) return bytes.indexOf(QUOTE, start + 1) + 1;
    let at = start;
    while (at < to && bytes[at] !== this.#delimiter) at += 1;
    return at;
  }

  /** The number of the cell from `start`, -1 when it is not plain. */
  #readNumber(bytes: Uint8Array, start: number, to: number): number {
    let whole = 0;
    let point = -1;
    const isQuoted = bytes[start] === QUOTE;
    const first = isQuoted ? start + 1 : start;
    const last = isQuoted ? QUOTE : this.#delimiter;
    let at = first;
    for (; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) whole = whole * 10 + (byte - ZERO);
      else if (byte === last) break;
      else if (byte === POINT && point < 0 && at > first) point = at;
      else return -1;
    }
    this.#end = isQuoted ? at + 1 : at;
    const decimals = point < 0 ? 0 : at - point - 1;
    const isEmpty = at === first || (point >= 0 && decimals === 0);
    if (isEmpty || whole > LARGEST_EXACT || decimals >= POWERS_OF_TEN.length) return -1;
    return decimals === 0 ? whole : whole / (POWERS_OF_TEN[decimals] ?? Number.NaN);
  }
}
