/** Fills `target` with a column from its `first` row on. */
type ColumnReader = (first: number, target: Float64Array) => void;

const NOTHING = new Float64Array(0);

/** One column of a series by row number, all in memory or one block at a time. A reader of few columns need not read the others. */
export class CandleColumn {
  readonly length: number;
  readonly #blockRows: number;
  readonly #read: ColumnReader | undefined;
  #memory: Float64Array = NOTHING;
  #first = 0;
  #end = 0;
  #values: Float64Array = NOTHING;

  private constructor(length: number, blockRows: number, read?: ColumnReader) {
    this.length = length;
    this.#blockRows = blockRows;
    this.#read = read;
  }

  /** A column that is all in memory. It is shared, never copied. */
  static of(values: Float64Array): CandleColumn {
    const column = new CandleColumn(values.length, values.length);
    column.#end = values.length;
    column.#values = values;
    return column;
  }

  /** A column of `length` rows that is read `blockRows` of them at a time. */
  static paged(length: number, blockRows: number, read: ColumnReader): CandleColumn {
    return new CandleColumn(length, blockRows, read);
  }

  /** First row that is in memory. */
  get first(): number {
    return this.#first;
  }

  /** Row after the last row that is in memory. */
  get end(): number {
    return this.#end;
  }

  /** Values of the rows from `first` to `end`, which include `row` if it exists. A call with another row may overwrite them. */
  around(row: number): Float64Array {
    if (row < this.#first || row >= this.#end) this.#turnTo(row);
    return this.#values;
  }

  /** Undefined if there is no such row. */
  at(row: number): number | undefined {
    if (row < this.#first || row >= this.#end) this.#turnTo(row);
    return this.#values[row - this.#first];
  }

  #turnTo(row: number): void {
    if (this.#read === undefined || !(row >= 0 && row < this.length)) return;
    const first = row - (row % this.#blockRows);
    const rows = Math.min(this.length - first, this.#blockRows);
    if (this.#memory.length < rows) this.#memory = new Float64Array(rows);
    // While the memory is overwritten, no row counts as read, also if reading fails.
    this.#end = this.#first;
    this.#values = this.#memory.subarray(0, rows);
    this.#read(first, this.#values);
    this.#first = first;
    this.#end = first + rows;
  }
}
