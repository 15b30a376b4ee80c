import { CandleRows, type CandleColumns, type EpochMs } from '../domain/index.js';

/** The most rows that are kept, and how many stay when the oldest are dropped. Readers look only at the last few. */
const CAPACITY = 1_024;
const KEPT = 4;

/** A polled price. */
interface PolledPrice {
  readonly time: EpochMs;
  readonly price: number;
  /** Volume of which orders may take a share, in the unit of the venue's candles. */
  readonly volume: number;
}

/** Polled prices as rows, which a market replays while new ones are added. The oldest rows are dropped. */
export class PolledSeries implements CandleColumns {
  readonly #times = new Float64Array(CAPACITY);
  readonly #prices = new Float64Array(CAPACITY);
  readonly #volumes = new Float64Array(CAPACITY);
  #length = 0;
  readonly rows = CandleRows.of(this);

  get openTime(): Float64Array {
    return this.#times.subarray(0, this.#length);
  }

  get open(): Float64Array {
    return this.#prices.subarray(0, this.#length);
  }

  get high(): Float64Array {
    return this.open;
  }

  get low(): Float64Array {
    return this.open;
  }

  get close(): Float64Array {
    return this.open;
  }

  get volume(): Float64Array {
    return this.#volumes.subarray(0, this.#length);
  }

  /** Adds a row, whose time must not be before that of the last. Returns how many of the oldest rows were dropped. */
  push({ time, price, volume }: PolledPrice): number {
    const forgotten = this.#length === CAPACITY ? CAPACITY - KEPT : 0;
    if (forgotten > 0) {
      for (const column of [this.#times, this.#prices, this.#volumes])
        column.copyWithin(0, forgotten);
      this.#length = KEPT;
    }
    this.#times[this.#length] = time;
    this.#prices[this.#length] = price;
    this.#volumes[this.#length] = volume;
    this.#length += 1;
    return forgotten;
  }
}
