import type { Fixed } from '../../domain/index.js';
import type { EngineEvent } from '../events.js';
import type { EngineCheckpoint } from './engine-checkpoint.js';
import type { StateKeeper } from './state-keeper.js';

/** State of a run that several parts of an engine read, and that none of them decides alone. */
export class RunState {
  /** The event being processed. */
  event: EngineEvent | undefined;
  /** Whether intents count. Set at the end of an event: the slice that ends the warm-up belongs to the warm-up as a whole. */
  isWarm = false;
  /** Whether trading has begun: the strategy is warm, and the initial holdings are valued. */
  isOpen = false;
  /** Whether the run is over: intents count no more. */
  isOver = false;
  /** Whether the strategy has yet to learn of the halts and orders that it starts with. */
  isIntroductionDue: boolean;
  /** Kept state of the strategy; undefined if it keeps none, and before it is constructed. */
  kept: StateKeeper | undefined;
  /** Equity when the bot could first trade; undefined before. */
  initialEquity: Fixed | undefined;

  constructor(checkpoint: EngineCheckpoint | undefined) {
    this.isIntroductionDue = checkpoint !== undefined;
    this.initialEquity = checkpoint?.initialEquity;
  }
}
