import type { EpochMs } from '../../domain/index.js';

/** Looks at the state of a run between its instants, and may end it. */
export interface StateWatch {
  /** Whether anything may have changed since {@link settle} was asked last. */
  readonly isStirred: boolean;
  /** Something may change now. */
  stir(): void;
  /** Nothing is on its way, and the candles of `time` are not told yet. Returns whether the run ends here, before its data. */
  settle(time: EpochMs): boolean;
}
