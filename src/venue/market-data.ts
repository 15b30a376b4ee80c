import type {
  Asset,
  Candle,
  EpochMs,
  Fixed,
  InstrumentId,
  InstrumentRules,
  Side,
} from '../domain/index.js';

/**
 * A candle as the venue serves it. Only a closed one is final; the newest is still changing.
 *
 * `closed` is true when a newer candle came with it, or when its end had passed on the server's clock at the time of the call.
 */
export interface PolledCandle extends Candle {
  readonly closed: boolean;
  /** The answer held several rows of this time with different values; this is the one with the largest volume, right while the candle is open. @defaultValue false */
  readonly isDisputed?: boolean;
}

/** Resting quantity at one price: quote per base, and base or contracts. */
export interface DepthLevel {
  readonly price: Fixed;
  readonly quantity: Fixed;
}

/** The order book at one moment, best price first on both sides: bids fall, asks rise. */
export interface DepthSnapshot {
  readonly instrumentId: InstrumentId;
  /** Undefined if the venue sends no time (futures answer null). */
  readonly time: EpochMs | undefined;
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

/** Figures of the last 24 hours. Prices in quote, volume in base (spot) or contracts (futures). */
export interface Ticker {
  readonly instrumentId: InstrumentId;
  readonly time: EpochMs;
  readonly last: Fixed;
  readonly high: Fixed;
  readonly low: Fixed;
  readonly volume: Fixed;
  /** Price 24 hours ago. Spot only, and often missing there. */
  readonly open: Fixed | undefined;
  readonly bestBid: Fixed | undefined;
  readonly bestAsk: Fixed | undefined;
  /** Signed change as a ratio: 0.05 is +5 %. Read from `open` and `last`, never from the venue's text, whose unit differs by venue. */
  readonly change: Fixed | undefined;
}

/** A public print: a trade between any two traders. */
export interface PublicTrade {
  readonly instrumentId: InstrumentId;
  readonly time: EpochMs;
  readonly price: Fixed;
  readonly quantity: Fixed;
  /** Who crossed the spread. */
  readonly takerSide: Side;
}

/** Index, mark and funding of one contract. Rates are ratios per funding period: 0.0001 is 0.01 %. */
export interface ContractIndex {
  readonly instrumentId: InstrumentId;
  readonly markPrice: Fixed;
  readonly indexPrice: Fixed;
  /** Rate that is settled at the end of the running period. */
  readonly fundingRate: Fixed | undefined;
  /** Running estimate for the period after it. */
  readonly nextFundingRate: Fixed | undefined;
  readonly time: EpochMs | undefined;
}

interface ListingCommon {
  readonly instrumentId: InstrumentId;
  readonly symbol: string;
  readonly base: Asset;
  readonly quote: Asset;
  readonly rules: InstrumentRules;
}

/** A pair the venue lists. It serves spot and margin trading alike; the id is that of spot. */
export interface SpotListing extends ListingCommon {
  readonly kind: 'spot';
}

/** A contract the venue lists. */
export interface FuturesListing extends ListingCommon {
  readonly kind: 'futures';
  /** Linear: face value in base, margin in quote. Inverse: face value in quote, margin in base. */
  readonly contract: 'linear' | 'inverse';
  /** `E` perpetual, `S` simulated, anything else mixed. */
  readonly contractType: string;
  /** Face value of one contract, in `multiplierAsset`. */
  readonly multiplier: Fixed;
  readonly multiplierAsset: Asset;
  readonly marginAsset: Asset;
  /** Largest money of a LIMIT order, in quote, where the venue states one. */
  readonly maxLimitMoney: Fixed | undefined;
  /** The venue's number of the contract, where it states one. */
  readonly contractId: string | undefined;
}

export type Listing = SpotListing | FuturesListing;

/** A record of the venue that names no instrument we can trade, and why. */
export interface SkippedListing {
  readonly symbol: string;
  readonly reason: string;
}

/** Everything the venue lists for one product: what can be used, and what was left out. */
export interface Listings<T extends Listing = Listing> {
  readonly listings: readonly T[];
  readonly skipped: readonly SkippedListing[];
}
