/** Where the blocks of a run's records lie. */
export interface BlockMemory {
  /** Returns so many numbers, all 0. */
  take(length: number): Float64Array<ArrayBuffer>;
}

/** Memory of a run's own: it goes as its records do. */
export const OWN_MEMORY: BlockMemory = { take: (length) => new Float64Array(length) };

/**
 * Memory for the records of runs that follow one another in a thread. New memory for each run, some 300 bytes an order, would have garbage
 * collected in full every hundred runs or two.
 */
export class RecordMemory {
  readonly #mostBytes: number;
  readonly #free = new Map<number, Float64Array<ArrayBuffer>[]>();
  #freeBytes = 0;

  /** `mostBytes`: of what waits for the next run; the memory of very long records is let go. */
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

/** What one run has taken. */
export class LentMemory implements BlockMemory {
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

  /** Ends the run: other runs may write where its records were, so that nobody may read them any more. */
  giveBack(): void {
    for (const numbers of this.#taken.splice(0)) this.#memory.keep(numbers);
  }
}
