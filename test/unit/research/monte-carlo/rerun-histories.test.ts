import { describe, expect, it } from 'vitest';
import { DAY_MS, parseUtc } from '../../../../src/domain/index.js';
import { rerunHistories } from '../../../../src/research/monte-carlo/rerun-histories.js';
import { TrialCrash, type TrialRunner, type TrialRun } from '../../../../src/research/index.js';
import { aFinishedTrial } from '../../../support/research/trials.js';

const START = parseUtc('2025-01-01');
const DAYS = 40;
const SPAN = { from: START, to: START + DAYS * DAY_MS };
const OWN = { from: START + DAY_MS, values: new Float64Array(DAYS).fill(0.001) };

/** Daily returns of a history that depend only on its seed and the day. */
const earning = (seed: number): TrialRun => ({
  outcome: aFinishedTrial(1),
  returns: { ...OWN, values: OWN.values.map((_, day) => ((seed % (day + 7)) - 3) / 1_000) },
});

function runnerOf(jobs: number, play: (seed: number, place: number) => TrialRun): TrialRunner {
  let place = 0;
  return {
    jobs,
    run: async ({ redraw }) => {
      const at = place;
      place += 1;
      // Runs that begin first do not end first.
      for (let turn = 0; turn < (at % 3) * 2; turn += 1) await Promise.resolve();
      return play(redraw?.seed ?? NaN, at);
    },
    close: async () => undefined,
  };
}

const rerun = (
  runner: TrialRunner,
  over: { readonly seed?: number } = {},
): ReturnType<typeof rerunHistories> =>
  rerunHistories({
    ...{ runner, own: OWN, histories: 25, seed: 1, block: 5, span: SPAN, ruin: 0.05 },
    ...over,
  });

describe('rerunHistories', () => {
  it('returns the same result for any number of jobs, and another for another seed', async () => {
    const one = await rerun(runnerOf(1, earning));
    const four = await rerun(runnerOf(4, earning));
    const other = await rerun(runnerOf(1, earning), { seed: 2 });

    expect(four).toEqual(one);
    expect(other.totalReturn.p50).not.toBe(one.totalReturn.p50);
    expect(one).toMatchObject({ count: DAYS, block: 5, histories: 25, failed: 0 });
    expect(one.totalReturn.run).toBeCloseTo(1.001 ** DAYS - 1, 12);
    expect(one.bands.at(-1)).toMatchObject({ time: SPAN.to });
    expect(1 + one.totalReturn.p50).toBeCloseTo(one.bands.at(-1)?.p50 ?? NaN, 12);
  });

  it('leaves out histories in which the bot fails or crashes, and counts them', async () => {
    const found = await rerun(
      runnerOf(2, (seed, place) => {
        if (place === 3) throw new TrialCrash('out of memory');
        if (place % 5 === 0)
          return { outcome: { status: 'failed', code: 'E_X', message: 'too fast' } };
        return earning(seed);
      }),
    );

    expect(found).toMatchObject({ histories: 19, failed: 6 });
  });

  it('counts a history with equity at or below 0 as a total loss', async () => {
    const found = await rerun(runnerOf(1, () => ({ outcome: aFinishedTrial(null) })));

    expect(found).toMatchObject({ histories: 25, loss: 1, ruin: 1 });
    expect(found.totalReturn).toMatchObject({ p5: -1, p95: -1 });
  });

  it('refuses if all histories fail or the run has too few daily returns', async () => {
    const failing = runnerOf(1, () => ({
      outcome: { status: 'failed', code: 'E_X', message: 'too fast' },
    }));
    const short = { from: OWN.from, values: new Float64Array(29) };

    await expect(rerun(failing)).rejects.toMatchObject({ code: 'E_SAMPLE' });
    await expect(
      rerunHistories({
        ...{ runner: failing, own: short, histories: 1, seed: 1, block: 1, span: SPAN, ruin: 0.5 },
      }),
    ).rejects.toMatchObject({ code: 'E_SAMPLE' });
  });
});
