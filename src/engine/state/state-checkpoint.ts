import type { StateShape } from '../../strategy/index.js';

/** Kept state of a strategy, as it is carried over. */
export interface StateCheckpoint extends StateShape {
  /** As `writeState` wrote it. */
  readonly json: string;
}
