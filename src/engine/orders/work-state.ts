import type { EpochMs, Fixed } from '../../domain/index.js';

/** What goes from one order of a worked intent to the next. */
export interface WorkState {
  /** Last when the intent was judged. */
  readonly arrivalPrice: Fixed;
  /** When what is not filled is withdrawn; undefined where it is good for ever. */
  readonly expiry: EpochMs | undefined;
}

/** When the next part of a quantity is sent that is sent in parts. */
export interface SliceSchedule {
  /** When the first was. */
  readonly since: EpochMs;
  readonly due: EpochMs;
  readonly everyMs: number;
  /** Last when the latest was sent: what an amount was worth that goes out as a quantity. */
  readonly price?: Fixed | undefined;
  /** Parts that are still to be sent. */
  readonly left: number;
}
