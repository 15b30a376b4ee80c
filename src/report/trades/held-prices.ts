import type { EpochMs, Fixed, InstrumentId } from '../../domain/index.js';

/** Lowest and highest of some prices. */
export interface PriceRange {
  readonly low: Fixed;
  readonly high: Fixed;
}

/** Stored candles of the run's instruments, as the list of trades asks for them: of each instrument those that drive its path. */
export interface HeldPrices {
  /** Close of the last candle that the engine knew at a time; undefined before the first. */
  closeBy(instrumentId: InstrumentId, time: EpochMs): Fixed | undefined;
  /** Open of the first candle that opens at a time or later; undefined behind the last. */
  openFrom(instrumentId: InstrumentId, time: EpochMs): Fixed | undefined;
  /**
   * Prices that were certainly passed between two times: low and high of each candle that lies wholly between them; of one that begins before them its close, of one
   * that ends after them its open, where these lie between. Undefined where there is none.
   */
  between(instrumentId: InstrumentId, from: EpochMs, to: EpochMs): PriceRange | undefined;
}
