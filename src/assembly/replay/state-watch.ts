import type { EpochMs } from '../../domain/index.js';

/** Looks at the state of a run between its instants, and may end it. */
export interface StateWatch {
  /** Whether anything may have changed since the last call of {@link settle}. */
  readonly isStirred: boolean;
  /** Notes that something may change now. */
  stir(): void;
  /** Called when no command or update is on its way, before the candles of `time` are delivered. Returns whether the run ends here, before its data. */
  settle(time: EpochMs): boolean;
}
