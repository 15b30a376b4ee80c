import type { CandleColumns } from '../domain/index.js';

/**
 * Keeps columns of numbers that are computed from stored series, so that runs which follow one another compute each once. What was not
 * asked for the longest goes when there is no room; who has it in hand keeps it.
 *
 * It holds what is yet to come: nothing that a strategy can reach may refer to it.
 */
export class ForesightStore {
  readonly #mostBytes: number;
  /** Those asked for last come last. */
  readonly #columns = new Map<string, Float64Array>();
  readonly #seriesNumbers = new WeakMap<CandleColumns, number>();
  #seriesCount = 0;
  #bytes = 0;

  constructor({ mostBytes }: { readonly mostBytes: number }) {
    this.#mostBytes = mostBytes;
  }

  /** What all columns take together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there can be room for a column of so many numbers. */
  hasRoomFor(length: number): boolean {
    return length * Float64Array.BYTES_PER_ELEMENT <= this.#mostBytes;
  }

  /**
   * Returns the column that has a name among those of a series; computes it when it is not there. It is shared, and not to be written to.
   *
   * `columns` stand for the series: they must hold the same numbers for ever.
   */
  column(columns: CandleColumns, name: string, compute: () => Float64Array): Float64Array {
    const key = `${String(this.#numberOf(columns))} ${name}`;
    const known = this.#columns.get(key);
    if (known !== undefined) {
      this.#columns.delete(key);
      this.#columns.set(key, known);
      return known;
    }
    const column = compute();
    this.#keep(key, column);
    return column;
  }

  #keep(key: string, column: Float64Array): void {
    if (!this.hasRoomFor(column.length)) return;
    this.#bytes += column.byteLength;
    this.#columns.set(key, column);
    for (const [oldest, { byteLength }] of this.#columns) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#columns.delete(oldest);
      this.#bytes -= byteLength;
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
