import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { present } from '../../domain/index.js';
import { crowdingOf, sortIntoFronts } from './front.js';
import { isNumeric } from './parzen.js';
import { combinationAt, pointOf, type Point } from './point.js';
import { Proposals } from './proposals.js';
import type { Costs, SearchLimits, SearchMethod } from './search-method.js';
import type { Combination, SearchSpace } from './search-space.js';
import { sobolOf, type SobolSequence } from './sobol-sequence.js';

/** Number of parents, and of children per generation. */
const POPULATION = 20;
/** Share of pairs whose children are a mix of both. */
const CROSSOVER = 0.9;
/** A larger index makes children more like a parent. */
const CROSSOVER_INDEX = 15;
const MUTATION_INDEX = 20;

interface Member {
  readonly point: Point;
  readonly costs: Costs;
  /** Its front, from 0. */
  readonly rank: number;
  readonly crowding: number;
}

/**
 * NSGA-II: a population that mixes and mutates. The members of the first fronts survive, and within a front those with the largest crowding distance. The
 * first population is spread evenly.
 *
 * Source: Deb and others 2002; children by simulated binary crossover and polynomial mutation (Deb, Agrawal 1995).
 */
export class NsgaSearch implements SearchMethod {
  readonly #space: SearchSpace;
  readonly #proposals: Proposals;
  readonly #random;
  readonly #start: SobolSequence;
  #members: readonly Member[] = [];
  #asked: readonly Point[] = [];

  constructor(space: SearchSpace, limits: SearchLimits) {
    this.#space = space;
    this.#proposals = new Proposals(limits);
    this.#random = xoroshiro128plus(limits.seed);
    this.#start = sobolOf(space, limits.seed);
  }

  ask(): readonly Combination[] {
    const generation: Combination[] = [];
    while (generation.length < POPULATION) {
      const proposed = this.#proposals.take(() => combinationAt(this.#space, this.#draw()));
      if (proposed === undefined) break;
      generation.push(proposed);
    }
    this.#asked = generation.map((combination) => pointOf(this.#space, combination));
    return generation;
  }

  tell(costs: readonly Costs[]): void {
    const children = this.#asked.map((point, index) => ({
      point,
      costs: present(costs[index], 'costs'),
    }));
    this.#members = selectBest([...this.#members, ...children]);
  }

  #draw(): Point {
    if (this.#members.length === 0) return this.#start.next();
    const [one, two] = [this.#chooseParent().point, this.#chooseParent().point];
    const isMixed = uniformFloat64(this.#random) < CROSSOVER;
    return this.#space.map((axis, at) => {
      const [a, b] = [present(one[at], 'coordinate'), present(two[at], 'coordinate')];
      if (!isNumeric(axis)) return this.#mutateWord(isMixed && this.#coin() ? b : a);
      return this.#mutate(isMixed && this.#coin() ? this.#mix(a, b) : a);
    });
  }

  /** The better of two drawn members: by front, then by crowding distance. */
  #chooseParent(): Member {
    const drawn = (): Member =>
      present(
        this.#members[uniformInt(this.#random, 0, this.#members.length - 1)],
        'member of the population',
      );
    const [one, two] = [drawn(), drawn()];
    if (one.rank !== two.rank) return one.rank < two.rank ? one : two;
    return one.crowding >= two.crowding ? one : two;
  }

  #mix(a: number, b: number): number {
    const u = uniformFloat64(this.#random);
    const power = 1 / (CROSSOVER_INDEX + 1);
    const spread = u <= 0.5 ? (2 * u) ** power : (1 / (2 * (1 - u))) ** power;
    const side = this.#coin() ? 1 : -1;
    return inside((a + b + side * spread * Math.abs(a - b)) / 2);
  }

  #mutate(value: number): number {
    if (uniformFloat64(this.#random) >= 1 / this.#space.length) return value;
    const u = uniformFloat64(this.#random);
    const power = 1 / (MUTATION_INDEX + 1);
    const step = u < 0.5 ? (2 * u) ** power - 1 : 1 - (2 * (1 - u)) ** power;
    return inside(value + step);
  }

  #mutateWord(value: number): number {
    const isMutated = uniformFloat64(this.#random) < 1 / this.#space.length;
    return isMutated ? uniformFloat64(this.#random) : value;
  }

  #coin(): boolean {
    return uniformFloat64(this.#random) < 0.5;
  }
}

/** Keeps as many members as a population has, front by front. */
function selectBest(all: readonly Pick<Member, 'point' | 'costs'>[]): readonly Member[] {
  const fronts = sortIntoFronts(all.map(({ costs }) => costs));
  return fronts
    .flatMap((front, rank) => {
      const members = front.map((index) => present(all[index], 'member'));
      const crowding = crowdingOf(members.map(({ costs }) => costs));
      return members
        .map((member, at) => ({ ...member, rank, crowding: present(crowding[at], 'crowding') }))
        .sort((a, b) => (a.crowding === b.crowding ? 0 : b.crowding - a.crowding));
    })
    .slice(0, POPULATION);
}

function inside(value: number): number {
  return Math.min(1, Math.max(0, value));
}
