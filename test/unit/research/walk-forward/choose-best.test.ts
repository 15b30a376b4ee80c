import { describe, expect, it } from 'vitest';
import { objectiveOf, type TrialOutcome } from '../../../../src/research/index.js';
import { chooseBest, countTraining } from '../../../../src/research/walk-forward/choose-best.js';
import { aFinishedTrial } from '../../../support/research/trials.js';

const FAILED: TrialOutcome = { status: 'failed', code: 'E_STRATEGY_FAILED', message: 'too fast' };
const IDLE = aFinishedTrial(9, { fills: 0 });
const UNRANKED = aFinishedTrial(null);
const SHARPE = objectiveOf('sharpe');

describe('chooseBest', () => {
  it('takes the best that traded, the first of equal ones', () => {
    const outcomes = [
      FAILED,
      IDLE,
      aFinishedTrial(1),
      aFinishedTrial(2),
      aFinishedTrial(2),
      UNRANKED,
    ];

    expect(chooseBest(outcomes, SHARPE, 'fold 1')).toBe(3);
  });

  it('takes the smallest where that is the best', () => {
    const fallOf = (maxDrawdown: number): TrialOutcome => {
      const trial = aFinishedTrial(1);
      return { ...trial, statistics: { ...trial.statistics, maxDrawdown } };
    };

    const outcomes = [fallOf(0.3), fallOf(0.1), fallOf(0.2)];

    expect(chooseBest(outcomes, objectiveOf('maxDrawdown'), 'fold 1')).toBe(1);
  });

  it('refuses a fold in which none can be chosen, and says why', () => {
    expect(() => chooseBest([FAILED, IDLE, IDLE, UNRANKED], SHARPE, 'fold 3, train part')).toThrow(
      expect.objectContaining({
        code: 'E_FOLD_EMPTY',
        message:
          'fold 3, train part: expected a combination that traded and has a sharpe, received none of 4: 1 failed, 2 did not trade, 1 have no sharpe; take a longer --train, parameters with which it trades, or another --objective; the first that failed: too fast',
      }),
    );
  });
});

describe('what chooseBest advises', () => {
  it.each([
    ['that trade', [IDLE], '; take a longer --train, or parameters with which it trades'],
    ['of another figure', [UNRANKED], '; take a longer --train, or another --objective'],
    ['that do not fail', [FAILED], '; the first that failed: too fast'],
  ])('are combinations %s, where that is what lacks', (_, outcomes, advice) => {
    expect(() => chooseBest(outcomes, SHARPE, 'fold 1')).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(`no sharpe${advice}$`)) as string,
      }),
    );
  });
});

describe('countTraining', () => {
  it('counts what cannot be chosen', () => {
    expect(countTraining([FAILED, IDLE, aFinishedTrial(1), UNRANKED], SHARPE)).toEqual({
      combinations: 4,
      failed: 1,
      idle: 1,
      unranked: 1,
    });
  });
});
