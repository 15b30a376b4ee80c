import { keyOf } from './point.js';
import type { SearchLimits } from './search-method.js';
import type { Combination } from './search-space.js';

/** Draws in vain, one after the other, after which a search has nothing new to find. */
const MOST_IN_VAIN = 2_000;

/** What a search has asked for so far: nothing twice, nothing that is not allowed, and no more than it may. */
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
    return !this.#known.has(keyOf(combination)) && this.isAllowed(combination);
  }

  isAllowed(combination: Combination): boolean {
    return this.#limits.allows?.(combination) ?? true;
  }

  add(combination: Combination): void {
    this.#known.add(keyOf(combination));
  }

  /** Takes the first that is new of what `draw` gives; undefined when it gives nothing new any more, or nothing may be asked for. */
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
