const BITS = 32;
/** Bits of 32,768 intents: starting large costs less than growing. */
const FIRST_WORDS = 1024;
const GROWTH = 4;
/** Intents with several proposals that are kept before the first clean-up. */
const FEW = 64;

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
  /** Size of {@link #several} at which a clean-up is due. */
  #limit = FEW;

  /** Number of intents whose proposals are kept as a number. */
  get size(): number {
    return this.#several.size;
  }

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

  /** Sets the numbers of proposals of intents that have none here yet. */
  restore(attempts: readonly IntentAttempts[]): void {
    for (const { intentId, proposals } of attempts) {
      if (proposals > 0) this.next(intentId);
      if (proposals > 1) this.#several.set(intentId, proposals);
    }
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

  /**
   * Forgets the numbers of all intents that are not living, once there are many. `living`: intents that may still be proposed. Call when nothing is
   * being proposed.
   */
  tidy(living: () => Iterable<number>): void {
    if (this.#several.size < this.#limit) return;
    const kept = new Set(living());
    for (const intentId of this.#several.keys())
      if (!kept.has(intentId)) this.#several.delete(intentId);
    this.#limit = Math.max(FEW, 2 * this.#several.size);
  }

  #grow(words: number): void {
    const larger = new Uint32Array(Math.max(words, GROWTH * this.#proposed.length));
    larger.set(this.#proposed);
    this.#proposed = larger;
  }
}
