import { describe, expect, it } from 'vitest';
import { listGrid, objectiveOf, requireListed, parseGrid } from '../../../src/research/index.js';
import { findPeak, type Peak } from '../../../src/research/search/peak.js';
import { choice, int } from '../../../src/strategy/index.js';

const DECLARED = { a: int(0, 9, 0), b: int(0, 9, 0), mode: choice(['calm', 'bold']) };
const SHARPE = objectiveOf('sharpe');

function peakOf(
  grid: string,
  figures: readonly (number | null)[],
  objective = SHARPE,
): Peak | undefined {
  const space = requireListed(parseGrid(grid, DECLARED));
  const combinations = listGrid(space);
  expect(figures).toHaveLength(combinations.length);
  return findPeak(space, combinations, figures, objective);
}

describe('findPeak', () => {
  it('finds the best combination and its neighbors, one step away in one parameter', () => {
    // prettier-ignore
    const peak = peakOf('a=0:2:1,b=0:2:1', [
      0, 1, 0,
      2, 5, 3,
      0, 4, 0,
    ]);

    expect(peak).toMatchObject({
      index: 4,
      figure: 5,
      neighbors: [1, 3, 5, 7],
      // 1, 2, 3, 4
      neighborMedian: 2.5,
      // 0, 0, 0, 0, 1, 2, 3, 4, 5
      median: 1,
      edges: [],
    });
  });

  it('calls a peak supported if its neighbors keep at least half of the lead', () => {
    // Median of all 1, of the neighbors 3: (3 − 1) ÷ (5 − 1) is one half.
    expect(peakOf('a=0:6:1', [1, 1, 1, 3, 5, 3, 1])).toMatchObject({
      kind: 'supported',
      median: 1,
      neighborMedian: 3,
    });
  });

  it('calls a peak lone if its neighbors keep less than half of the lead', () => {
    expect(peakOf('a=0:6:1', [1, 1, 1, 2.9, 5, 2.9, 1])).toMatchObject({ kind: 'lone' });
  });

  it('finds the peak of negative figures and of an objective to minimize', () => {
    const figures = [-1, -1, -1, -3, -5, -3, -1];

    expect(peakOf('a=0:6:1', figures, objectiveOf('maxDrawdown'))).toMatchObject({
      index: 4,
      kind: 'supported',
    });
    expect(peakOf('a=0:6:1', figures)).toMatchObject({ index: 0, figure: -1 });
  });

  it('returns unknown if no neighbor has a figure', () => {
    expect(peakOf('a=0:2:1', [null, 5, null])).toMatchObject({
      kind: 'unknown',
      neighbors: [0, 2],
      neighborMedian: null,
    });
    expect(peakOf('mode', [5, 1])).toMatchObject({ kind: 'unknown', neighbors: [], edges: [] });
  });

  it('calls the first of equal figures supported', () => {
    expect(peakOf('a=0:2:1', [3, 3, 3])).toMatchObject({ index: 0, kind: 'supported' });
  });

  it('counts as neighbors only adjacent numbers with the same word', () => {
    const peak = peakOf('mode,a=0:2:1', [0, 1, 0, 0, 9, 0]);

    expect(peak).toMatchObject({ index: 4, neighbors: [3, 5] });
  });

  it('names parameters at the edge of their range', () => {
    expect(peakOf('a=0:2:1,b=4', [0, 1, 2])).toMatchObject({ index: 2, edges: ['a'] });
  });

  it('returns the first of equal figures, and undefined without a figure', () => {
    expect(peakOf('a=0:2:1', [null, 7, 7])).toMatchObject({ index: 1 });
    expect(peakOf('a=0:2:1', [null, null, null])).toBeUndefined();
  });
});
