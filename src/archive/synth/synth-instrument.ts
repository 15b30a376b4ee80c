import type { InstrumentId } from '../../domain/index.js';

/** How the candles of one instrument come about. */
export interface SynthInstrument {
  readonly instrumentId: InstrumentId;
  /**
   * Instrument whose market this one shows: with the same price and volatility both have one path, of a contract as its mark price.
   * @defaultValue the instrument itself; of margin the spot symbol of its name
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
