import { present, type EpochMs } from '../../domain/index.js';
import type { TrialInputs } from './trial-record.js';

/** All trials of one strategy on the same data. */
export type SearchKey = Pick<TrialInputs, 'strategy' | 'data'>;

/** One trial in the index of a ledger. */
interface IndexedTrial {
  /** Byte of the ledger at which its line begins. */
  readonly offset: number;
  /** When it ended; NaN if its line has no time. */
  readonly at: EpochMs;
  /** Annual Sharpe ratio; NaN if it has none. */
  readonly sharpe: number;
  readonly isFinished: boolean;
}

/** Bytes of one trial. */
const ROW_BYTES = 36;
/** Number of last digits of an id that serve as its key: an id is a hash. */
const ID_DIGITS = 16;
/** Lowest bit of `#kinds`, below the number of the search: whether the trial finished. */
const FINISHED = 1;

/**
 * Facts about a ledger's trials as columns: 36 bytes per trial, so that a million is counted in milliseconds. A trial that was made twice counts once; the
 * first line is kept.
 */
export class TrialColumns {
  readonly #searches: SearchKey[] = [];
  readonly #numbers = new Map<string, number>();
  /** Keys of the ids; built when the first trial is added. */
  #ids: Set<bigint> | undefined;
  #length = 0;
  #offsets = new Float64Array(0);
  #times = new Float64Array(0);
  #sharpes = new Float64Array(0);
  #keys = new BigUint64Array(0);
  #kinds = new Uint32Array(0);

  get length(): number {
    return this.#length;
  }

  /** In the order of their first trials. */
  get searches(): readonly SearchKey[] {
    return this.#searches;
  }

  /** Index of a search in {@link searches}. An unknown search is added. */
  numberOf({ strategy, data }: SearchKey): number {
    const key = `${data} ${strategy}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#searches.length);
    this.#searches.push({ strategy, data });
    return this.#searches.length - 1;
  }

  /** Adds a trial unless it is there already. */
  add(id: string, search: SearchKey, { offset, at, sharpe, isFinished }: IndexedTrial): void {
    this.#ids ??= new Set(this.#keys.subarray(0, this.#length));
    const key = idDigits(id);
    if (this.#ids.has(key)) return;
    this.#ids.add(key);
    if (this.#length === this.#offsets.length) this.#grow();
    const row = this.#length;
    this.#length += 1;
    this.#offsets[row] = offset;
    this.#times[row] = at;
    this.#sharpes[row] = sharpe;
    this.#keys[row] = key;
    this.#kinds[row] = 2 * this.numberOf(search) + (isFinished ? FINISHED : 0);
  }

  /** Whether the columns have a trial. */
  has(id: string): boolean {
    return this.#keys.subarray(0, this.#length).includes(idDigits(id));
  }

  /** Calls `onTrial` for every trial with the number of its search, in the order of the ledger. */
  forEach(onTrial: (search: number, row: number) => void): void {
    for (let row = 0; row < this.#length; row += 1) onTrial((this.#kinds[row] ?? 0) >>> 1, row);
  }

  at(row: number): IndexedTrial {
    return {
      offset: present(this.#offsets[row], 'offset of a trial'),
      at: this.#times[row] ?? NaN,
      sharpe: this.#sharpes[row] ?? NaN,
      isFinished: ((this.#kinds[row] ?? 0) & FINISHED) !== 0,
    };
  }

  #grow(): void {
    const size = Math.max(1_024, 2 * this.#length);
    const larger = <T extends { set(other: T): void }>(column: T, made: T): T => {
      made.set(column);
      return made;
    };
    this.#offsets = larger(this.#offsets, new Float64Array(size));
    this.#times = larger(this.#times, new Float64Array(size));
    this.#sharpes = larger(this.#sharpes, new Float64Array(size));
    this.#keys = larger(this.#keys, new BigUint64Array(size));
    this.#kinds = larger(this.#kinds, new Uint32Array(size));
  }

  /** The columns, one after the other. */
  bytes(): readonly Uint8Array[] {
    return [this.#offsets, this.#times, this.#sharpes, this.#keys, this.#kinds].map((column) => {
      const used = column.subarray(0, this.#length);
      return new Uint8Array(used.buffer, used.byteOffset, used.byteLength);
    });
  }

  /** Takes over columns from {@link bytes}; undefined if the length does not match `rows`. */
  static of(searches: readonly SearchKey[], rows: number, bytes: Buffer): TrialColumns | undefined {
    if (bytes.length !== ROW_BYTES * rows) return undefined;
    const columns = new TrialColumns();
    for (const search of searches) columns.numberOf(search);
    // A copy has its own buffer, which begins at a multiple of 8, as columns of 8 bytes require.
    const { buffer } = new Uint8Array(bytes);
    columns.#length = rows;
    columns.#offsets = new Float64Array(buffer, 0, rows);
    columns.#times = new Float64Array(buffer, 8 * rows, rows);
    columns.#sharpes = new Float64Array(buffer, 16 * rows, rows);
    columns.#keys = new BigUint64Array(buffer, 24 * rows, rows);
    columns.#kinds = new Uint32Array(buffer, 32 * rows, rows);
    return columns;
  }
}

/** The last digits of an id. Unlike a part of the line that it was read from, the number does not keep that line in memory. */
export function idDigits(id: string): bigint {
  return BigInt(`0x${id.slice(-ID_DIGITS)}`);
}
