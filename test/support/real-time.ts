import type { Clock } from '../../src/domain/index.js';

/** The machine's clock and timers, for tests over real sockets only. */
export const REAL_TIME: Clock & { after(delayMs: number, action: () => void): () => void } = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};
