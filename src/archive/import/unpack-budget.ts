import { DataError } from '../../domain/index.js';

/** Prices that move do not shrink to a tenth. A constant column shrinks to a hundredth, and is one of six columns. */
const MOST_PER_BYTE = 64;
/** In a small file, all columns may be constant. */
const ALWAYS_ALLOWED = 64 * 1024 ** 2;

/** How many bytes may come out of a compressed file: more than candles ever need, and less than fills memory. */
export class UnpackBudget {
  readonly #path: string;
  readonly #most: number;
  #left: number;

  /** `bytes`: size of the file. */
  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#most = ALWAYS_ALLOWED + MOST_PER_BYTE * bytes;
    this.#left = this.#most;
  }

  /** Bytes that may still come. */
  get left(): number {
    return this.#left;
  }

  /** Takes `bytes` from the budget and returns them. @throws {DataError} `E_DATA_FORMAT` if fewer are left. */
  take(bytes: number): number {
    this.#left -= bytes;
    if (this.#left >= 0) return bytes;
    throw new DataError(
      'E_DATA_FORMAT',
      `${this.#path}: expected at most ${String(this.#most)} unpacked bytes, received more: it may be a decompression bomb; if not, save it without compression`,
    );
  }
}
