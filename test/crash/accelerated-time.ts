import type { Clock, EpochMs } from '../../src/domain/index.js';

/** The machine's clock, running faster: several processes that are given the same beginning agree about it. */
export class AcceleratedTime implements Clock {
  readonly #beganAt: number;
  readonly #start: EpochMs;
  readonly #speed: number;

  constructor(begin: {
    readonly beganAt: number;
    readonly start: EpochMs;
    readonly speed: number;
  }) {
    this.#beganAt = begin.beganAt;
    this.#start = begin.start;
    this.#speed = begin.speed;
  }

  now(): EpochMs {
    return this.#start + Math.floor((Date.now() - this.#beganAt) * this.#speed);
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = setTimeout(action, Math.min(2 ** 31 - 1, delayMs / this.#speed));
    return () => {
      clearTimeout(timer);
    };
  }
}
