import type { Fixed } from '../../domain/index.js';

/** Numbers that an amount takes of a row; everything else takes one. */
export const AMOUNT_WIDTH = 2;

const HALF = 64n;
/** Upper halves from here on may not be exact as a float64: amounts of some 10^17. */
const INEXACT = 2 ** 53;

/**
 * So many rows of amounts and numbers, side by side in one piece of memory outside the heap: a row is written to a place or two, and nothing of
 * it is an object that would be copied while garbage is collected. A column is known by where it begins in its row.
 */
export class PackedBlock {
  readonly #width: number;
  readonly #numbers: Float64Array;
  /** The same memory. Of an amount the lower 64 bits are in it, and behind them the others as a number. */
  readonly #lower: BigUint64Array;
  /** Amounts that do not fit, by place. */
  #large: Map<number, Fixed> | undefined;

  /** `width`: of a row, in numbers. */
  constructor(rows: number, width: number) {
    this.#width = width;
    this.#numbers = new Float64Array(rows * width);
    this.#lower = new BigUint64Array(this.#numbers.buffer);
  }

  setNumber(row: number, column: number, value: number): void {
    this.#numbers[row * this.#width + column] = value;
  }

  /** 0 where none was set. */
  number(row: number, column: number): number {
    return this.#numbers[row * this.#width + column] as number;
  }

  setAmount(row: number, column: number, amount: Fixed): void {
    const place = row * this.#width + column;
    const upper = Number(amount >> HALF);
    this.#lower[place] = amount;
    this.#numbers[place + 1] = upper;
    if (Math.abs(upper) >= INEXACT) this.#keepLarge(place, amount);
  }

  amount(row: number, column: number): Fixed {
    const place = row * this.#width + column;
    const upper = this.#numbers[place + 1] as number;
    const lower = this.#lower[place] as bigint;
    if (upper === 0) return lower;
    const large = Math.abs(upper) >= INEXACT ? this.#large?.get(place) : undefined;
    return large ?? (BigInt(upper) << HALF) + lower;
  }

  #keepLarge(place: number, amount: Fixed): void {
    this.#large ??= new Map<number, Fixed>();
    this.#large.set(place, amount);
  }
}
