import type { Decimal } from '../amounts/decimal.js';
import { decimalFromFixed, type Fixed } from '../amounts/fixed.js';
import { priceFromFixed, type Price } from '../amounts/price.js';
import type { Asset, InstrumentId } from '../instruments/instrument.js';
import type { ForcedCause } from '../orders/fill.js';
import type { Direction } from '../orders/intent.js';
import type { EpochMs } from '../time.js';

/** Funding on one side of one contract, exact. */
export interface FundingRecord {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly asset: Asset;
  /** Negative when paid. */
  readonly amount: Fixed;
  /** Ratio for the period: 0.0001 is 0.01 %; longs pay when positive. */
  readonly rate: Fixed;
  readonly markPrice: Fixed;
  readonly eventTime: EpochMs;
}

/** Funding as a strategy sees it. Decimals are made when they are read. */
export class FundingPayment {
  readonly record: FundingRecord;

  constructor(record: FundingRecord) {
    this.record = record;
  }

  get instrumentId(): InstrumentId {
    return this.record.instrumentId;
  }

  get direction(): Direction {
    return this.record.direction;
  }

  get asset(): Asset {
    return this.record.asset;
  }

  /** Negative when paid. */
  get amount(): Decimal {
    return decimalFromFixed(this.record.amount);
  }

  /** Ratio for the period: 0.0001 is 0.01 %; longs pay when positive. */
  get rate(): Decimal {
    return decimalFromFixed(this.record.rate);
  }

  get markPrice(): Price {
    return priceFromFixed(this.record.markPrice);
  }

  get eventTime(): EpochMs {
    return this.record.eventTime;
  }
}

/** What the venue did with the account besides orders and funding, as a strategy sees it. */
export type AccountEvent =
  /** Interest on the debt of a margin account, ≥ 0. */
  | {
      readonly kind: 'interest';
      readonly asset: Asset;
      readonly amount: Decimal;
      /** Whether the amount was computed at the configured rate, because the venue does not show interest: true live. */
      readonly isEstimated: boolean;
      readonly eventTime: EpochMs;
    }
  /** Assets ÷ debt of the margin account fell to the level at which the venue warns. */
  | { readonly kind: 'margin-warning'; readonly level: Decimal; readonly eventTime: EpochMs }
  /** The venue traded for us; the fill is reported separately. */
  | {
      readonly kind: 'forced';
      readonly cause: ForcedCause;
      readonly instrumentId: InstrumentId;
      readonly direction: Direction;
      /** The part of a loss beyond the margin that the venue paid, ≥ 0. */
      readonly insurance: Decimal;
      readonly eventTime: EpochMs;
    };

/** A contract's mark price, float64, quote per base. */
export interface MarkPrice {
  readonly instrumentId: InstrumentId;
  readonly time: EpochMs;
  readonly price: number;
}
