import type { EpochMs } from '../domain/index.js';
import type { CandleEquity, LinearEquity, RegularCloses } from '../report/index.js';

const FIRST_CAPACITY = 4_096;

/** Keeps the equity at every close, 16 bytes each, for a run whose detailed curve is wanted. */
export class CloseLog {
  #times = new Float64Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  add(time: EpochMs, equity: number): void {
    if (this.#count === this.#times.length) {
      this.#times = twice(this.#times);
      this.#values = twice(this.#values);
    }
    this.#times[this.#count] = time;
    this.#values[this.#count] = equity;
    this.#count += 1;
  }

  addPriced(
    { unpriced, quantity }: LinearEquity,
    { closes, firstClose, count, time, stepMs }: RegularCloses,
  ): void {
    for (let index = 0; index < count; index += 1)
      this.add(time + index * stepMs, unpriced + quantity * (closes[firstClose + index] as number));
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
