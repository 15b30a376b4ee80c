import { describe, expect, it } from 'vitest';
import { deflatedSharpe2014, momentsOf, sharpeOf } from '../../../../src/research/index.js';
import { luckOfWalk } from '../../../../src/research/walk-forward/luck-of-walk.js';
import { aFinishedTrial } from '../../../support/research/trials.js';

const RETURNS = Array.from({ length: 60 }, (_, day) => 0.002 + 0.01 * Math.sin(1 + day * day));

describe('luckOfWalk', () => {
  it('deflates by the number and the spread of all trials that have a Sharpe ratio', () => {
    const trials = [1, 2, 0.5, -1].map((sharpe) => aFinishedTrial(sharpe));
    const failed = { status: 'failed', code: 'E_X', message: '' } as const;

    const luck = luckOfWalk(RETURNS, [...trials, failed, aFinishedTrial(null)]);

    const moments = momentsOf(RETURNS);
    const spread = momentsOf([1, 2, 0.5, -1].map((sharpe) => sharpe / Math.sqrt(365)));
    if (moments === undefined || spread === undefined) throw new Error('no moments');
    const sample = { ...moments, sharpe: sharpeOf(moments) };
    expect(luck?.trials).toBe(4);
    expect(luck?.dsr2014).toBeCloseTo(
      deflatedSharpe2014(sample, { trials: 4, variance: spread.variance }),
      11,
    );
    expect(luck?.dsr2026).toBeLessThan(1);
  });

  it.each([
    ['without trials to compare with', RETURNS, [aFinishedTrial(1)]],
    ['of returns that are all equal', [0.1, 0.1, 0.1], [aFinishedTrial(1), aFinishedTrial(2)]],
    ['of one return', [0.1], [aFinishedTrial(1), aFinishedTrial(2)]],
  ])('is unknown %s', (_, returns, outcomes) => {
    expect(luckOfWalk(returns, outcomes)).toBeNull();
  });
});
