import type { Clock, EpochMs } from '../domain/index.js';

/** Time of the feed: the best estimate of the venue's time, and timers that follow it. Virtual in tests and accelerated runs. */
export interface FeedTime extends Clock {
  /** A time that has passed by the venue's clock and by this machine's. @defaultValue now */
  readonly passed?: (() => EpochMs) | undefined;
  /** Runs the action once, `delayMs` milliseconds from now, unless the returned function was called before. */
  after(delayMs: number, action: () => void): () => void;
}
