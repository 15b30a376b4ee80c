import {
  closeTimeOf,
  floorToInterval,
  type Candle,
  type EpochMs,
  type InstrumentId,
} from '../../../domain/index.js';

/** Interval of recorded marks: the finest there is. */
export const MARK_INTERVAL = '1min';

/** Makes candles from single marks: open is the first mark that was read in a minute, close the last. Pure except for the candle of the running minute. */
export class MarkCandles {
  readonly #instrumentId: InstrumentId;
  #open: Candle | undefined;

  constructor(instrumentId: InstrumentId) {
    this.#instrumentId = instrumentId;
  }

  /** Takes a mark that was read at `time`. @returns the candle of the minute before, if this mark begins a new minute. */
  take(time: EpochMs, price: number): Candle | undefined {
    const openTime = floorToInterval(time, MARK_INTERVAL);
    const open = this.#open;
    // The venue's clock is an estimate, and may go back by some milliseconds.
    if (open !== undefined && openTime <= open.openTime) {
      const [high, low] = [Math.max(open.high, price), Math.min(open.low, price)];
      this.#open = { ...open, high, low, close: price };
      return undefined;
    }
    const closeTime = closeTimeOf(openTime, MARK_INTERVAL);
    const prices = { open: price, high: price, low: price, close: price };
    this.#open = {
      ...{ instrumentId: this.#instrumentId, interval: MARK_INTERVAL, openTime, closeTime },
      ...prices,
      volume: 0,
    };
    return open;
  }
}
