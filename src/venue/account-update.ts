import type {
  Asset,
  Direction,
  EpochMs,
  FillRecord,
  Fixed,
  ForcedCause,
  InstrumentId,
} from '../domain/index.js';

/**
 * What a venue did with our account that no order of ours asked for. Reported as {@link OrderUpdate} is: once, in the order in which it
 * happened.
 */
export type AccountUpdate =
  | {
      /** A trade the venue made for us; its `clientOrderId` is the venue's own and names no order of ours. */
      readonly kind: 'forced-fill';
      readonly cause: ForcedCause;
      readonly fill: FillRecord;
      /** What the venue paid of a loss beyond the margin, ≥ 0, in the margin asset. */
      readonly insurance: Fixed;
      readonly eventTime: EpochMs;
    }
  | {
      /** Funding on one side of one contract. */
      readonly kind: 'funding';
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
  | {
      /** Interest on what a margin account owes; it adds to the debt. */
      readonly kind: 'interest';
      readonly asset: Asset;
      /** Paid, ≥ 0. */
      readonly amount: Fixed;
      readonly eventTime: EpochMs;
      /** Whether it is the first of what was borrowed at `eventTime`, or that of the hour that has ended then. */
      readonly of: 'loan' | 'hour';
      /** That it is our own reckoning at the configured rate, because the venue shows no interest. @defaultValue the venue said so */
      readonly isEstimated?: true;
    }
  | {
      /** The margin level, assets ÷ debt, fell to where the venue warns (DESIGN R13). */
      readonly kind: 'margin-warning';
      readonly level: Fixed;
      readonly eventTime: EpochMs;
    };
