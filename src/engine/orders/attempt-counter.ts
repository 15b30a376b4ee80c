const BITS = 32;
/** Bits of 32,768 intents: to grow costs more than to be large at once. */
const FIRST_WORDS = 1024;
const GROWTH = 4;

/**
 * Counts the proposals that each intent leads to: a flatten, a replacement or a remaining quantity sent again leads to several, and no two orders may
 * share an id. Nearly all intents lead to one at most, so that one bit each is enough, and a number only for the others.
 */
export class AttemptCounter {
  /** One bit for each intent, by number: whether it has led to a proposal. */
  #proposed = new Uint32Array(FIRST_WORDS);
  /** Proposals of the intents with more than one. */
  readonly #several = new Map<number, number>();

  /** Proposals of the intent so far. */
  count(intentId: number): number {
    const word = this.#proposed[Math.floor(intentId / BITS)] ?? 0;
    if ((word & (1 << (intentId % BITS))) === 0) return 0;
    return this.#several.get(intentId) ?? 1;
  }

  /** Goes on from so many proposals of the intent; it has had none here. */
  restore(intentId: number, proposals: number): void {
    if (proposals > 0) this.next(intentId);
    if (proposals > 1) this.#several.set(intentId, proposals);
  }

  /** How many proposals of the intent came before this one. */
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
