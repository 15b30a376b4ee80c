import { combinationKey } from './point.js';
import type { SearchLimits } from './search-method.js';
import type { Combination } from './search-space.js';

/** Draws in a row without a new combination, after which a search has nothing new to find. */
const MOST_IN_VAIN = 2_000;

/** Combinations that a search has asked for: none twice, only allowed ones, and at most as many as the limit. */
export class Proposals {
  readonly #limits: SearchLimits;
  readonly #known = new Set<string>();

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  /** Combinations that may still be asked for. */
  get left(): number {
    return this.#limits.count - this.#known.size;
  }

  isNew(combination: Combination): boolean {
    return !this.#known.has(combinationKey(combination)) && this.isAllowed(combination);
  }

  isAllowed(combination: Combination): boolean {
    return this.#limits.allows?.(combination) ?? true;
  }

  add(combination: Combination): void {
    this.#known.add(combinationKey(combination));
  }

  /** Draws until a combination is new, and takes it. Undefined if no new one comes, or if the limit is reached. */
  take(draw: () => Combination): Combination | undefined {
    if (this.left === 0) return undefined;
    for (let tries = 0; tries < MOST_IN_VAIN; tries += 1) {
      const combination = draw();
      if (!this.isNew(combination)) continue;
      this.add(combination);
      return combination;
    }
    return undefined;
  }
}
