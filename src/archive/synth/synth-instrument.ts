import type { InstrumentId } from '../../domain/index.js';

/** Parameters of the synthetic candles of one instrument. */
export interface SynthInstrument {
  readonly instrumentId: InstrumentId;
  /**
   * Instrument whose market this one follows. With the same price and volatility both have the same path; for a contract it is the mark price.
   * @defaultValue the instrument itself; for margin the spot instrument with the same symbol
   */
  readonly like?: InstrumentId | undefined;
  /** Price at the origin, in quote per base. */
  readonly startPrice: number;
  /** Deviation of a year's returns; 0.6 is 60 %. */
  readonly volatility: number;
  /** Volume of a mean day, in base or contracts. */
  readonly dailyVolume: number;
  /** Decimals of the price grid: 2 is a tick of 0.01. */
  readonly pricePrecision: number;
  /** Decimals of the volume grid. */
  readonly quantityPrecision: number;
}
