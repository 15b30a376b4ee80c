/** Supplies the memory for the blocks of a run's records. */
export interface BlockMemory {
  /** Returns `length` numbers, all 0. */
  take(length: number): Float64Array<ArrayBuffer>;
}

/** Fresh memory for one run; it is freed with the run's records. */
export const OWN_MEMORY: BlockMemory = { take: (length) => new Float64Array(length) };

/**
 * Memory for the records of runs that follow one another in a thread. Fresh memory for each run, some 300 bytes per order, would cause a full
 * garbage collection every 100 to 200 runs.
 */
export class RecordMemory {
  readonly #mostBytes: number;
  readonly #free = new Map<number, Float64Array<ArrayBuffer>[]>();
  #freeBytes = 0;

  /** `mostBytes`: upper limit of the memory that waits for the next run. Memory beyond the limit is released. */
  constructor({ mostBytes }: { readonly mostBytes: number }) {
    this.#mostBytes = mostBytes;
  }

  /** Begins a run. */
  lend(): LentMemory {
    return new LentMemory(this);
  }

  take(length: number): Float64Array<ArrayBuffer> {
    const numbers = this.#free.get(length)?.pop();
    if (numbers === undefined) return new Float64Array(length);
    this.#freeBytes -= numbers.byteLength;
    return numbers.fill(0);
  }

  keep(numbers: Float64Array<ArrayBuffer>): void {
    const { length, byteLength } = numbers;
    if (this.#freeBytes + byteLength > this.#mostBytes) return;
    this.#freeBytes += byteLength;
    const alike = this.#free.get(length);
    if (alike === undefined) this.#free.set(length, [numbers]);
    else alike.push(numbers);
  }
}

/** The memory that one run has taken. */
class LentMemory implements BlockMemory {
  readonly #memory: RecordMemory;
  readonly #taken: Float64Array<ArrayBuffer>[] = [];

  constructor(memory: RecordMemory) {
    this.#memory = memory;
  }

  take(length: number): Float64Array<ArrayBuffer> {
    const numbers = this.#memory.take(length);
    this.#taken.push(numbers);
    return numbers;
  }

  /** Ends the run. Other runs may now overwrite its records, so do not read them any more. */
  giveBack(): void {
    for (const numbers of this.#taken.splice(0)) this.#memory.keep(numbers);
  }
}
