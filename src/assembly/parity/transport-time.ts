import type { Clock, EpochMs } from '../../domain/index.js';

interface Timer {
  readonly due: EpochMs;
  readonly action: () => void;
}

/**
 * Transport time of a parity run, used for limits, timeouts and signature windows. It stands while calls are on their way and jumps to the next timer when
 * everything waits for one. So limits are kept but cost no time.
 */
export class TransportTime implements Clock {
  #now: EpochMs;
  readonly #timers = new Set<Timer>();
  /** Number of calls that are on their way. */
  #traffic = 0;

  constructor(start: EpochMs) {
    this.#now = start;
  }

  now(): EpochMs {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer: Timer = { due: this.#now + Math.max(0, delayMs), action };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Called when a call is sent (1) or has ended (-1). */
  readonly onTraffic = (change: 1 | -1): void => {
    this.#traffic += change;
  };

  get isBusy(): boolean {
    return this.#traffic > 0;
  }

  /** Moves to the next timer and runs it. Returns whether there was one. */
  jump(): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.due < next.due) next = timer;
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.#now = Math.max(this.#now, next.due);
    next.action();
    return true;
  }
}
