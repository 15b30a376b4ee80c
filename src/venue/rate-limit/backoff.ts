import { MINUTE_MS, type EpochMs } from '../../domain/index.js';

/**
 * Longest rest, even if Retry-After is longer: a gateway that counts in milliseconds could otherwise delay an exit for hours. After the
 * rest, one call tests the venue. If the long value was correct, this costs the venue one call a minute.
 */
export const LONGEST_REST_MS = MINUTE_MS;

/**
 * How long a budget rests after the venue refused a call: one window, doubled with each further refusal, or the venue's Retry-After
 * if that is longer, and never longer than {@link LONGEST_REST_MS}. Calls that were sent before the rest began neither double it nor
 * end it.
 *
 * After the rest, one call tests whether the venue serves again. The others follow when the venue has served it, or when no answer has
 * come within `answerMs`.
 */
export class Backoff {
  readonly #windowMs: number;
  readonly #answerMs: number;
  #strikes = 0;
  #restBegan: EpochMs = Number.NEGATIVE_INFINITY;
  #restEnds: EpochMs = Number.NEGATIVE_INFINITY;
  #probeEnds: EpochMs = Number.NEGATIVE_INFINITY;

  /** `answerMs`: how long other calls wait for the answer to the test call. */
  constructor(windowMs: number, answerMs: number) {
    this.#windowMs = windowMs;
    this.#answerMs = answerMs;
  }

  /** No call before this instant. */
  get restEnds(): EpochMs {
    return Math.max(this.#restEnds, this.#probeEnds);
  }

  /** Notes that a call is sent at `at`. */
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
