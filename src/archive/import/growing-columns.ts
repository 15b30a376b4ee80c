import type { FileColumn } from '../columns/columns.js';
import { mergeColumns, timesOf, type MergeColumnsOptions } from '../columns/merge.js';

/** Rows of several files in strictly rising order of time. Files that follow each other in time are put together without sorting. */
export class GrowingColumns<Columns> {
  readonly #options: MergeColumnsOptions<Columns>;
  #columns: Columns;
  #rows = 0;
  #capacity = 0;
  #repeated = 0;

  constructor(options: MergeColumnsOptions<Columns>) {
    this.#options = options;
    this.#columns = options.layout.allocate(0);
  }

  get length(): number {
    return this.#rows;
  }

  /** Rows that were added once more, with equal values. */
  get repeated(): number {
    return this.#repeated;
  }

  get columns(): Columns {
    return this.#options.layout.slice(this.#columns, 0, this.#rows);
  }

  /**
   * Adds rows, which must be in strictly rising order of time.
   *
   * @throws {DataError} `E_DATA_CONFLICT` when a row has other values than an earlier one of its time, unless `replace` is set.
   */
  add(columns: Columns): void {
    const last = timesOf(this.#fileColumns(this.columns)).at(-1) ?? -Infinity;
    const first = timesOf(this.#fileColumns(columns))[0] ?? Infinity;
    if (last < first) this.#append(columns);
    else this.#merge(columns);
  }

  #append(columns: Columns): void {
    const added = this.#fileColumns(columns);
    const rows = this.#rows + timesOf(added).length;
    if (rows > this.#capacity) this.#grow(Math.max(rows, this.#capacity * 2));
    for (const [index, { values }] of this.#fileColumns(this.#columns).entries()) {
      values.set(added[index]?.values ?? [], this.#rows);
    }
    this.#rows = rows;
  }

  #merge(columns: Columns): void {
    const merged = mergeColumns(this.columns, columns, this.#options);
    this.#repeated += merged.duplicates;
    this.#rows += merged.added;
    this.#columns = merged.columns;
    this.#capacity = this.#rows;
  }

  #grow(capacity: number): void {
    const grown = this.#options.layout.allocate(capacity);
    const stored = this.#fileColumns(this.columns);
    for (const [index, { values }] of this.#fileColumns(grown).entries()) {
      values.set(stored[index]?.values ?? []);
    }
    this.#columns = grown;
    this.#capacity = capacity;
  }

  #fileColumns(columns: Columns): readonly FileColumn[] {
    return this.#options.layout.fileColumns(columns);
  }
}
