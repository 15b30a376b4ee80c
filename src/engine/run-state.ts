import type { Fixed } from '../domain/index.js';
import type { EngineCheckpoint } from './engine-checkpoint.js';
import type { EngineEvent } from './events.js';
import type { StateKeeper } from './state-keeper.js';

/** Where a run stands: what its parts must know of it and none of them decides alone. */
export class RunState {
  /** The event being processed. */
  event: EngineEvent | undefined;
  /** Whether intents count. Set at the end of an event: the slice that ends the warm-up belongs to it as a whole. */
  isWarm = false;
  /** Whether trading has begun: the strategy is warm, and what the account held then is valued. */
  isOpen = false;
  /** Whether the data is over: nothing is wanted any more. */
  isOver = false;
  /** Whether the strategy is still to be told what it begins with. */
  isIntroductionDue: boolean;
  /** What the strategy keeps; undefined where it keeps nothing, and before it is constructed. */
  kept: StateKeeper | undefined;
  /** What the account was worth when the bot could first trade; undefined before. */
  initialEquity: Fixed | undefined;

  constructor(checkpoint: EngineCheckpoint | undefined) {
    this.isIntroductionDue = checkpoint !== undefined;
    this.initialEquity = checkpoint?.initialEquity;
  }
}
