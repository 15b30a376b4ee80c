import type { CandleEquity, LevelCloses } from '../report/index.js';

const FIRST_CAPACITY = 4_096;

/** Keeps the equity at every close, 16 bytes each, for a run whose detailed curve is wanted. */
export class CloseLog {
  #times = new Float64Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  /** Takes the first `count` closes. */
  add({ time, value }: CandleEquity, count: number): void {
    const end = this.#makeRoom(count);
    this.#times.set(time.subarray(0, count), this.#count);
    this.#values.set(value.subarray(0, count), this.#count);
    this.#count = end;
  }

  /** Takes closes of one equity. */
  addLevel(equity: number, { count, last, stepMs }: LevelCloses): void {
    const end = this.#makeRoom(count);
    for (let index = this.#count; index < end; index += 1)
      this.#times[index] = last - (end - 1 - index) * stepMs;
    this.#values.fill(equity, this.#count, end);
    this.#count = end;
  }

  /** Returns where the closes will end. */
  #makeRoom(count: number): number {
    const end = this.#count + count;
    while (end > this.#times.length) {
      this.#times = twice(this.#times);
      this.#values = twice(this.#values);
    }
    return end;
  }

  get closes(): CandleEquity {
    return {
      time: this.#times.subarray(0, this.#count),
      value: this.#values.subarray(0, this.#count),
    };
  }
}

function twice(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}
