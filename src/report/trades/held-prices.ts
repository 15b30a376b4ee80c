import type { EpochMs, Fixed, InstrumentId } from '../../domain/index.js';

/** Lowest and highest of some prices. */
export interface PriceRange {
  readonly low: Fixed;
  readonly high: Fixed;
}

/** Stored candles of one instrument that drive its path, as the list of trades reads them. */
export interface HeldPrices {
  /** Close of the last candle that the engine knew at `time`; undefined before the first candle. */
  closeBy(time: EpochMs): Fixed | undefined;
  /** Open of the first candle that opens at `time` or later; undefined after the last candle. */
  openFrom(time: EpochMs): Fixed | undefined;
  /**
   * Range of the prices that were certainly traded between two times. A candle wholly inside gives its low and high. A candle that begins before `from` gives
   * its close, and a candle that ends after `to` gives its open, if that time lies between the two. Undefined without such a price.
   */
  between(from: EpochMs, to: EpochMs): PriceRange | undefined;
}

/** Prices of each instrument of a run. */
export type RunPrices = ReadonlyMap<InstrumentId, HeldPrices>;
