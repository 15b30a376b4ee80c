import { HOUR_MS, MINUTE_MS, type EpochMs } from '../../domain/index.js';

/** Assumed length if the venue does not say how long a ban lasts: that of the first ban, doubled with each further one, up to the longest. */
const FIRST_BAN_MS = 5 * MINUTE_MS;
const LONGEST_BAN_MS = HOUR_MS;

/**
 * A ban of the venue (418): nothing is sent until it is over, because calls prolong it. Then one call at a time tests the venue, until the
 * venue serves one.
 */
export class Ban {
  readonly since: EpochMs;
  readonly #answerMs: number;
  #until: EpochMs = Number.NEGATIVE_INFINITY;
  #probeEnds: EpochMs = Number.NEGATIVE_INFINITY;
  #guessMs = FIRST_BAN_MS;

  /** `answerMs`: how long other calls wait for the answer to the test call. */
  constructor(since: EpochMs, answerMs: number) {
    this.since = since;
    this.#answerMs = answerMs;
  }

  /** No call before this instant. */
  get until(): EpochMs {
    return Math.max(this.#until, this.#probeEnds);
  }

  /** The venue reports the ban; `forMs` if it says how long. Refusals of calls that were sent before do not prolong an assumed length. */
  extend(now: EpochMs, forMs: number | undefined): void {
    if (forMs !== undefined) this.#until = Math.max(this.#until, now + forMs);
    else if (now >= this.#until) {
      this.#until = now + this.#guessMs;
      this.#guessMs = Math.min(2 * this.#guessMs, LONGEST_BAN_MS);
    }
  }

  /** Notes that a call is sent at `at`: others wait for its answer. */
  admitted(at: EpochMs): void {
    this.#probeEnds = at + this.#answerMs;
  }

  /** Whether a served call that was sent at `sentAt` shows that the ban is over. */
  isEndedBy(sentAt: EpochMs): boolean {
    return sentAt >= this.#until;
  }

  shift(byMs: number): void {
    this.#until += byMs;
    this.#probeEnds += byMs;
  }
}
