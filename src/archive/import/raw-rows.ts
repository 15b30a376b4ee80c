/**
 * Rows of a file in its own order: a time and some numbers each, in columns that grow by doubling.
 */
export class RawRows {
  #columns: readonly Float64Array[];
  #numbers: Uint32Array;
  #rows = 0;

  /** @param width - columns, the time included. */
  constructor(width: number, capacity = 4_096) {
    this.#columns = allocate(width, capacity);
    this.#numbers = new Uint32Array(capacity);
  }

  /** Rows that were read elsewhere, such as in another thread. */
  static of(columns: readonly Float64Array[], numbers: Uint32Array): RawRows {
    const rows = new RawRows(0, 0);
    rows.#columns = columns;
    rows.#numbers = numbers;
    rows.#rows = numbers.length;
    return rows;
  }

  /** Adds a row with its number in the file. */
  add(row: Float64Array, number: number): void {
    if (this.#rows === this.#numbers.length) this.#grow();
    for (let column = 0; column < row.length; column += 1) {
      const values = this.#columns[column];
      if (values !== undefined) values[this.#rows] = row[column] ?? Number.NaN;
    }
    this.#numbers[this.#rows] = number;
    this.#rows += 1;
  }

  /** The columns in the order of the layout. */
  get columns(): readonly Float64Array[] {
    return this.#columns.map((values) => values.subarray(0, this.#rows));
  }

  /** Numbers of the rows in the file. */
  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#rows);
  }

  get length(): number {
    return this.#rows;
  }

  /** Number that the `index`-th row (from 0) has in the file. */
  numberOf(index: number): number {
    return this.#numbers[index] ?? index + 1;
  }

  #grow(): void {
    const columns = allocate(this.#columns.length, this.#rows * 2);
    for (const [index, values] of columns.entries()) values.set(this.#columns[index] ?? []);
    const numbers = new Uint32Array(this.#rows * 2);
    numbers.set(this.#numbers);
    this.#columns = columns;
    this.#numbers = numbers;
  }
}

function allocate(width: number, rows: number): readonly Float64Array[] {
  return Array.from({ length: width }, () => new Float64Array(rows));
}
