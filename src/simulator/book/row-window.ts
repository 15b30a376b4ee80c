import { type Fixed } from '../../domain/index.js';

interface WindowColumns {
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly volumeOf: (row: number) => Fixed;
}

/**
 * Highest high, lowest low and exact volume over the rows from `first` to `end` (exclusive). Usually both ends move forward: then each row costs the
 * same, whatever the width of the window. A window that moves back is measured from scratch.
 */
export class RowWindow {
  readonly #columns: WindowColumns;
  #first = 0;
  #end = 0;
  #volume: Fixed = 0n;
  readonly #highest: ExtremeQueue;
  readonly #lowest: ExtremeQueue;

  constructor(columns: WindowColumns) {
    this.#columns = columns;
    this.#highest = new ExtremeQueue((row) => columns.high[row] ?? Number.NaN);
    this.#lowest = new ExtremeQueue((row) => -(columns.low[row] ?? Number.NaN));
  }

  /** Returns -Infinity, Infinity and 0 for an empty window. */
  measure(
    first: number,
    end: number,
  ): { readonly high: number; readonly low: number; readonly volume: Fixed } {
    if (first < this.#first || end < this.#end || first >= this.#end) this.#restart(first);
    for (; this.#end < end; this.#end += 1) {
      this.#volume += this.#columns.volumeOf(this.#end);
      this.#highest.push(this.#end);
      this.#lowest.push(this.#end);
    }
    for (; this.#first < first; this.#first += 1) {
      this.#volume -= this.#columns.volumeOf(this.#first);
    }
    return {
      high: this.#highest.largest(first),
      low: -this.#lowest.largest(first),
      volume: this.#volume,
    };
  }

  #restart(first: number): void {
    this.#first = first;
    this.#end = first;
    this.#volume = 0n;
    this.#highest.clear();
    this.#lowest.clear();
  }
}

/** Rows in falling order of their values: a new row removes all earlier rows that it reaches. So the first row is the largest of a window. */
class ExtremeQueue {
  readonly #valueOf: (row: number) => number;
  #rows: number[] = [];
  #head = 0;

  constructor(valueOf: (row: number) => number) {
    this.#valueOf = valueOf;
  }

  clear(): void {
    this.#rows = [];
    this.#head = 0;
  }

  push(row: number): void {
    const value = this.#valueOf(row);
    while (
      this.#rows.length > this.#head &&
      this.#valueOf(this.#rows[this.#rows.length - 1] ?? Number.NaN) <= value
    ) {
      this.#rows.pop();
    }
    this.#rows.push(row);
  }

  /** Largest value from row `first` on. Drops the rows before it. */
  largest(first: number): number {
    while (this.#head < this.#rows.length && (this.#rows[this.#head] ?? Number.NaN) < first)
      this.#head += 1;
    if (this.#head > 1_024) {
      this.#rows = this.#rows.slice(this.#head);
      this.#head = 0;
    }
    const row = this.#rows[this.#head];
    return row === undefined ? Number.NEGATIVE_INFINITY : this.#valueOf(row);
  }
}
