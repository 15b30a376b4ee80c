import { MINUTE_MS, type EpochMs } from '../../domain/index.js';

/**
 * Longest rest, whatever Retry-After says: a gateway that means milliseconds would else keep an exit waiting for hours. One call
 * asks then, which costs a venue that meant it one call a minute.
 */
export const LONGEST_REST_MS = MINUTE_MS;

/**
 * How long a budget rests after the venue refused a call: one window, doubled with each further refusal, or the venue's Retry-After
 * where that is longer, and never longer than {@link LONGEST_REST_MS}. Calls that were already on their way when the rest began neither
 * lengthen the doubling nor end it.
 *
 * After the rest one call asks whether it is over. The others follow when it was served, or when no answer has come for as long as
 * answers take.
 */
export class Backoff {
  readonly #windowMs: number;
  readonly #answerMs: number;
  #strikes = 0;
  #restBegan: EpochMs = Number.NEGATIVE_INFINITY;
  #restEnds: EpochMs = Number.NEGATIVE_INFINITY;
  #probeEnds: EpochMs = Number.NEGATIVE_INFINITY;

  /** `answerMs`: how long the call that asks is waited for. */
  constructor(windowMs: number, answerMs: number) {
    this.#windowMs = windowMs;
    this.#answerMs = answerMs;
  }

  /** No call before this instant. */
  get restEnds(): EpochMs {
    return Math.max(this.#restEnds, this.#probeEnds);
  }

  /** A call goes. */
  admitted(at: EpochMs): void {
    if (this.#strikes > 0) this.#probeEnds = at + this.#answerMs;
  }

  refused(now: EpochMs, sentAt: EpochMs, retryAfterMs: number): void {
    if (sentAt >= this.#restBegan) {
      this.#strikes += 1;
      this.#restBegan = now;
    }
    const windows = 2 ** Math.max(0, this.#strikes - 1);
    const restMs = Math.min(Math.max(windows * this.#windowMs, retryAfterMs), LONGEST_REST_MS);
    this.#restEnds = Math.max(this.#restEnds, now + restMs);
  }

  accepted(sentAt: EpochMs): void {
    if (sentAt < this.#restEnds) return;
    this.#strikes = 0;
    this.#probeEnds = Number.NEGATIVE_INFINITY;
  }

  shift(byMs: number): void {
    this.#restBegan += byMs;
    this.#restEnds += byMs;
    this.#probeEnds += byMs;
  }
}
