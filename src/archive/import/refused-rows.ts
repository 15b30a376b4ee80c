/** A row that is not taken, and why. Rows count from 1; in a text file the header is one of them. */
export interface RefusedRow {
  readonly row: number;
  readonly reason: string;
}

/** How many rows were not taken, with the first of them. */
export interface RefusedRows {
  readonly count: number;
  readonly examples: readonly RefusedRow[];
}

const MOST_EXAMPLES = 10;

/** Counts refused rows and keeps the first few. */
export class RefusedRowLog {
  #count = 0;
  readonly #examples: RefusedRow[] = [];

  add(row: number, reason: string): void {
    this.#count += 1;
    if (this.#examples.length < MOST_EXAMPLES) this.#examples.push({ row, reason });
  }

  get summary(): RefusedRows {
    return { count: this.#count, examples: this.#examples };
  }
}
