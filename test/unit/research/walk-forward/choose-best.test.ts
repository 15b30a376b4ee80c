import { describe, expect, it } from 'vitest';
import { objectiveOf, type TrialOutcome } from '../../../../src/research/index.js';
import { chooseBest, countTraining } from '../../../../src/research/walk-forward/choose-best.js';
import type { Choice } from '../../../../src/research/search/goal.js';
import { aFinishedTrial } from '../../../support/research/trials.js';

const FAILED: TrialOutcome = { status: 'failed', code: 'E_STRATEGY_FAILED', message: 'too fast' };
const IDLE = aFinishedTrial(9, { fills: 0 });
const UNRANKED = aFinishedTrial(null);
const SHARPE = objectiveOf('sharpe');

describe('chooseBest', () => {
  it('returns the best trial with fills, and the first of equal trials', () => {
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

  it('returns the trial with the smallest figure for an objective to minimize', () => {
    const fallOf = (maxDrawdown: number): TrialOutcome => {
      const trial = aFinishedTrial(1);
      return { ...trial, statistics: { ...trial.statistics, maxDrawdown } };
    };

    const outcomes = [fallOf(0.3), fallOf(0.1), fallOf(0.2)];

    expect(chooseBest(outcomes, objectiveOf('maxDrawdown'), 'fold 1')).toBe(1);
  });

  it('refuses a fold without an eligible trial, with the reasons', () => {
    expect(() => chooseBest([FAILED, IDLE, IDLE, UNRANKED], SHARPE, 'fold 3, train part')).toThrow(
      expect.objectContaining({
        code: 'E_FOLD_EMPTY',
        message:
          'fold 3, train part: expected a combination that traded and has a sharpe, received none of 4: 1 failed, 2 did not trade, 1 have no sharpe; take a longer --train, parameters with which it trades, or another --objective; the first that failed: too fast',
      }),
    );
  });
});

describe('chooseBest with constraints on figures', () => {
  const choice: Choice = {
    ...SHARPE,
    constraints: [
      { kind: 'parameters', left: 'fast', operator: '<', right: 'slow' },
      { kind: 'figures', left: 'trades', operator: '>=', right: 5 },
    ],
  };
  const trading = (sharpe: number, trades: number): TrialOutcome => {
    const trial = aFinishedTrial(sharpe);
    return { ...trial, statistics: { ...trial.statistics, trades } };
  };

  it('returns the best combination that meets the constraints, and counts the others as unranked', () => {
    const outcomes = [trading(3, 4), trading(1, 5), trading(2, 6)];

    expect(chooseBest(outcomes, choice, 'fold 1')).toBe(2);
    expect(countTraining(outcomes, choice)).toMatchObject({ combinations: 3, unranked: 1 });
  });

  it('rejects a fold in which no combination meets the constraints, and suggests another constraint', () => {
    expect(() => chooseBest([trading(3, 4), FAILED], choice, 'fold 1')).toThrow(
      expect.objectContaining({
        code: 'E_FOLD_EMPTY',
        message:
          'fold 1: expected a combination that traded, keeps the constraints and has a sharpe, received none of 2: 1 failed, 0 did not trade, 1 break a constraint or have no sharpe; take a longer --train, or another --constraint or --objective; the first that failed: too fast',
      }),
    );
  });
});

describe('advice of chooseBest', () => {
  it.each([
    ['that trade', [IDLE], '; take a longer --train, or parameters with which it trades'],
    ['of another figure', [UNRANKED], '; take a longer --train, or another --objective'],
    ['that do not fail', [FAILED], '; the first that failed: too fast'],
  ])('explains the lack of combinations %s', (_, outcomes, advice) => {
    expect(() => chooseBest(outcomes, SHARPE, 'fold 1')).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(`no sharpe${advice}$`)) as string,
      }),
    );
  });
});

describe('countTraining', () => {
  it('counts trials that cannot be chosen, by reason', () => {
    expect(countTraining([FAILED, IDLE, aFinishedTrial(1), UNRANKED], SHARPE)).toEqual({
      combinations: 4,
      failed: 1,
      idle: 1,
      unranked: 1,
    });
  });
});
