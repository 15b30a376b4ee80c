import { SECOND_MS, type EpochMs } from '../../domain/index.js';

/** A reading without an answer for this time, including its parallel repetition, shows that the venue does not answer. */
const LATE_MS = 6 * SECOND_MS;
/** A failed reading without an answer is repeated by its user within this time. */
const AGAIN_WITHIN_MS = 15 * SECOND_MS;

/** A reading without an answer. */
export interface UnansweredCall {
  /** Name of the reading, for people. */
  readonly name: string;
  /** Time of the first request without an answer. */
  readonly since: EpochMs;
}

interface Asked {
  readonly since: EpochMs;
  underWay: number;
  failedAt: EpochMs;
}

/** Keeps the readings that were sent and have no answer, over all callers and repetitions. Any answer ends such an entry. */
export class UnansweredCalls {
  readonly #asked = new Map<string, Asked>();

  /** Notes that a request is sent. Returns a function that takes its outcome. */
  begin(
    name: string,
    now: EpochMs,
  ): (end: 'answered' | 'failed' | 'given up', at: EpochMs) => void {
    const asked = this.#asked.get(name) ?? { since: now, underWay: 0, failedAt: now };
    this.#asked.set(name, asked);
    asked.underWay += 1;
    return (end, at) => {
      asked.underWay -= 1;
      if (end === 'failed') asked.failedAt = at;
      // After giving up one of several requests, the others still wait.
      const isOver = end === 'answered' || (end === 'given up' && asked.underWay === 0);
      if (isOver && this.#asked.get(name) === asked) this.#asked.delete(name);
    };
  }

  /** The reading that has waited longest, and too long, for an answer; undefined if there is none. */
  late(now: EpochMs): UnansweredCall | undefined {
    let oldest: UnansweredCall | undefined;
    for (const [name, { since, underWay, failedAt }] of this.#asked) {
      if (underWay === 0 && now - failedAt > AGAIN_WITHIN_MS) this.#asked.delete(name);
      else if (now - since >= LATE_MS && (oldest === undefined || since < oldest.since))
        oldest = { name, since };
    }
    return oldest;
  }
}
