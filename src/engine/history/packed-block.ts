import { missing, type Fixed } from '../../domain/index.js';
import { OWN_MEMORY, type BlockMemory } from './record-memory.js';

/** How many numbers of a row an amount takes; every other value takes one. */
export const AMOUNT_WIDTH = 2;

/** An amount from 0 to below this limit fits in 64 bits. */
const SMALL = 1n << 64n;
/** Below this limit, an amount follows from its lower 64 bits and its nearest float: the float is off by less than 2^63. */
const MOST = 2 ** 116;

/**
 * A fixed number of rows of amounts and numbers in one piece of memory outside the heap. A row holds no object that the garbage collector
 * would copy. The place of a value is the place of its row, counted from the first and times the width, plus its offset in the row.
 */
export class PackedBlock {
  /** The row of the whole record with which the block begins. */
  readonly first: number;
  /** By place; 0 where nothing was set. */
  readonly numbers: Float64Array;
  /** The same memory, for the lower 64 bits of an amount. */
  readonly #lower: BigUint64Array;
  /** Amounts of {@link MOST} and more, by place. */
  #large: Map<number, Fixed> | undefined;

  /** `length`: rows × numbers per row. */
  constructor(first: number, length: number, memory: BlockMemory = OWN_MEMORY) {
    this.first = first;
    const numbers = memory.take(length);
    this.numbers = numbers;
    this.#lower = new BigUint64Array(numbers.buffer);
  }

  /** May be called once per place, before anything else was set there. */
  setAmount(place: number, amount: Fixed): void {
    // The array stores the lowest 64 bits of the amount.
    this.#lower[place] = amount;
    if (amount < SMALL && amount >= 0n) return;
    // Storing the upper half would need a shift, which creates a new bigint. The nearest float takes less than half of the time.
    const nearest = Number(amount);
    this.numbers[place + 1] = nearest;
    if (nearest >= MOST || nearest <= -MOST) this.#keepLarge(place, amount);
  }

  amount(place: number): Fixed {
    const lower = this.#lower[place] as bigint;
    const nearest = this.numbers[place + 1] as number;
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
