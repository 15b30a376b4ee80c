import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/engine/index.js';
import { realitySteps } from '../../../../src/research/statistics/reality-check.js';
import {
  drawStationaryPath,
  estimateBlockLengths,
  optimalBlockLengths,
} from '../../../../src/research/statistics/stationary-bootstrap.js';
import { checkReality, finishSteps } from '../../../support/research/without-pauses.js';

const DAYS = 40;
const DRAWS = 203;
const MEAN_BLOCK = 4;

/** Six trials with shifts that make some good and some so bad that SPA drops them, one of them flat. */
function drawTrials(seed: number): readonly Float64Array[] {
  const random = createRandom(seed);
  const shifts = [0.2, 0, -0.1, -1.5, 0.05];
  return [
    ...shifts.map((shift) => Float64Array.from({ length: DAYS }, () => shift + random() - 0.5)),
    new Float64Array(DAYS),
  ];
}

describe('checkReality', () => {
  it.each([1, 2, 3])('equals sums along the drawn paths, seed %d', (seed) => {
    const columns = drawTrials(seed);
    const found = checkReality(
      { days: DAYS, columns },
      { random: createRandom(seed), meanBlock: MEAN_BLOCK, draws: DRAWS },
    );
    const direct = directly(columns, seed);
    expect(found.white.statistic).toBeCloseTo(direct.white, 12);
    expect(found.spa.statistic).toBeCloseTo(direct.spa, 12);
    expect([found.white.p, found.spa.lower, found.spa.consistent, found.spa.upper]).toEqual(
      direct.p,
    );
    expect(found.spa.lower).toBeLessThanOrEqual(found.spa.consistent);
    expect(found.spa.consistent).toBeLessThanOrEqual(found.spa.upper);
  });

  it('finds a lead of half a standard error in about a third of the draws, not in all', () => {
    // Pairs of opposite returns around a mean of half a standard error.
    const days = 400;
    const column = Float64Array.from(
      { length: days },
      (_, day) => (day % 2 === 0 ? 1 : -1) * (1 + (day % 7)) + (0.5 * 4.47) / Math.sqrt(days),
    );
    const found = checkReality(
      { days, columns: [column] },
      { random: createRandom(5), meanBlock: 1, draws: 1_000 },
    );
    expect(found.spa.statistic).toBeCloseTo(0.5, 1);
    for (const p of [found.white.p, found.spa.lower, found.spa.consistent, found.spa.upper]) {
      expect(p).toBeGreaterThan(0.25);
      expect(p).toBeLessThan(0.37);
    }
  });

  it('subtracts a benchmark from the returns', () => {
    const columns = drawTrials(4);
    const benchmark = Float64Array.from({ length: DAYS }, (_, day) => Math.sin(day) / 10);
    const options = { meanBlock: MEAN_BLOCK, draws: DRAWS };
    const less = columns.map((column) => column.map((value, day) => value - (benchmark[day] ?? 0)));
    expect(
      checkReality({ days: DAYS, columns }, { ...options, random: createRandom(4), benchmark }),
    ).toEqual(checkReality({ days: DAYS, columns: less }, { ...options, random: createRandom(4) }));
  });

  it('returns p-values of 1 if no trial trades', () => {
    const columns = [new Float64Array(DAYS), new Float64Array(DAYS)];
    const found = checkReality(
      { days: DAYS, columns },
      { random: createRandom(1), meanBlock: 1, draws: 8 },
    );
    expect(found.white.p).toBe(1);
    expect(found.spa).toEqual({ statistic: 0, lower: 1, consistent: 1, upper: 1 });
  });

  it('reports its progress', () => {
    const seen: number[] = [];
    finishSteps(
      realitySteps(
        { days: DAYS, columns: drawTrials(1) },
        { random: createRandom(1), meanBlock: 2, draws: 10 },
      ),
      (done) => seen.push(done),
    );
    expect(seen).toEqual([0.4, 0.8, 1]);
  });

  it('refuses a sample without trials', () => {
    expect(() =>
      checkReality({ days: 10, columns: [] }, { random: createRandom(1), meanBlock: 1 }),
    ).toThrow(expect.objectContaining({ code: 'E_SAMPLE' }));
  });
});

/** The computation as in the papers: walks each path and takes each sum day by day. */
function directly(
  columns: readonly Float64Array[],
  seed: number,
): { readonly white: number; readonly spa: number; readonly p: readonly number[] } {
  const random = createRandom(seed);
  const root = Math.sqrt(DAYS);
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const facts = columns.map((column) => {
    const mean = meanOf([...column]);
    const covariance = (lag: number): number => {
      let sum = 0;
      for (let day = 0; day + lag < DAYS; day += 1)
        sum += ((column[day] ?? 0) - mean) * ((column[day + lag] ?? 0) - mean);
      return sum / DAYS;
    };
    let square = covariance(0);
    const q = 1 / MEAN_BLOCK;
    for (let lag = 1; lag < DAYS; lag += 1) {
      const weight =
        ((DAYS - lag) / DAYS) * (1 - q) ** lag + (lag / DAYS) * (1 - q) ** (DAYS - lag);
      square += 2 * weight * covariance(lag);
    }
    return { mean, omega: Math.sqrt(Math.max(0, square)) };
  });
  const moving = facts.filter(({ omega }) => omega > 1e-12);
  const white = root * Math.max(...facts.map(({ mean }) => mean));
  const spa = Math.max(0, ...moving.map(({ mean, omega }) => (root * mean) / omega));
  const reached = [0, 0, 0, 0];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const path = drawStationaryPath(DAYS, MEAN_BLOCK, random);
    const means = columns.map((column) => meanOf([...path].map((day) => column[day] ?? 0)));
    const most = (center: (fact: { mean: number; omega: number }) => number): number =>
      Math.max(
        0,
        ...facts.map((fact, index) =>
          fact.omega > 1e-12 ? (root * ((means[index] ?? 0) - center(fact))) / fact.omega : 0,
        ),
      );
    const bound = (omega: number): number =>
      -(omega / root) * Math.sqrt(2 * Math.log(Math.log(DAYS)));
    const maxima = [
      root * Math.max(...facts.map(({ mean }, index) => (means[index] ?? 0) - mean)),
      most(({ mean }) => Math.max(0, mean)),
      most(({ mean, omega }) => (mean >= bound(omega) ? mean : 0)),
      most(({ mean }) => mean),
    ];
    for (const [index, value] of maxima.entries())
      if (value >= (index === 0 ? white : spa)) reached[index] = (reached[index] ?? 0) + 1;
  }
  return { white, spa, p: reached.map((count) => count / DRAWS) };
}

describe('drawStationaryPath', () => {
  it('moves row by row around the end, and jumps once per mean block', () => {
    const length = 50_000;
    const path = drawStationaryPath(length, 5, createRandom(7));
    const jumps = path.filter(
      (row, index) => index > 0 && row !== ((path[index - 1] ?? 0) + 1) % length,
    ).length;
    // Binomial with p = 1/5: a standard error of 89.
    expect(Math.abs(jumps - length / 5)).toBeLessThan(4 * 89.5);
    expect(Math.min(...path)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...path)).toBeLessThan(length);
  });
});

describe('block lengths', () => {
  const [phi, count] = [0.3, 10_000];

  it('are 16.32 and 18.68 for the population AR(1) 0.3', () => {
    const lengths = optimalBlockLengths((1 + phi) / (1 - phi), (2 * phi) / (1 - phi) ** 2, count);
    expect(lengths.stationary).toBeCloseTo(16.32, 2);
    expect(lengths.circular).toBeCloseTo(18.68, 2);
  });

  it('are estimated as 15.2 and 17.4 in the mean of 30 seeds', () => {
    const found = Array.from({ length: 30 }, (_, seed) =>
      estimateBlockLengths(drawAutoregressive(createRandom(seed + 1), count, phi)),
    );
    const meanOf = (list: readonly number[]): number =>
      list.reduce((sum, value) => sum + value, 0) / list.length;
    // The standard deviations of one estimate are 0.9 and 1.0. The limits are three standard errors of the mean of 30.
    expect(Math.abs(meanOf(found.map(({ stationary }) => stationary)) - 15.2)).toBeLessThan(0.5);
    expect(Math.abs(meanOf(found.map(({ circular }) => circular)) - 17.4)).toBeLessThan(0.55);
  });

  it('law: a constant that is added to all returns changes nothing', () => {
    const series = drawAutoregressive(createRandom(3), 500, 0.4);
    const { stationary, circular } = estimateBlockLengths(series);
    const moved = estimateBlockLengths(series.map((value) => value + 8));
    expect(moved.stationary).toBeCloseTo(stationary, 9);
    expect(moved.circular).toBeCloseTo(circular, 9);
  });

  it('are 1 for a constant series', () => {
    expect(estimateBlockLengths(new Float64Array(50))).toEqual({ stationary: 1, circular: 1 });
  });
});

function drawAutoregressive(random: () => number, count: number, phi: number): Float64Array {
  const series = new Float64Array(count);
  let value = 0;
  for (let index = -100; index < count; index += 1) {
    // Box, Muller 1958.
    value = phi * value + Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    if (index >= 0) series[index] = value;
  }
  return series;
}
