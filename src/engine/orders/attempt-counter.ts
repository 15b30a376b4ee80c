const BITS = 32;
/** Bits of 32,768 intents: starting large costs less than growing. */
const FIRST_WORDS = 1024;
const GROWTH = 4;

/** How often an intent has been proposed. */
export interface IntentAttempts {
  readonly intentId: number;
  readonly proposals: number;
}

/**
 * Counts the proposals of each intent, because no two orders may share an id. A flatten, a replacement or a remaining quantity that is sent again
 * leads to several proposals. Nearly all intents lead to at most one, so one bit each is enough; only the others need a number.
 */
export class AttemptCounter {
  /** One bit for each intent id: whether the intent has led to a proposal. */
  #proposed = new Uint32Array(FIRST_WORDS);
  /** Proposals of the intents with more than one. */
  readonly #several = new Map<number, number>();

  /** Proposals of the intent so far. */
  count(intentId: number): number {
    const word = this.#proposed[Math.floor(intentId / BITS)] ?? 0;
    if ((word & (1 << (intentId % BITS))) === 0) return 0;
    return this.#several.get(intentId) ?? 1;
  }

  /** The counts of these intents, by intent id, without counts of 0. */
  of(intentIds: Iterable<number>): readonly IntentAttempts[] {
    return [...new Set(intentIds)]
      .toSorted((one, other) => one - other)
      .flatMap((intentId) => {
        const proposals = this.count(intentId);
        return proposals === 0 ? [] : [{ intentId, proposals }];
      });
  }

  /** Sets the number of proposals of an intent that has none here yet. */
  restore(intentId: number, proposals: number): void {
    if (proposals > 0) this.next(intentId);
    if (proposals > 1) this.#several.set(intentId, proposals);
  }

  /** Counts a proposal of the intent. Returns how many came before it. */
  next(intentId: number): number {
    const word = Math.floor(intentId / BITS);
    const bit = 1 << (intentId % BITS);
    if (word >= this.#proposed.length) this.#grow(word + 1);
    const bits = this.#proposed[word] as number;
    if ((bits & bit) === 0) {
      this.#proposed[word] = bits | bit;
      return 0;
    }
    const attempt = this.#several.get(intentId) ?? 1;
    this.#several.set(intentId, attempt + 1);
    return attempt;
  }

  #grow(words: number): void {
    const larger = new Uint32Array(Math.max(words, GROWTH * this.#proposed.length));
    larger.set(this.#proposed);
    this.#proposed = larger;
  }
}
