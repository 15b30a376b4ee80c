import type { Fixed } from '../../domain/index.js';
import { OWN_MEMORY, type BlockMemory } from './record-memory.js';

/** Numbers that an amount takes of a row; everything else takes one. */
export const AMOUNT_WIDTH = 2;

const HALF = 64n;
const SMALL = 1n << HALF;

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
  constructor(rows: number, width: number, memory: BlockMemory = OWN_MEMORY) {
    this.#width = width;
    this.#numbers = memory.take(rows * width);
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
    // Either takes the lowest 64 bits of what it is given.
    this.#lower[place] = amount;
    // To compare takes a fifth of a shift, and most quantities are small.
    if (amount < SMALL && amount >= 0n) {
      this.#upper[place + 1] = 0n;
      return;
    }
    const upper = amount >> HALF;
    this.#upper[place + 1] = upper;
    if (this.#upper[place + 1] !== upper) this.#keepLarge(place, amount);
  }

  amount(row: number, column: number): Fixed {
    const place = row * this.#width + column;
    const upper = this.#upper[place + 1] as bigint;
    const lower = this.#lower[place] as bigint;
    // The halves share no bit: to add them takes longer.
    return this.#large?.get(place) ?? (upper === 0n ? lower : (upper << HALF) | lower);
  }

  #keepLarge(place: number, amount: Fixed): void {
    this.#large ??= new Map<number, Fixed>();
    this.#large.set(place, amount);
  }
}
