import type { EpochMs, Fixed } from '../../domain/index.js';
import type { CandleEquity } from '../../report/index.js';

const FIRST_CAPACITY = 4_096;

/** Keeps the exact equity at every close, some 40 bytes each, for a run with a detailed curve. */
export class CloseLog {
  #times = new Float64Array(FIRST_CAPACITY);
  readonly #values: Fixed[] = [];

  add(time: EpochMs, equity: Fixed): void {
    const count = this.#values.length;
    if (count === this.#times.length) {
      const larger = new Float64Array(count * 2);
      larger.set(this.#times);
      this.#times = larger;
    }
    this.#times[count] = time;
    this.#values.push(equity);
  }

  get closes(): CandleEquity {
    return { time: this.#times.subarray(0, this.#values.length), value: this.#values };
  }
}
