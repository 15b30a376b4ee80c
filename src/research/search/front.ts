import { present } from '../../domain/index.js';
import type { Costs } from './search-method.js';

/** Whether `a` is nowhere worse than `b`, and better somewhere. */
export function dominates(a: Costs, b: Costs): boolean {
  let isBetter = false;
  for (const [index, cost] of a.entries()) {
    const other = present(b[index], 'cost');
    if (cost > other) return false;
    if (cost < other) isBetter = true;
  }
  return isBetter;
}

/**
 * Indexes of the pairs that no other pair dominates, in order of their first cost. Of equal pairs only the first is returned. A pair with an infinite cost is
 * on no front. Takes as long as sorting.
 */
export function findFront(pairs: readonly Costs[]): readonly number[] {
  const cost = (index: number, objective: 0 | 1): number =>
    present(pairs[index]?.[objective], 'cost');
  const ranked = [...pairs.keys()]
    .filter((index) => pairs[index]?.every(Number.isFinite))
    .sort((a, b) => cost(a, 0) - cost(b, 0) || cost(a, 1) - cost(b, 1) || a - b);
  let least = Infinity;
  return ranked.filter((index) => {
    const isBelow = cost(index, 1) < least;
    if (isBelow) least = cost(index, 1);
    return isBelow;
  });
}

/**
 * Sorts into fronts. Nothing dominates a member of the first front. Only members of the first dominate a member of the second, and so on.
 *
 * Source: Deb and others 2002, *A fast and elitist multiobjective genetic algorithm: NSGA-II*.
 */
export function sortIntoFronts(all: readonly Costs[]): readonly (readonly number[])[] {
  const dominators = all.map((costs) => all.filter((other) => dominates(other, costs)).length);
  const fronts: number[][] = [];
  let rest = [...all.keys()];
  while (rest.length > 0) {
    const front = rest.filter((index) => dominators[index] === 0);
    fronts.push(front);
    rest = rest.filter((index) => !front.includes(index));
    for (const index of rest) {
      const costs = present(all[index], 'costs');
      const gone = front.filter((at) => dominates(present(all[at], 'costs'), costs)).length;
      dominators[index] = present(dominators[index], 'dominators') - gone;
    }
  }
  return fronts;
}

/**
 * Crowding distance of each member of a front: the sum over all objectives of the gap between its neighbors, as a share of the width of the front. Infinity
 * at the ends. Source: Deb 2002.
 */
export function crowdingOf(front: readonly Costs[]): readonly number[] {
  const crowding = front.map(() => 0);
  const objectives = front[0]?.length ?? 0;
  for (let objective = 0; objective < objectives; objective += 1) {
    const cost = (index: number): number => present(front[index]?.[objective], 'cost');
    const ranked = [...front.keys()].sort((a, b) => compareCosts(cost(a), cost(b)));
    const [first, last] = [ranked[0], ranked.at(-1)];
    if (first === undefined || last === undefined) break;
    const width = cost(last) - cost(first);
    for (const [place, index] of ranked.entries()) {
      const [before, after] = [ranked[place - 1], ranked[place + 1]];
      const isEnd = before === undefined || after === undefined;
      const gap = isEnd ? Infinity : width > 0 ? (cost(after) - cost(before)) / width : 0;
      crowding[index] = (crowding[index] ?? 0) + (Number.isNaN(gap) ? 0 : gap);
    }
  }
  return crowding;
}

/** Compares costs, including infinite ones: the better is first. */
function compareCosts(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
