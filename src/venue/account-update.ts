import type {
  Asset,
  EpochMs,
  FillRecord,
  Fixed,
  ForcedCause,
  FundingRecord,
} from '../domain/index.js';

/**
 * A change of our account that the venue made and no order of ours asked for. Reported as {@link OrderUpdate} is: once, in the order in which it
 * happened.
 */
export type AccountUpdate =
  | {
      /** A trade the venue made for us; its `clientOrderId` is the venue's own and names no order of ours. */
      readonly kind: 'forced-fill';
      readonly cause: ForcedCause;
      readonly fill: FillRecord;
      /** Part of a loss beyond the margin that the venue paid, ≥ 0, in the margin asset. */
      readonly insurance: Fixed;
      readonly eventTime: EpochMs;
    }
  | ({ readonly kind: 'funding' } & FundingRecord)
  | {
      /** Interest on what a margin account owes; it adds to the debt. */
      readonly kind: 'interest';
      readonly asset: Asset;
      /** Paid, ≥ 0. */
      readonly amount: Fixed;
      readonly eventTime: EpochMs;
      /** `loan`: the first interest of a loan taken at `eventTime`. `hour`: the interest of the hour that ended at `eventTime`. */
      readonly of: 'loan' | 'hour';
      /** Set if we computed the interest at the configured rate, because the venue shows none. @defaultValue the venue reported the interest */
      readonly isEstimated?: true;
    }
  | {
      /** The margin level, assets ÷ debt, fell to the venue's warning level (DESIGN R13). */
      readonly kind: 'margin-warning';
      readonly level: Fixed;
      readonly eventTime: EpochMs;
    };
