import type { StateShape } from '../strategy/index.js';

/** What a strategy keeps, as it is carried over. */
export interface StateCheckpoint extends StateShape {
  /** As `writeState` wrote it. */
  readonly json: string;
}
