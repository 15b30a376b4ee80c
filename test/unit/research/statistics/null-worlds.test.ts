/**
 * Worlds without any edge, and worlds with one edge: the results of the methods on them, as docs/significance.md prints them.
 * 100 trials, 720 days, normal returns. Only in the long mode.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/engine/index.js';
import {
  deflatedSharpe2014,
  momentsOf,
  sharpeOf,
  type ReturnMoments,
} from '../../../../src/research/index.js';
import {
  checkReality,
  probabilityOfOverfitting,
} from '../../../support/research/without-pauses.js';

const TRIALS = 100;
const DAYS = 720;
/** Standard deviation of a daily return, 2 %. */
const SPREAD = 0.02;
const SHARE_WORLDS = 1_000;

interface World {
  readonly common: Float64Array;
  readonly own: readonly Float64Array[];
}

/** Standard normal draws, by pairs. @see Source: Box, Muller 1958 */
function fillNormal(column: Float64Array, random: () => number): Float64Array {
  for (let index = 0; index < column.length; index += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    column[index] = radius * Math.cos(angle);
    column[index + 1] = radius * Math.sin(angle);
  }
  return column;
}

function drawWorld(random: () => number, trials = TRIALS): World {
  const draw = (): Float64Array => fillNormal(new Float64Array(DAYS), random);
  return { common: draw(), own: Array.from({ length: trials }, draw) };
}

/** Trials without an edge, with this correlation to each other. */
function mix({ common, own }: World, correlation: number): readonly Float64Array[] {
  const [shared, alone] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  return own.map((column) =>
    column.map((value, day) => SPREAD * (shared * (common[day] ?? 0) + alone * value)),
  );
}

function meanOf(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length;
}

function errorOfMean(list: readonly number[]): number {
  const mean = meanOf(list);
  const spread = list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (list.length - 1);
  return Math.sqrt(spread / list.length);
}

/** Deflated Sharpe ratio of the best, by the raw number of trials and the variance of their Sharpe ratios. */
function deflatedBest(trials: readonly ReturnMoments[]): number {
  const sharpes = trials.map(sharpeOf);
  const mean = meanOf(sharpes);
  const variance =
    sharpes.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sharpes.length - 1);
  const best = sharpes.indexOf(Math.max(...sharpes));
  const { count, skewness, kurtosis } = trials[best] as ReturnMoments;
  const sample = { sharpe: sharpes[best] as number, count, skewness, kurtosis };
  return deflatedSharpe2014(sample, { trials: trials.length, variance });
}

describe.runIf(process.env['EVENKEEL_LONG'] === '1')('worlds without an edge', () => {
  const overfittingOf = (fee: (trial: number) => number, trials = TRIALS): readonly number[] => {
    const random = createRandom(11);
    return Array.from({ length: 200 }, () => {
      const columns = mix(drawWorld(random, trials), 0).map((column, trial) =>
        column.map((value) => value - fee(trial)),
      );
      return probabilityOfOverfitting({ days: DAYS, columns }).probability;
    });
  };

  it('have a mean PBO of one half', () => {
    const found = overfittingOf(() => 0);
    process.stderr.write(
      `PBO without costs: ${meanOf(found).toFixed(3)} ± ${errorOfMean(found).toFixed(3)}\n`,
    );
    expect(Math.abs(meanOf(found) - 0.5)).toBeLessThan(3 * errorOfMean(found));
  });

  it('have a higher mean PBO with an odd number of trials, since the middle rank counts', () => {
    const found = overfittingOf(() => 0, 9);
    process.stderr.write(
      `PBO of nine trials: ${meanOf(found).toFixed(3)} ± ${errorOfMean(found).toFixed(3)}\n`,
    );
    // (N + 1) ÷ 2N.
    expect(Math.abs(meanOf(found) - 5 / 9)).toBeLessThan(3 * errorOfMean(found));
  });

  it('have a lower PBO with costs, since trials with fewer trades are better out of sample too', () => {
    // Fees of 0.1 % a fill. Trials make from none to one fill a day.
    const found = overfittingOf((trial) => (0.001 * trial) / (TRIALS - 1));
    process.stderr.write(
      `PBO with costs: ${meanOf(found).toFixed(3)} ± ${errorOfMean(found).toFixed(3)}\n`,
    );
    expect(meanOf(found)).toBeLessThan(0.45);
  });

  it('have uniform p-values of the reality check', () => {
    const random = createRandom(12);
    const worlds = 200;
    const found = Array.from({ length: worlds }, () => {
      const columns = mix(drawWorld(random, 20), 0.3);
      return checkReality({ days: DAYS, columns }, { random, meanBlock: 1, draws: 500 }).white.p;
    }).sort((a, b) => a - b);
    const distance = Math.max(
      ...found.map((p, at) => Math.max(p - at / worlds, (at + 1) / worlds - p)),
    );
    process.stderr.write(`Kolmogorov–Smirnov distance: ${distance.toFixed(3)}\n`);
    // 1 % of uniform samples have a larger distance.
    expect(distance).toBeLessThan(1.63 / Math.sqrt(worlds));
  });

  it('rarely have a deflated Sharpe ratio above 0.95, and show a planted edge at the known rate', () => {
    const random = createRandom(13);
    // Known shares, to the last digit that docs/significance.md prints.
    const correlations = [0, 0.3, 0.6, 0.9];
    const luck = ['.00', '.006', '.02', '.045'];
    const planted = [
      { correlation: 0, found: ['.05', '.44', '.89'] },
      { correlation: 0.6, found: ['.26', '.73', '.97'] },
    ];
    const counts = new Map<string, number>();
    const count = (name: string, trials: readonly ReturnMoments[]): void => {
      if (deflatedBest(trials) > 0.95) counts.set(name, (counts.get(name) ?? 0) + 1);
    };
    for (let world = 0; world < SHARE_WORLDS; world += 1) {
      const drawn = drawWorld(random);
      for (const correlation of correlations) {
        const trials = mix(drawn, correlation).map((column) => momentsOf(column) as ReturnMoments);
        count(`luck at ${String(correlation)}`, trials);
        if (!planted.some((row) => row.correlation === correlation)) continue;
        const [first, ...others] = trials as [ReturnMoments, ...ReturnMoments[]];
        for (const annual of [2, 3, 4]) {
          const mean = first.mean + (annual / Math.sqrt(365)) * SPREAD;
          count(`edge ${String(annual)} at ${String(correlation)}`, [
            { ...first, mean },
            ...others,
          ]);
        }
      }
    }
    const known = new Map([
      ...correlations.map((at, index) => [`luck at ${String(at)}`, luck[index] ?? ''] as const),
      ...planted.flatMap(({ correlation, found }) =>
        found.map(
          (share, at) => [`edge ${String(at + 2)} at ${String(correlation)}`, share] as const,
        ),
      ),
    ]);
    for (const [name, text] of known) {
      const seen = (counts.get(name) ?? 0) / SHARE_WORLDS;
      process.stderr.write(`${name}: ${seen.toFixed(3)}, known ${text}\n`);
    }
    for (const [name, text] of known) {
      const seen = (counts.get(name) ?? 0) / SHARE_WORLDS;
      const rounding = 0.5 * 10 ** (1 - text.length);
      const most = Number(text) + rounding;
      const error = Math.sqrt((most * (1 - most)) / SHARE_WORLDS);
      expect(Math.abs(seen - Number(text)), name).toBeLessThan(3 * error + rounding);
    }
  });
});
