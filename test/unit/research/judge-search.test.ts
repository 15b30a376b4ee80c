import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.js';
import {
  bestOf,
  deflatedSharpe2014,
  deflatedSharpe2026,
  judgeAlone,
  judgeSearch,
  luckOfBest,
  momentsOf,
  readReturnsTable,
  readSearch,
  readSignificance,
  sharpeOf,
  writeSignificance,
  type SearchJudgment,
} from '../../../src/research/index.js';
import {
  drawnTrials,
  FIRST_DAY,
  searchedLedger,
  type SearchedDays,
} from '../../support/research/searched-ledger.js';
import { checkReality, probabilityOfOverfitting } from '../../support/research/without-pauses.js';

async function judge(trials: readonly SearchedDays[]): Promise<SearchJudgment> {
  const ledger = await searchedLedger(trials);
  const search = await readSearch(ledger, 'data.trials.jsonl');
  const table = await readReturnsTable(search.known, { ledger, shown: 'data.trials.jsonl' });
  const judged = bestOf(search.known, 'data.trials.jsonl');
  const steps = judgeSearch({ judged, search, table, random: createRandom(1), draws: 100 });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    expect(step.value.done).toBeLessThanOrEqual(1);
  }
}

describe('judgeSearch', () => {
  it('returns the results of the statistical methods on the moments and days of a ledger', async () => {
    const trials = drawnTrials(6, { days: 70 });
    const found = await judge(trials);

    const columns = trials.map(({ values }) => values);
    const moments = columns.map((column) => momentsOf(column) ?? expect.fail());
    const sharpes = moments.map(sharpeOf);
    const sharpe = Math.max(...sharpes);
    const best = moments[sharpes.indexOf(sharpe)] ?? expect.fail();
    const variance = momentsOf(sharpes)?.variance ?? NaN;
    const sample = { ...best, sharpe };
    expect(found.luck.raw.trials).toBe(6);
    expect(found.luck.raw.probability).toBeCloseTo(luckOfBest({ ...sample, trials: 6 }), 12);
    const search = { trials: 6, variance };
    expect(found.luck.raw.dsr.edition2014).toBeCloseTo(deflatedSharpe2014(sample, search), 12);
    expect(found.luck.raw.dsr.edition2026).toBeCloseTo(deflatedSharpe2026(sample, search), 12);
    // (E[max] ÷ annual Sharpe ratio)², with E[max] = 0.42278 · Φ⁻¹(5/6) + 0.57722 · Φ⁻¹(1 − 1/6e).
    expect(found.luck.raw.minimumYears).toBeCloseTo((1.30011 / (sharpe * Math.sqrt(365))) ** 2, 3);
    expect(found.luck.effective.trials).toBeGreaterThan(1);
    expect(found.luck.effective.trials).toBeLessThan(6);
    const { probability, splits, slope } = probabilityOfOverfitting({ days: 70, columns });
    expect(found.overfitting).toMatchObject({ probability, splits, slope, droppedDays: 6 });
    const { meanBlock } = found.reality;
    const random = createRandom(1);
    expect(found.reality).toMatchObject(
      checkReality({ days: 70, columns }, { random, meanBlock, draws: 100 }),
    );
    expect(found.since).toBe(FIRST_DAY);
  });

  it('counts every split in one class of the histogram, and splits up to 0 for the PBO', async () => {
    const { overfitting } = await judge(drawnTrials(5));
    const { histogram, splits, probability } = overfitting;

    const count = (classes: typeof histogram): number =>
      classes.reduce((sum, one) => sum + one.count, 0);
    expect(count(histogram)).toBe(splits);
    expect(count(histogram.filter(({ to }) => to <= 0))).toBe(probability * splits);
    expect(histogram.find(({ from }) => from === 0)?.to).toBeGreaterThan(0);
  });

  it('counts finished trials without daily returns as tests', async () => {
    const [first, ...rest] = drawnTrials(4);
    const flat = { values: new Float64Array(0), isKept: false };
    const found = await judge([...rest, flat, first ?? flat]);

    expect(found).toMatchObject({ trials: 5, haircut: { tests: 5 }, table: { trials: 4 } });
    expect(found.haircut.bonferroni.p).toBeCloseTo(Math.min(1, 5 * found.haircut.p), 12);
  });

  it('knows neither the best of luck nor a DSR of several trials where only one has a Sharpe ratio', async () => {
    const idle = Array.from({ length: 4 }, () => ({ values: new Float64Array(64) }));
    const { luck, spread } = await judge([...drawnTrials(1, { edge: 0.004 }), ...idle]);

    expect(spread).toBeNull();
    expect(luck.raw).toMatchObject({
      ...{ trials: 5, expectedBest: null },
      dsr: { edition2014: null, edition2026: null },
    });
    // As the only trial it is not deflated.
    expect(luck.effective).toMatchObject({ trials: 1, expectedBest: 0 });
    expect(luck.effective.dsr.edition2014).toBeGreaterThan(0.9);
  });

  it('distinguishes an edge from luck', async () => {
    const options = { days: 300, edge: 0.004 };
    const [edge, luck] = [await judge(drawnTrials(8, options)), await judge(drawnTrials(8))];

    expect(edge.reality.spa.consistent).toBe(0);
    expect(edge.overfitting.probability).toBe(0);
    expect(edge.luck.raw.dsr.edition2014).toBeGreaterThan(0.95);
    expect(luck.reality.spa.consistent).toBeGreaterThan(0.05);
    expect(luck.overfitting.probability).toBeGreaterThan(0.1);
  });
});

describe('writeSignificance', () => {
  it('writes a judgment that can be read back, also with a Sharpe ratio beyond every p-value', async () => {
    const steady = Float64Array.from({ length: 64 }, (_, day) => 0.01 + (day % 2) * 1e-4);
    const [, ...rest] = drawnTrials(4);
    const search = await judge([{ values: steady }, ...rest]);
    const moments = momentsOf(steady) ?? expect.fail();
    const trial = judgeAlone({
      ...{ id: 'a'.repeat(64), parameters: {}, returns: undefined, moments },
      ...{ from: FIRST_DAY, to: FIRST_DAY, sharpe: sharpeOf(moments) },
    });
    const strategy = { strategy: 'Cross', data: 'b'.repeat(64) };

    const written = writeSignificance({ version: 1, ...strategy, trial, search });

    expect(search.haircut.p).toBe(0);
    expect(readSignificance(written, 'luck.json').search?.haircut.sidak).toEqual({
      ...{ p: 0, sharpe: null },
    });
  });

  it('rounds to 12 digits, keeps whole numbers, and writes figures that are not finite as null', () => {
    const written = writeSignificance({
      trial: { from: 1_795_706_944_296, sharpe: 1 / 3, minimumDays: Infinity, slope: NaN },
    } as never);
    expect(JSON.parse(written)).toEqual({
      trial: { from: 1_795_706_944_296, sharpe: 0.333333333333, minimumDays: null, slope: null },
    });
  });
});
