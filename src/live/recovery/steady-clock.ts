import type { Clock, EpochMs } from '../../domain/index.js';

/** A clock that measures waiting times by another one, and does not go back with it: if that one is set back, the time since the last reading is lost. */
export class SteadyClock implements Clock {
  readonly #clock: Clock;
  #last: EpochMs;
  /** How far the other clock was set back so far, in ms. */
  #behindMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = clock.now();
  }

  now(): EpochMs {
    const now = this.#clock.now();
    this.#behindMs += Math.max(0, this.#last - now);
    this.#last = now;
    return now + this.#behindMs;
  }
}
