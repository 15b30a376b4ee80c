import { missing, type Fixed } from '../../domain/index.js';
import { OWN_MEMORY, type BlockMemory } from './record-memory.js';

/** Numbers that an amount takes of a row; everything else takes one. */
export const AMOUNT_WIDTH = 2;

/** Below it, and not negative, an amount is in its lower 64 bits. */
const SMALL = 1n << 64n;
/** Below it the nearest float is not so far from an amount that its lower 64 bits could not say which it is. */
const MOST = 2 ** 116;

/**
 * So many rows of amounts and numbers, side by side in one piece of memory outside the heap: a row is written to a place or two, and nothing of
 * it is an object that would be copied while garbage is collected. A column is known by where it begins in its row.
 */
export class PackedBlock {
  readonly #width: number;
  readonly #numbers: Float64Array;
  /** The same memory, for the lower 64 bits of an amount. */
  readonly #lower: BigUint64Array;
  /** Amounts of {@link MOST} and more, by place. */
  #large: Map<number, Fixed> | undefined;

  /** `width`: of a row, in numbers. */
  constructor(rows: number, width: number, memory: BlockMemory = OWN_MEMORY) {
    this.#width = width;
    this.#numbers = memory.take(rows * width);
    this.#lower = new BigUint64Array(this.#numbers.buffer);
  }

  setNumber(row: number, column: number, value: number): void {
    this.#numbers[row * this.#width + column] = value;
  }

  /** 0 where none was set. */
  number(row: number, column: number): number {
    return this.#numbers[row * this.#width + column] as number;
  }

  /** Once for each place: nothing else was set there. */
  setAmount(row: number, column: number, amount: Fixed): void {
    const place = row * this.#width + column;
    // It takes the lowest 64 bits of what it is given.
    this.#lower[place] = amount;
    if (amount < SMALL && amount >= 0n) return;
    // The upper half would take a shift, which is a new amount: the nearest float says as much in less than half of the time.
    const nearest = Number(amount);
    this.#numbers[place + 1] = nearest;
    if (nearest >= MOST || nearest <= -MOST) this.#keepLarge(place, amount);
  }

  amount(row: number, column: number): Fixed {
    const place = row * this.#width + column;
    const lower = this.#lower[place] as bigint;
    const nearest = this.#numbers[place + 1] as number;
    if (nearest === 0) return lower;
    if (nearest >= MOST || nearest <= -MOST) return this.#large?.get(place) ?? missing('an amount');
    const amount = BigInt(nearest);
    return amount + BigInt.asIntN(64, lower - amount);
  }

  #keepLarge(place: number, amount: Fixed): void {
    this.#large ??= new Map<number, Fixed>();
    this.#large.set(place, amount);
  }
}
