import { SECOND_MS, type EpochMs } from '../domain/index.js';

/** A reading that has had no answer for so long, the one beside it neither, shows that nobody answers. */
const LATE_MS = 6 * SECOND_MS;
/** One that has failed without an answer is made again within this, by who needs it. */
const AGAIN_WITHIN_MS = 15 * SECOND_MS;

/** A reading that nobody answers. */
export interface UnansweredCall {
  /** What is asked, for people. */
  readonly name: string;
  /** When the first request left that had no answer. */
  readonly since: EpochMs;
}

interface Asked {
  readonly since: EpochMs;
  underWay: number;
  failedAt: EpochMs;
}

/** Knows which readings leave and are not answered, whoever makes them and however often: an answer of any kind ends that. */
export class UnansweredCalls {
  readonly #asked = new Map<string, Asked>();

  /** A request leaves. Returns what is to be told what became of it. */
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
      // Who has given up one of several asks on.
      const isOver = end === 'answered' || (end === 'given up' && asked.underWay === 0);
      if (isOver && this.#asked.get(name) === asked) this.#asked.delete(name);
    };
  }

  /** The one that has been without an answer for longest, and for too long; undefined where all are answered. */
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
