import type { Combination } from './search-space.js';

/** Costs of a combination, one per objective: smaller is better, Infinity if it cannot be ranked. */
export type Costs = readonly number[];

/**
 * A search method: it is asked for a generation, receives the costs of it, and is asked again. Its proposals depend only on its seed and these costs, so that
 * neither threads nor interruptions change them.
 */
export interface SearchMethod {
  /** The next combinations, each for the first time in this search; empty when the search is over. */
  ask(): readonly Combination[];
  /** Takes the costs of the combinations that were asked for last, in their order. */
  tell(costs: readonly Costs[]): void;
}

/** Limits of a search. */
export interface SearchLimits {
  /** Most combinations. */
  readonly count: number;
  readonly seed: number;
  /** Whether a combination may be tried. @defaultValue all may */
  readonly allows?: ((combination: Combination) => boolean) | undefined;
}

/** Combinations that are known before the first run, in generations of one size. The last generation has the rest. */
export class ListSearch implements SearchMethod {
  readonly #combinations: readonly Combination[];
  readonly #generation: number;
  #asked = 0;

  constructor(combinations: readonly Combination[], generation = combinations.length) {
    this.#combinations = combinations;
    this.#generation = generation;
  }

  ask(): readonly Combination[] {
    const generation = this.#combinations.slice(this.#asked, this.#asked + this.#generation);
    this.#asked += generation.length;
    return generation;
  }

  tell(): void {
    // It learns nothing.
  }
}
