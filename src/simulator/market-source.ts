import type { EpochMs, Instrument } from '../domain/index.js';
import type { ContractFunding } from './futures/funding-schedule.js';
import type { StoredSeries } from './path/candle-lookup.js';

/** The stored candles that drive one instrument, in its finest interval. */
export interface MarketSource extends StoredSeries {
  readonly instrument: Instrument;
  /** Unit of the stored volume (declared at import). */
  readonly volumeUnit: 'base' | 'quote' | 'contracts';
  /** Decimals of prices; a hint that makes conversions fast. */
  readonly pricePrecision: number;
  /** Finer candles of the same instrument. The path uses them if they fill a candle (DESIGN R3, `finer`). */
  readonly finer?: StoredSeries | undefined;
  /** Mark prices of a contract. Candles up to 1h can liquidate; coarser ones only settle funding (DESIGN R12). @defaultValue the last price */
  readonly mark?: StoredSeries | undefined;
  /** Funding of a contract (DESIGN R11). @defaultValue no funding */
  readonly funding?: ContractFunding | undefined;
  /** Only candles that open and close within it are traded. @defaultValue all candles */
  readonly span?: TradedSpan | undefined;
}

interface TradedSpan {
  /** Undefined means from the first candle on. */
  readonly from: EpochMs | undefined;
  readonly end: EpochMs;
}
