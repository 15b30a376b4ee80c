import { describe, expect, it } from 'vitest';
import { parameterDrift } from '../../../../src/research/walk-forward/parameter-drift.js';
import type { Combination, SearchSpace } from '../../../../src/research/index.js';

const SPACE: SearchSpace = [
  { kind: 'listed', name: 'fast', values: [5, 10, 20, 50, 100], isOrdered: true },
  { kind: 'listed', name: 'mode', values: ['calm', 'bold', 'mad'], isOrdered: false },
  { kind: 'continuous', name: 'share', min: 1, max: 3 },
  { kind: 'listed', name: 'only', values: [7], isOrdered: true },
];

const chosen = (fast: number, mode: number, share: number): Combination => {
  const [first, second] = [SPACE[0], SPACE[1]];
  const valueOf = (axis: typeof first, place: number): string | number =>
    axis?.kind === 'listed' ? String(axis.values[place]) : Number.NaN;
  return {
    parameters: { fast: valueOf(first, fast), mode: valueOf(second, mode), share, only: 7 },
    places: [fast, mode, Number.NaN, 0],
  };
};

describe('parameterDrift', () => {
  it('measures drift in places for listed numbers, by value for ranges, and as whole changes for words', () => {
    const drift = parameterDrift(SPACE, [
      chosen(0, 0, 1),
      chosen(1, 0, 2),
      chosen(1, 2, 3),
      chosen(4, 1, 3),
    ]);

    expect(drift).toEqual([
      { name: 'fast', changes: 2, drift: (1 / 4 + 0 + 3 / 4) / 3 },
      { name: 'mode', changes: 2, drift: 2 / 3 },
      { name: 'share', changes: 2, drift: (1 / 2 + 1 / 2) / 3 },
      { name: 'only', changes: 0, drift: 0 },
    ]);
  });

  it('returns null as the drift of a single fold', () => {
    expect(parameterDrift(SPACE, [chosen(0, 0, 1)])[0]).toEqual({
      name: 'fast',
      changes: 0,
      drift: null,
    });
  });
});
