import type { Fixed } from '../../domain/index.js';

/** Numbers that an amount takes of a row; everything else takes one. */
export const AMOUNT_WIDTH = 2;

const HALF = 64n;
/** Amounts from 0 to below this need no upper bits: a quantity or a fee of up to 18, say. */
const SMALL_END = 1n << HALF;
/** Amounts below this, and not below its negative, have 128 bits or fewer. */
const LARGE = 1n << 127n;

/**
 * So many rows of amounts and numbers, side by side in one piece of memory outside the heap: a row is written to a place or two, and nothing of
 * it is an object that would be copied while garbage is collected. A column is known by where it begins in its row.
 */
export class PackedBlock {
  readonly #width: number;
  readonly #numbers: Float64Array;
  /** The same memory, for the lower 64 bits of an amount. */
  readonly #lower: BigUint64Array;
  /** The same memory, for the others, which lie behind them. */
  readonly #upper: BigInt64Array;
  /** Amounts of more than 128 bits, by place. */
  #large: Map<number, Fixed> | undefined;

  /** `width`: of a row, in numbers. */
  constructor(rows: number, width: number) {
    this.#width = width;
    this.#numbers = new Float64Array(rows * width);
    this.#lower = new BigUint64Array(this.#numbers.buffer);
    this.#upper = new BigInt64Array(this.#numbers.buffer);
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
    // Takes the lowest 64 bits of what it is given.
    this.#lower[place] = amount;
    // To compare costs a fraction of a shift, whose result is a bigint of its own.
    if (amount >= 0n && amount < SMALL_END) this.#numbers[place + 1] = 0;
    else this.#setUpper(place, amount);
  }

  #setUpper(place: number, amount: Fixed): void {
    this.#upper[place + 1] = amount >> HALF;
    if (amount >= LARGE || amount < -LARGE) this.#keepLarge(place, amount);
  }

  amount(row: number, column: number): Fixed {
    const place = row * this.#width + column;
    const lower = this.#lower[place] as bigint;
    // Read as a number, upper bits that are not there make no bigint; -0 has one.
    if (Object.is(this.#numbers[place + 1], 0) && this.#large === undefined) return lower;
    return this.#large?.get(place) ?? ((this.#upper[place + 1] as bigint) << HALF) + lower;
  }

  #keepLarge(place: number, amount: Fixed): void {
    this.#large ??= new Map<number, Fixed>();
    this.#large.set(place, amount);
  }
}
