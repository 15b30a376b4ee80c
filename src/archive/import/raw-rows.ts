import type { CandleColumns } from '../../domain/index.js';
import { allocateColumns, COLUMN_NAMES, sliceColumns } from '../columns.js';

/** The numbers of one row. */
export interface RawRow {
  openTime: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/**
 * Rows of a file in its own order, in columns that grow by doubling: 52 bytes per row, of which at most half is unused.
 */
export class RawRows {
  #columns: CandleColumns;
  #numbers: Uint32Array;
  #rows = 0;

  constructor(capacity = 4_096) {
    this.#columns = allocateColumns(capacity);
    this.#numbers = new Uint32Array(capacity);
  }

  /** Adds a row with its number in the file. */
  add(row: RawRow, number: number): void {
    if (this.#rows === this.#numbers.length) this.#grow();
    const columns = this.#columns;
    const index = this.#rows;
    columns.openTime[index] = row.openTime;
    columns.open[index] = row.open;
    columns.high[index] = row.high;
    columns.low[index] = row.low;
    columns.close[index] = row.close;
    columns.volume[index] = row.volume;
    this.#numbers[index] = number;
    this.#rows += 1;
  }

  get columns(): CandleColumns {
    return sliceColumns(this.#columns, 0, this.#rows);
  }

  get length(): number {
    return this.#rows;
  }

  /** Number that the `index`-th row (from 0) has in the file. */
  numberOf(index: number): number {
    return this.#numbers[index] ?? index + 1;
  }

  #grow(): void {
    const columns = allocateColumns(this.#rows * 2);
    for (const name of COLUMN_NAMES) columns[name].set(this.#columns[name]);
    const numbers = new Uint32Array(this.#rows * 2);
    numbers.set(this.#numbers);
    this.#columns = columns;
    this.#numbers = numbers;
  }
}
