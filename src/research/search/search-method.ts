import type { Combination } from './search-space.js';

/** What a combination costs by each objective: the smaller the better, Infinity where it cannot be ranked. */
export type Costs = readonly number[];

/**
 * A way to look for good combinations: it is asked for a generation, told what that came to, and asked again. What it asks for follows from
 * its seed and what it was told, so that neither threads nor interruptions change it.
 */
export interface SearchMethod {
  /** The next combinations, each for the first time in this search; none when the search is over. */
  ask(): readonly Combination[];
  /** Takes the costs of the combinations that were asked for last, in their order. */
  tell(costs: readonly Costs[]): void;
}

/** What bounds a search. */
export interface SearchLimits {
  /** Most combinations. */
  readonly count: number;
  readonly seed: number;
  /** Whether a combination may be tried. @defaultValue all may */
  readonly allows?: ((combination: Combination) => boolean) | undefined;
}

/** Combinations that are known before the first of them has run, in generations of one size, the last one of what is left. */
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
