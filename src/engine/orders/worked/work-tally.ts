import type { EpochMs, Fixed, PositionAction, QuantityUnit, Work } from '../../../domain/index.js';

/** Result of one worked intent on one side so far. No decision depends on it. */
export interface WorkTally {
  readonly intentId: number;
  readonly label?: string | undefined;
  readonly work: Work;
  /** Last price when risk was asked for the first order. */
  readonly arrivalPrice: Fixed;
  readonly since: EpochMs;
  readonly action: PositionAction;
  /** Total quantity of the intent; 0 until the first order is sent, unless it is sent in parts. */
  quantity: Fixed;
  unit: QuantityUnit;
  filledQuantity: Fixed;
  /** See {@link worthOfFill}. */
  worth: Fixed;
  /** Orders that were sent. */
  sent: number;
  /** When the latest order ended; undefined before the first end. */
  endedTime?: EpochMs | undefined;
}

/** A tally that is still counting. */
export interface LiveTally extends WorkTally {
  /** Orders that may still fill. */
  working: number;
}

/** Tallies of one side, by intent id. */
export type TalliesOfSide = Map<number, LiveTally>;
