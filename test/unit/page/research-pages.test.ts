import { describe, expect, it } from 'vitest';
import { buildSweepPage, buildWalkForwardPage } from '../../../src/page/index.js';
import {
  describeSignificance,
  luckySharpe,
  momentsOf,
  type Significance,
  type Sweep,
  type WalkForward,
} from '../../../src/research/index.js';
import { aFinishedTrial } from '../../support/research/trials.js';

const DAY = 86_400_000;
const YEAR = Math.sqrt(365);

/** A sweep for a page, whose trials have these Sharpe ratios. */
function aSweep(sharpes: readonly (number | null)[]): Sweep {
  const trials = sharpes.map((sharpe, index) => ({
    ...aFinishedTrial(sharpe, { from: 0, to: 360 * DAY }),
    ...{ index, id: String(index), parameters: { fast: index } },
  }));
  const searched = { strategy: 'Cross', instruments: ['spot:BTCUSDT'], parameters: {} };
  return {
    version: 1,
    sweep: {
      ...{ ...searched, source: 's', ground: 'g', data: 'd', engine: '0.1.0', search: 'grid' },
      ...{ seed: null, objective: 'sharpe', best: 'largest' },
      axes: [{ name: 'fast', values: sharpes.map((_, index) => index) }],
    },
    counts: { combinations: trials.length, finished: trials.length, failed: 0, unranked: 0 },
    ...{ warnings: [], differences: [], best: null, trials },
  };
}

const both = (edition2012: number, edition2026: number): Significance['trial']['psr'] => ({
  edition2012,
  edition2026,
});
const luck = (trials: number, edition2014: number): Record<string, unknown> => ({
  ...{ trials, expectedBest: 1, probability: 0.4 },
  dsr: { edition2014, edition2026: edition2014 / 2 },
});
const histogram = [
  { from: -1, to: 0, count: 3 },
  { from: 0, to: 1, count: 17 },
];

const JUDGED = {
  ...{ version: 1, strategy: 'Cross', data: 'd' },
  trial: {
    ...{ id: '1', parameters: {}, from: 0, to: 360 * DAY, sharpe: 1.2, moments: { count: 360 } },
    ...{ psr: both(0.9, 0.8), minimumDays: both(500, 600) },
  },
  search: {
    ...{
      trials: 8,
      since: null,
      spread: 1,
      luck: { effective: luck(2.5, 0.7), raw: luck(8, 0.3) },
    },
    table: { trials: 8, from: 0, to: 360 * DAY, days: 360, hasTrial: true },
    overfitting: { splits: 20, probability: 0.15, lossProbability: 0.1, histogram },
    reality: { draws: 1_000, spa: { consistent: 0.3 } },
    haircut: { tests: 8, sidak: { sharpe: 0.1 } },
  },
} as unknown as Significance;

describe('page of a sweep', () => {
  const sharpes = [0.2, 1.4, -0.9, 0.6, 1.1, -1.5, 0.4, 0.3];

  it('marks the Sharpe ratio that luck alone reaches, and the best Sharpe ratio', () => {
    const page = buildSweepPage(aSweep(sharpes));

    const variance = momentsOf(sharpes.map((sharpe) => sharpe / YEAR))?.variance ?? NaN;
    const expected = luckySharpe({ trials: 8, variance }) * YEAR;
    const [lucky, best] = page.sharpeMarks;
    expect(lucky?.at).toBeCloseTo(expected, 12);
    expect(best?.at).toBe(1.4);
    expect(page.notes.find(({ label }) => label === 'Luck')?.lines[0]).toContain(
      `8 trials of Cross on these data; by luck alone such a search reaches a best sharpe of 1.40 in `,
    );
    expect(page.significance).toBeNull();
  });

  it('does not tell what luck reaches on average where fewer than two trials have a Sharpe ratio', () => {
    const { notes, sharpeMarks } = buildSweepPage(aSweep([1.4, null, null]));

    expect(sharpeMarks).toEqual([{ at: 1.4, text: 'best' }]);
    expect(notes.find(({ label }) => label === 'Luck')?.lines[0]).toMatch(/ % of cases$/);
  });

  it('includes the marks in the histogram, with bins of equal width', () => {
    // Trials with very different losses: the Sharpe ratio that luck alone reaches is far above them.
    const { sharpe, sharpeMarks } = buildSweepPage(aSweep([-9, -5, -0.1, -7, -3, -8]));

    const at = sharpeMarks[0]?.at ?? NaN;
    expect(at).toBeGreaterThan(1);
    expect(sharpe.at(-1)?.to).toBeGreaterThanOrEqual(at);
    expect(sharpe.reduce((sum, { count }) => sum + count, 0)).toBe(6);
    const widths = sharpe.map(({ from, to }) => (to - from).toFixed(9));
    expect(new Set(widths).size).toBe(1);
  });

  it('writes the figures of the best trial with the minus sign of the other figures', () => {
    const best = {
      ...{ index: 0, parameters: { fast: -3 }, figure: -0.51239, median: -1.5, neighbors: [] },
      ...{ neighborMedian: -0.9, peak: 'supported' as const, edges: [] },
    };

    const { notes } = buildSweepPage({ ...aSweep(sharpes), best });

    expect(notes.find(({ label }) => label === 'Best')?.lines).toEqual([
      'fast -3: sharpe −0.5124; median of all −1.5, of its neighbors −0.9',
    ]);
  });

  it('marks trials that break a constraint on figures', () => {
    const plain = aSweep([2, 1, null]);
    const constraints = [
      { kind: 'figures', left: 'sharpe', operator: '<', right: 1.5 } as const,
    ] as const;
    const bound = {
      ...plain,
      sweep: { ...plain.sweep, constraints },
      counts: { ...plain.counts, unranked: 2 },
    };

    const { trials, notes, title } = buildSweepPage(bound);

    expect(trials.map(({ figure, isLeftOut }) => [figure, isLeftOut])).toEqual([
      [2, true],
      [1, false],
      [null, false],
    ]);
    expect(title).toContain('where sharpe < 1.5');
    expect(notes[0]?.lines[0]).toContain('2 that break a constraint or have no figure for sharpe');
    expect(buildSweepPage(plain).trials.some(({ isLeftOut }) => isLeftOut)).toBe(false);
  });

  it('shows a judgment as text, bands and logits', () => {
    const { significance } = buildSweepPage(aSweep(sharpes), JUDGED);

    expect(significance?.notes.map(({ lines }) => lines[0])).toEqual(
      describeSignificance(JUDGED).map(({ text }) => text),
    );
    expect(significance?.bands).toEqual([
      { label: 'PSR, editions of 2012 and 2026', from: 0.8, to: 0.9 },
      { label: 'DSR of 2014, 2.5 to 8 trials', from: 0.3, to: 0.7 },
      { label: 'DSR of 2026, 2.5 to 8 trials', from: 0.15, to: 0.35 },
    ]);
    expect(significance?.logits).toEqual(histogram);
  });

  it('shows the known figures of a judgment without a search', () => {
    const { significance } = buildSweepPage(aSweep(sharpes), { ...JUDGED, search: null });

    expect(significance?.bands).toHaveLength(1);
    expect(significance?.logits).toEqual([]);
  });
});

describe('page of a walk', () => {
  const run = (sharpe: number): WalkForward['folds'][number]['inside'] => ({
    ...{ id: '1', annualReturn: 0.2 },
    ...aFinishedTrial(sharpe),
  });
  const fold = {
    ...{ train: { from: 0, to: 40 * DAY }, test: { from: 40 * DAY, to: 50 * DAY } },
    ...{ parameters: { fast: 5 }, inside: run(2), outside: run(0.5), efficiency: 0.5 },
  };
  const walk = {
    walkForward: {
      ...{ strategy: 'Cross', instruments: ['spot:BTCUSDT'], window: 'rolling', from: 0 },
      ...{ train: 40, test: 10, step: 10, to: 50 * DAY, objective: 'sharpe', best: 'largest' },
      axes: [{ name: 'fast', values: [5] }],
    },
    ...{ warnings: [], differences: [], drift: [{ name: 'fast', changes: 0, drift: null }] },
    outside: {
      ...{ totalReturn: 0.1, sharpe: 0.5, efficiency: 0.5, profitable: 1, maxDrawdown: 0.2 },
      ...{ annualReturn: 0.1, insideAnnualReturn: 0.2 },
      luck: { trials: 4, lucky: 1.5, dsr2014: 0.2, dsr2026: 0.1 },
    },
    folds: [fold],
    curve: [
      { time: 40 * DAY, value: 1 },
      { time: 50 * DAY, value: 1.1 },
    ],
  } as unknown as WalkForward;

  it('shows the curve, the folds and the bands of luck', () => {
    const page = buildWalkForwardPage(walk);

    expect(page.curve).toEqual([
      [40 * DAY, 1],
      [50 * DAY, 1.1],
    ]);
    expect(page.starts).toEqual([40 * DAY]);
    expect(page.folds.rows[0]?.slice(0, 5)).toEqual(['1', '1970-02-10', '5', '2.00', '0.50']);
    expect(page.bands).toEqual([
      { label: 'DSR of the tests, editions of 2014 and 2026', from: 0.1, to: 0.2 },
    ]);
    expect(page.notes[0]?.lines[0]).toContain(
      'without an edge, the best of 4 training runs is expected',
    );
    expect(buildWalkForwardPage(walk, JUDGED).significance?.bands).toHaveLength(3);
  });
});
