import { CandleRows, type CandleColumns, type EpochMs } from '../domain/index.js';

/** Rows that are kept at most. Who looks back looks at the last few. */
const CAPACITY = 1_024;
const KEPT = 4;

/** A price as it was polled. */
export interface PolledPrice {
  readonly time: EpochMs;
  readonly price: number;
  /** Volume that the share of orders is taken from, in the unit of the venue's candles. */
  readonly volume: number;
}

/** Prices as they were polled, as rows that a market replays while they are added. The oldest are forgotten. */
export class PolledSeries {
  readonly #columns = new PolledColumns();
  readonly rows = CandleRows.of(this.#columns);
  /** A price is a candle of no length. */
  readonly isPolled = true;

  /** Adds a row, whose time must not be before that of the last. Returns how many of the oldest were forgotten. */
  push(price: PolledPrice): number {
    return this.#columns.push(price);
  }
}

class PolledColumns implements CandleColumns {
  readonly #times = new Float64Array(CAPACITY);
  readonly #prices = new Float64Array(CAPACITY);
  readonly #volumes = new Float64Array(CAPACITY);
  #length = 0;

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
