import type { EpochMs, Fixed } from '../../../domain/index.js';

/** State that passes from one order of a worked intent to the next. */
export interface WorkState {
  /** Last price when the intent was judged. */
  readonly arrivalPrice: Fixed;
  /** When the unfilled rest is withdrawn; undefined without an expiry. */
  readonly expiry: EpochMs | undefined;
  /** When what is left of an order with `limitFor` is sent without a limit price. */
  readonly limitUntil?: EpochMs | undefined;
}

/** When the next part is sent, of a quantity that is sent in parts. */
export interface SliceSchedule {
  /** When the first part was sent. */
  readonly since: EpochMs;
  readonly due: EpochMs;
  readonly everyMs: number;
  /** Last price when the latest part was sent, for an amount in quote that is sent as a quantity. */
  readonly price?: Fixed | undefined;
  /** Parts that are still to be sent. */
  readonly left: number;
}
