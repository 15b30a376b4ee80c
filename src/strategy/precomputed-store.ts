import type { CandleColumns } from '../domain/index.js';

/** What an indicator gives for the rows of a series, from the one on from which it was computed. */
export interface SeriesValues {
  /** One per row. Where there is no value, whatever number is like NaN to it. */
  readonly values: Float64Array;
  /** The last row with a number on no tick grid; -1 where there is none. */
  readonly lastStray: number;
}

/**
 * Keeps columns of numbers that are computed from stored series, so that runs which follow one another compute each once. What was not
 * asked for the longest goes when there is no room, but nothing that the run under way has in hand: what is in memory is never more than
 * may be kept.
 *
 * It holds what is yet to come: nothing that a strategy can reach may refer to it.
 */
export class PrecomputedStore {
  readonly #mostBytes: number;
  /** Those asked for last come last. */
  readonly #columns = new Map<string, SeriesValues>();
  readonly #seriesNumbers = new WeakMap<CandleColumns, number>();
  #seriesCount = 0;
  #bytes = 0;
  /** What the run under way has asked for. */
  readonly #inHand = new Set<string>();
  #bytesInHand = 0;

  constructor({ mostBytes }: { readonly mostBytes: number }) {
    this.#mostBytes = mostBytes;
  }

  /** What all columns take together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A run begins: what the run before it had in hand may go. */
  beginRun(): void {
    this.#inHand.clear();
    this.#bytesInHand = 0;
  }

  /**
   * Returns the column that has a name among those of a series; computes it when it is not there. It is shared, and not to be written to.
   * Undefined when there is no room beside what the run has in hand.
   *
   * `columns` stand for the series: they must hold the same numbers for ever. `length`: how many numbers the column has.
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

  /** What is in hand was asked for last, and has room. */
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
