import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { present } from '../../domain/index.js';
import { Parzen } from './parzen.js';
import { combinationAt, pointOf, type Point } from './point.js';
import { Proposals } from './proposals.js';
import type { Costs, SearchLimits, SearchMethod } from './search-method.js';
import type { Combination, SearchSpace } from './search-space.js';
import { sobolOf, type SobolSequence } from './sobol-sequence.js';

/** Combinations per generation, for any number of threads. */
const GENERATION = 10;
/** Combinations that are spread evenly before the search learns. */
const START_UP = 10;
/** Candidates that are compared for one proposal. */
const CANDIDATES = 24;
/** Share of the trials that count as good, and their greatest number. */
const GOOD_SHARE = 0.1;
const MOST_GOOD = 25;

interface Told {
  readonly point: Point;
  readonly cost: number;
}

/**
 * Tree-structured Parzen estimator: the best tenth of the trials gives one density, the others give another. Candidates are drawn from the first density. The
 * proposal is the candidate with the largest ratio of the first density to the second.
 *
 * Source: Bergstra and others 2011, *Algorithms for hyper-parameter optimization*, with the numbers of Optuna. Earlier proposals of a generation count among
 * the others, so that the next proposal differs from them.
 */
export class TpeSearch implements SearchMethod {
  readonly #space: SearchSpace;
  readonly #proposals: Proposals;
  readonly #random;
  readonly #start: SobolSequence;
  readonly #told: Told[] = [];
  #asked: Point[] = [];

  constructor(space: SearchSpace, limits: SearchLimits) {
    this.#space = space;
    this.#proposals = new Proposals(limits);
    this.#random = xoroshiro128plus(limits.seed);
    this.#start = sobolOf(space, limits.seed);
  }

  ask(): readonly Combination[] {
    this.#asked = [];
    const generation: Combination[] = [];
    while (generation.length < GENERATION) {
      const proposed = this.#propose();
      if (proposed === undefined) break;
      generation.push(proposed);
      this.#asked.push(pointOf(this.#space, proposed));
    }
    return generation;
  }

  tell(costs: readonly Costs[]): void {
    for (const [index, point] of this.#asked.entries())
      this.#told.push({ point, cost: present(costs[index]?.[0], 'cost') });
  }

  #propose(): Combination | undefined {
    const space = this.#space;
    if (this.#told.length + this.#asked.length < START_UP)
      return this.#proposals.take(() => combinationAt(space, this.#start.next()));
    const best = this.#proposals.left > 0 ? this.#proposeBest() : undefined;
    if (best !== undefined) {
      this.#proposals.add(best);
      return best;
    }
    return this.#proposals.take(() =>
      combinationAt(
        space,
        space.map(() => uniformFloat64(this.#random)),
      ),
    );
  }

  /** Undefined if no trial is good yet, or no candidate is new. */
  #proposeBest(): Combination | undefined {
    const { good, others } = this.#split();
    if (good.length === 0) return undefined;
    const [below, above] = [new Parzen(this.#space, good), new Parzen(this.#space, others)];
    let best: Combination | undefined;
    let most = -Infinity;
    for (let index = 0; index < CANDIDATES; index += 1) {
      const candidate = combinationAt(this.#space, below.draw(this.#random));
      if (!this.#proposals.isNew(candidate)) continue;
      const point = pointOf(this.#space, candidate);
      const gain = below.logDensity(point) - above.logDensity(point);
      if (gain <= most) continue;
      [best, most] = [candidate, gain];
    }
    return best;
  }

  #split(): Readonly<Record<'good' | 'others', readonly Point[]>> {
    const told = this.#told;
    const count = Math.min(Math.ceil(GOOD_SHARE * told.length), MOST_GOOD);
    const ranked = [...told.keys()].sort((a, b) => compare(told[a], told[b]));
    const chosen = new Set(
      ranked.slice(0, count).filter((index) => Number.isFinite(told[index]?.cost)),
    );
    const pointsOf = (isGood: boolean): readonly Point[] =>
      told.flatMap(({ point }, index) => (chosen.has(index) === isGood ? [point] : []));
    return { good: pointsOf(true), others: [...pointsOf(false), ...this.#asked] };
  }
}

/** Compares by cost. Equal costs, including infinite ones, keep their order. */
function compare(a: Told | undefined, b: Told | undefined): number {
  const [one, two] = [present(a, 'trial').cost, present(b, 'trial').cost];
  return one === two ? 0 : one - two;
}
