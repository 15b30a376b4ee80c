import type { EpochMs, Fixed, PositionAction, QuantityUnit, Work } from '../../domain/index.js';

/** What has become of one worked intent on one side, so far. Nothing is decided by it. */
export interface WorkTally {
  readonly intentId: number;
  readonly label?: string | undefined;
  readonly work: Work;
  /** Last when risk was asked for the first of its orders. */
  readonly arrivalPrice: Fixed;
  readonly since: EpochMs;
  readonly action: PositionAction;
  /** What was wanted; of what is not sent in parts, once the first order is sent. */
  quantity: Fixed;
  unit: QuantityUnit;
  filledQuantity: Fixed;
  /** See {@link worthOfFill}. */
  worth: Fixed;
  /** Orders that were sent. */
  sent: number;
  /** When the last of those that have ended did. */
  endedTime?: EpochMs | undefined;
}

/** A tally that is counted on. */
export interface LiveTally extends WorkTally {
  /** Orders that may still fill. */
  working: number;
}

/** Tallies of one side, by the number of the intent. */
export type TalliesOfSide = Map<number, LiveTally>;
