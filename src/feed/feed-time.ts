import type { Clock } from '../domain/index.js';

/** Time as the feed knows it: the venue's, by our best estimate, and timers that follow it. Virtual in tests and accelerated runs. */
export interface FeedTime extends Clock {
  /** Runs the action once, `delayMs` milliseconds from now, unless the returned function was called before. */
  after(delayMs: number, action: () => void): () => void;
}
