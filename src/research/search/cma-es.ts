import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { present } from '../../domain/index.js';
import { normalQuantile } from '../statistics/normal.js';
import { Evolution } from './evolution.js';
import { combinationAt, combinationKey, type Point } from './point.js';
import { Proposals } from './proposals.js';
import type { Costs, SearchLimits, SearchMethod } from './search-method.js';
import type { Combination, SearchSpace } from './search-space.js';

/** Width of the first distribution, as a share of each axis. */
const START_WIDTH = 0.3;
/** A distribution at most this wide has converged, and the search starts elsewhere. */
const NARROW = 1e-9;
/** Draws to find a point inside the space. After these, the point moves to the nearest edge. */
const DRAWS_INSIDE = 20;
/** Generations in a row without a new combination, after which the search starts elsewhere. */
const STALE_GENERATIONS = 5;
/** Starts in a row without a new combination, after which the search ends. */
const STALE_STARTS = 200;

interface Offspring {
  readonly point: Point;
  readonly key: string;
}

/**
 * CMA evolution strategy on axes of numbers: draws from a normal distribution that learns direction and length of the successful steps. A combination that
 * was tried before counts again without another run. If no new combination is left nearby, the search starts elsewhere.
 *
 * Source: Hansen 2016, *The CMA evolution strategy: a tutorial* (arXiv:1604.00772).
 */
export class CmaEsSearch implements SearchMethod {
  readonly #space: SearchSpace;
  readonly #proposals: Proposals;
  readonly #random;
  /** Costs of the tried combinations, by key. */
  readonly #costs = new Map<string, number | undefined>();
  #evolution: Evolution;
  #offspring: readonly Offspring[] = [];
  #asked: readonly string[] = [];

  constructor(space: SearchSpace, limits: SearchLimits) {
    this.#space = space;
    this.#proposals = new Proposals(limits);
    this.#random = xoroshiro128plus(limits.seed);
    this.#evolution = this.#begin();
  }

  ask(): readonly Combination[] {
    for (let start = 0; start < STALE_STARTS; start += 1) {
      for (let stale = 0; stale < STALE_GENERATIONS; stale += 1) {
        const fresh = this.#drawGeneration();
        if (this.#proposals.left === 0 || fresh.length > 0) return this.#askFor(fresh);
        this.#learn();
      }
      this.#evolution = this.#begin();
    }
    return [];
  }

  tell(costs: readonly Costs[]): void {
    for (const [index, key] of this.#asked.entries())
      this.#costs.set(key, present(costs[index]?.[0], 'cost'));
    this.#learn();
    if (!(this.#evolution.width > NARROW)) this.#evolution = this.#begin();
  }

  #begin(): Evolution {
    return new Evolution(
      this.#space.map(() => uniformFloat64(this.#random)),
      START_WIDTH,
    );
  }

  /** Draws a generation. Returns its new combinations. */
  #drawGeneration(): readonly Combination[] {
    const fresh = new Map<string, Combination>();
    this.#offspring = Array.from({ length: this.#evolution.lambda }, () => {
      const point = this.#drawPoint();
      const combination = combinationAt(this.#space, point);
      const key = combinationKey(combination);
      if (this.#proposals.isNew(combination)) fresh.set(key, combination);
      return { point, key };
    });
    return [...fresh.values()];
  }

  #askFor(fresh: readonly Combination[]): readonly Combination[] {
    const asked = fresh.slice(0, this.#proposals.left);
    for (const combination of asked) this.#proposals.add(combination);
    this.#asked = asked.map(combinationKey);
    return asked;
  }

  /** A combination without a cost ranks last: it may not be tried, or the end of the search left it out. */
  #learn(): void {
    const costOf = ({ key }: Offspring): number => this.#costs.get(key) ?? Infinity;
    const ranked = [...this.#offspring].sort((a, b) => {
      const [one, two] = [costOf(a), costOf(b)];
      return one === two ? 0 : one - two;
    });
    this.#evolution.update(ranked.map(({ point }) => point));
  }

  #drawPoint(): Point {
    const draw = (): Point =>
      this.#evolution.sample(this.#space.map(() => normalQuantile(this.#open())));
    for (let tries = 0; tries < DRAWS_INSIDE; tries += 1) {
      const point = draw();
      if (point.every((value) => value >= 0 && value <= 1)) return point;
    }
    return draw().map((value) => Math.min(1, Math.max(0, value)));
  }

  /** A uniform number between 0 and 1, both excluded. */
  #open(): number {
    return (uniformFloat64(this.#random) * (2 ** 53 - 1) + 0.5) / 2 ** 53;
  }
}
