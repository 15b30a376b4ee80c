import { HOUR_MS, MINUTE_MS, type EpochMs } from '../../domain/index.js';

/** Where the venue does not say how long a ban lasts: the first, doubled with each further one, up to the longest. */
const FIRST_BAN_MS = 5 * MINUTE_MS;
const LONGEST_BAN_MS = HOUR_MS;

/**
 * A ban of the venue (418): nothing is sent until it is over, because calls prolong it. Then one call asks, and nothing goes beside it until
 * it was served.
 */
export class Ban {
  readonly since: EpochMs;
  readonly #answerMs: number;
  #until: EpochMs = Number.NEGATIVE_INFINITY;
  #probeEnds: EpochMs = Number.NEGATIVE_INFINITY;
  #guessMs = FIRST_BAN_MS;

  /** `answerMs`: how long the call that asks is waited for. */
  constructor(since: EpochMs, answerMs: number) {
    this.since = since;
    this.#answerMs = answerMs;
  }

  /** No call before this instant. */
  get until(): EpochMs {
    return Math.max(this.#until, this.#probeEnds);
  }

  /** The venue says that it is banned, for so long where it says that. Calls that were on their way do not prolong what is guessed. */
  extend(now: EpochMs, forMs: number | undefined): void {
    if (forMs !== undefined) this.#until = Math.max(this.#until, now + forMs);
    else if (now >= this.#until) {
      this.#until = now + this.#guessMs;
      this.#guessMs = Math.min(2 * this.#guessMs, LONGEST_BAN_MS);
    }
  }

  /** A call goes: others wait for its answer. */
  admitted(at: EpochMs): void {
    this.#probeEnds = at + this.#answerMs;
  }

  /** Whether a call that was served shows that it is over. */
  isEndedBy(sentAt: EpochMs): boolean {
    return sentAt >= this.#until;
  }

  shift(byMs: number): void {
    this.#until += byMs;
    this.#probeEnds += byMs;
  }
}
