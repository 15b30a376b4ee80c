import { present } from '../../domain/index.js';
import { compareFigures, type Objective } from './objective.js';
import type { Combination, SearchSpace } from './search-space.js';

/** Verdict on the best combination by its neighbors. */
export const PEAK_KINDS = ['lone', 'supported', 'unknown'] as const;
type PeakKind = (typeof PEAK_KINDS)[number];

/** The best combination and its surroundings. */
export interface Peak {
  /** Index of the best combination in the sweep. */
  readonly index: number;
  /** Its figure. */
  readonly figure: number;
  /** Combinations one step away on one ordered axis, in the order of the sweep. */
  readonly neighbors: readonly number[];
  /** Median of the neighbors' figures; null if no neighbor has a figure. */
  readonly neighborMedian: number | null;
  /** Median of all figures of the sweep. */
  readonly median: number;
  readonly kind: PeakKind;
  /** Ordered axes where the best combination has the first or the last value. Values beyond may be better. */
  readonly edges: readonly string[];
}

/**
 * Share of the lead over the median of the sweep that the neighbors of the best combination must keep. With less it is a lone peak: a property of the market
 * also holds nearby, noise does not.
 */
const SUPPORTING_SHARE = 0.5;

/**
 * Finds the best combination and judges it by its neighbors. They keep this share of its lead: (median of the neighbors − median of all) ÷ (best − median of
 * all). Below one half the best is a lone peak. Neighbors that failed or have no figure are left out; without any neighbor the verdict is unknown. Of equal
 * figures the first in the order of the sweep is the best.
 *
 * `figures` are in the order of `combinations`, null if a combination has none. Returns undefined if no combination has a figure.
 */
export function findPeak(
  space: SearchSpace,
  combinations: readonly Combination[],
  figures: readonly (number | null)[],
  objective: Objective,
): Peak | undefined {
  const known = figures.filter((figure) => figure !== null);
  if (known.length === 0) return undefined;
  const index = figures.reduce<number>(
    (best, figure, at) =>
      compareFigures(figure, figures[best] ?? null, objective) < 0 ? at : best,
    0,
  );
  const figure = present(figures[index], 'figure of the best');
  const neighbors = findNeighbors(space, combinations, index);
  const around = neighbors.map((at) => figures[at] ?? null).filter((each) => each !== null);
  const neighborMedian = around.length === 0 ? null : medianOf(around);
  const median = medianOf(known);
  return {
    index,
    figure,
    neighbors,
    neighborMedian,
    median,
    kind: judge(figure, neighborMedian, median),
    edges: findEdges(space, present(combinations[index], 'best combination')),
  };
}

function judge(figure: number, neighborMedian: number | null, median: number): PeakKind {
  if (neighborMedian === null) return 'unknown';
  const lead = figure - median;
  // If all figures are equal, nothing stands out.
  if (lead === 0) return 'supported';
  return (neighborMedian - median) / lead < SUPPORTING_SHARE ? 'lone' : 'supported';
}

/** Indexes of the combinations that differ from one by a single step on a single ordered axis. */
function findNeighbors(
  space: SearchSpace,
  combinations: readonly Combination[],
  index: number,
): readonly number[] {
  const { places } = present(combinations[index], 'combination');
  return combinations.flatMap((other, at) => (isNeighbor(space, places, other.places) ? [at] : []));
}

function isNeighbor(
  space: SearchSpace,
  places: readonly number[],
  others: readonly number[],
): boolean {
  let steps = 0;
  for (const [axis, place] of places.entries()) {
    const distance = Math.abs(place - (others[axis] ?? Number.NaN));
    if (distance === 0) continue;
    // The distance on a continuous axis is NaN, which is never a neighbor.
    if (distance !== 1 || !isOrdered(space, axis)) return false;
    steps += 1;
  }
  return steps === 1;
}

function isOrdered(space: SearchSpace, axis: number): boolean {
  const found = space[axis];
  return found?.kind === 'listed' && found.isOrdered;
}

function findEdges(space: SearchSpace, { places }: Combination): readonly string[] {
  return space.flatMap((axis, at) => {
    if (axis.kind !== 'listed' || !axis.isOrdered || axis.values.length === 1) return [];
    const place = places[at];
    return place === 0 || place === axis.values.length - 1 ? [axis.name] : [];
  });
}

function medianOf(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = present(sorted[middle], 'middle figure');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
