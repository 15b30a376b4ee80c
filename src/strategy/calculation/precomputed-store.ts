import type { CandleColumns } from '../../domain/index.js';

/** Values of an indicator for the rows of a series, from the first row that was computed. */
export interface SeriesValues {
  /** One per row. A row without a value may hold any number. */
  readonly values: Float64Array;
  /** The last row with a number on no tick grid; -1 if there is no such row. */
  readonly lastStray: number;
}

/**
 * Keeps columns of numbers that are computed from stored series, so that consecutive runs compute each column once. If there is no room, the
 * columns unused for the longest time are dropped, but no column that the current run uses. The memory limit is never exceeded.
 *
 * It holds values of future candles: nothing that a strategy can reach may refer to it.
 */
export class PrecomputedStore {
  readonly #mostBytes: number;
  /** By last use, oldest first. */
  readonly #columns = new Map<string, SeriesValues>();
  readonly #seriesNumbers = new WeakMap<CandleColumns, number>();
  #seriesCount = 0;
  #bytes = 0;
  /** Keys of the columns that the current run uses. */
  readonly #inHand = new Set<string>();
  #bytesInHand = 0;

  constructor({ mostBytes }: { readonly mostBytes: number }) {
    this.#mostBytes = mostBytes;
  }

  /** Size of all columns together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a run: columns of the run before may be dropped from now on. */
  beginRun(): void {
    this.#inHand.clear();
    this.#bytesInHand = 0;
  }

  /**
   * Returns a column of a series by its name, and computes it if it is not stored. The column is shared: do not write to it.
   * Undefined if the columns that the run uses leave no room.
   *
   * `columns` identify the series: their numbers must never change. `length`: number of values in the column.
   */
  column(
    columns: CandleColumns,
    { name, length }: { readonly name: string; readonly length: number },
    compute: () => SeriesValues,
  ): SeriesValues | undefined {
    const key = `${String(this.#numberOf(columns))} ${name}`;
    if (!this.#takeInHand(key, length * Float64Array.BYTES_PER_ELEMENT)) return undefined;
    const known = this.#columns.get(key);
    this.#columns.delete(key);
    const column = known ?? compute();
    this.#columns.set(key, column);
    if (known === undefined) {
      this.#bytes += column.values.byteLength;
      this.#makeRoom();
    }
    return column;
  }

  #takeInHand(key: string, bytes: number): boolean {
    if (this.#inHand.has(key)) return true;
    if (this.#bytesInHand + bytes > this.#mostBytes) return false;
    this.#inHand.add(key);
    this.#bytesInHand += bytes;
    return true;
  }

  /** Never drops a column of the current run: those were used last, and all of them fit. */
  #makeRoom(): void {
    for (const [oldest, { values }] of this.#columns) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#columns.delete(oldest);
      this.#bytes -= values.byteLength;
    }
  }

  #numberOf(columns: CandleColumns): number {
    const known = this.#seriesNumbers.get(columns);
    if (known !== undefined) return known;
    this.#seriesCount += 1;
    this.#seriesNumbers.set(columns, this.#seriesCount);
    return this.#seriesCount;
  }
}
