import { describe, expect, it } from 'vitest';
import { compareOutcomes, repeatTrials } from '../../../src/research/repeat-trials.js';
import { TrialCrash, type TrialOutcome } from '../../../src/research/index.js';
import { aFinishedTrial } from '../../support/research/trials.js';

const outcome = (message: string, code = 'E_STRATEGY_FAILED'): TrialOutcome => ({
  status: 'failed',
  code,
  message,
});

describe('repeatTrials', () => {
  it('repeats two trials, one of them the last, and always the same for a count', async () => {
    const runs: unknown[][] = [];
    for (let round = 0; round < 2; round += 1) {
      const ran: unknown[] = [];
      runs.push(ran);
      const outcomes = Array.from({ length: 50 }, () => outcome('same'));
      const differences = await repeatTrials(outcomes, (n) => {
        ran.push(n);
        return Promise.resolve(outcome('same'));
      });
      expect(differences).toEqual([]);
    }

    expect(runs[0]).toHaveLength(2);
    expect(runs[0]).toContain(49);
    expect(runs[1]).toEqual(runs[0]);
  });

  it('returns trials with another outcome, also after a crash', async () => {
    const outcomes = ['a', 'b'].map((message) => outcome(message));

    const differences = await repeatTrials(outcomes, (n) =>
      n === 0 ? Promise.resolve(outcome('c')) : Promise.reject(new TrialCrash('gone')),
    );

    expect(differences).toEqual([
      { index: 0, alone: outcome('c') },
      { index: 1, alone: outcome('gone', 'E_TRIAL_CRASHED') },
    ]);
  });

  it('does not repeat a trial that crashed its thread', async () => {
    const outcomes = [outcome('a'), outcome('gone', 'E_TRIAL_CRASHED')];
    const ran: unknown[] = [];

    await repeatTrials(outcomes, (n) => {
      ran.push(n);
      return Promise.resolve(outcome('a'));
    });

    expect(ran).toEqual([0]);
  });
});

describe('compareOutcomes', () => {
  it('names the figures that differ', () => {
    expect(
      compareOutcomes(outcome('a'), { ...outcome('b'), code: 'E_OTHER' } as TrialOutcome),
    ).toEqual([
      { name: 'code', sweep: 'E_STRATEGY_FAILED', alone: 'E_OTHER' },
      { name: 'message', sweep: 'a', alone: 'b' },
    ]);
    expect(compareOutcomes(aFinishedTrial(1), aFinishedTrial(2))).toEqual([
      { name: 'statistics.sharpe', sweep: 1, alone: 2 },
    ]);
  });

  it('names the figures that only one outcome has', () => {
    const differences = compareOutcomes(aFinishedTrial(1), outcome('a'));

    expect(differences).toEqual(
      expect.arrayContaining([
        { name: 'status', sweep: 'finished', alone: 'failed' },
        { name: 'equity.final', sweep: '10100.5', alone: null },
        { name: 'message', sweep: null, alone: 'a' },
      ]),
    );
  });
});
