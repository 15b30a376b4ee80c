import type { EpochMs } from '../../domain/index.js';

/** Most windows that doubling alone may wait; a longer Retry-After is honored in full. */
const MAX_WINDOWS = 64;

/**
 * How long a budget rests after the venue refused a call: one window, doubled with each further refusal, or the venue's Retry-After
 * where that is longer. Calls that were already on their way when the rest began neither lengthen the doubling nor end it.
 */
export class Backoff {
  readonly #windowMs: number;
  #strikes = 0;
  #restBegan: EpochMs = Number.NEGATIVE_INFINITY;
  #restEnds: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** No call before this instant. */
  get restEnds(): EpochMs {
    return this.#restEnds;
  }

  refused(now: EpochMs, sentAt: EpochMs, retryAfterMs: number): void {
    if (sentAt >= this.#restBegan) {
      this.#strikes += 1;
      this.#restBegan = now;
    }
    const windows = Math.min(2 ** Math.max(0, this.#strikes - 1), MAX_WINDOWS);
    const ends = now + Math.max(windows * this.#windowMs, retryAfterMs);
    this.#restEnds = Math.max(this.#restEnds, ends);
  }

  accepted(sentAt: EpochMs): void {
    if (sentAt >= this.#restEnds) this.#strikes = 0;
  }

  shift(byMs: number): void {
    this.#restBegan += byMs;
    this.#restEnds += byMs;
  }
}
