import type { Clock } from '../domain/index.js';

/** Longest delay a timer of the platform keeps; longer ones would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A clock, and timers that go with it: `after` runs an action once, unless the function that it returns was called before. */
export interface TimersAndClock extends Clock {
  after(delayMs: number, action: () => void): () => void;
}

/** The machine's clock and timers. Only `cli` and `run` may pass them on. */
export const systemTime: TimersAndClock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, LONGEST_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};
