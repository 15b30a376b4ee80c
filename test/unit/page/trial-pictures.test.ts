import { describe, expect, it } from 'vitest';

import { drawnTrials, heatCells } from '../../../src/page/browser/trial-pictures.js';
import type { SweepPage } from '../../../src/page/page-data.js';

type Trial = SweepPage['trials'][number];

function aTrial(parameters: Trial['parameters'], figure: number | null, isLeftOut = false): Trial {
  return { parameters, figure, isLeftOut, figures: {}, error: null };
}

describe('heatCells', () => {
  it('keeps pairs of words with blanks apart', () => {
    const trials = [aTrial(['a b', 'c'], 1), aTrial(['a', 'b c'], 2)];

    const { values } = heatCells({ trials, isLargestBest: true }, [0, 1], 'best');

    expect([...values.values()]).toEqual([1, 2]);
  });

  it('leaves out trials that break a constraint', () => {
    const trials = [aTrial([1, 2], 9, true), aTrial([1, 2], 3), aTrial([1, 3], 8, true)];

    const { values } = heatCells({ trials, isLargestBest: true }, [0, 1], 'best');

    expect([...values.values()]).toEqual([3]);
  });
});

describe('drawnTrials', () => {
  it('always contains the best trial', () => {
    const trials = Array.from({ length: 10 }, (_, index) => aTrial([index], index));
    const best = { index: 7, neighbors: [] };

    expect(drawnTrials({ trials, best }, 4)).toEqual([0, 4, 7, 8]);
    expect(drawnTrials({ trials, best: null }, 4)).toEqual([0, 4, 8]);
  });
});
