import type { Timers } from '../../client/index.js';
import type { Clock } from '../../domain/index.js';

/** Longest delay a timer of the platform keeps; longer ones would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's clock and timers, for the live client. */
export const systemTime: Clock & Timers = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, LONGEST_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};
