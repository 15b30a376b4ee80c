import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { probabilityOfOverfitting } from '../../../support/research/without-pauses.js';

/** The T×N matrix, as papers print it. */
const ROWS = [
  [5, -1, 2, 0],
  [1, 1, 5, -4],
  [-3, 5, 0, 5],
  [5, -5, -5, 4],
  [-5, 5, 6, 0],
  [-4, 3, 2, 2],
  [-3, -5, -2, 6],
  [1, 5, -3, 0],
  [-4, 5, 0, 0],
  [2, 3, 3, -2],
  [-1, 1, 0, 1],
  [-1, 3, -5, -1],
];

function columnsOf(rows: readonly (readonly number[])[]): readonly Float64Array[] {
  return (rows[0] ?? []).map((_, trial) => Float64Array.from(rows, (row) => row[trial] ?? NaN));
}

const GOLDEN = { days: ROWS.length, columns: columnsOf(ROWS) };

describe('probabilityOfOverfitting', () => {
  it('is 1/2 for the known matrix by the mean, whose best trial loses in 7 of 20 halves', () => {
    const found = probabilityOfOverfitting(GOLDEN, { blocks: 6, metric: 'mean' });
    expect(found).toMatchObject({
      splits: 20,
      droppedDays: 0,
      probability: 1 / 2,
      lossProbability: 7 / 20,
    });
  });

  it('is 3/5 for the known matrix by the Sharpe ratio', () => {
    expect(probabilityOfOverfitting(GOLDEN, { blocks: 6 }).probability).toBe(3 / 5);
  });

  it('drops days at the start that do not fill a block', () => {
    const longer = columnsOf([[99, 0, 0, 0], [0, -99, 0, 0], ...ROWS]);
    const found = probabilityOfOverfitting(
      { days: longer[0]?.length ?? 0, columns: longer },
      { blocks: 6 },
    );
    expect(found).toEqual({
      ...probabilityOfOverfitting(GOLDEN, { blocks: 6 }),
      droppedDays: 2,
    });
  });

  it('is 0 if a trial is the best in every half', () => {
    const columns = [0.01, 0.02, 0.05].map((mean) =>
      Float64Array.from({ length: 64 }, (_, day) => mean + (day % 2 === 0 ? 0.001 : -0.001)),
    );
    const found = probabilityOfOverfitting({ days: 64, columns }, { metric: 'mean' });
    expect(found).toMatchObject({ splits: 12_870, probability: 0, lossProbability: 0 });
    expect(found.logits.every((logit) => logit === Math.log(3))).toBe(true);
  });

  it.each([0.1, 0.3])('has no slope if all figures inside are equal: %d', (value) => {
    const columns = [1, 2, 3].map((factor) => new Float64Array(36).fill(factor * value));

    for (const blocks of [2, 4, 6])
      expect(
        probabilityOfOverfitting({ days: 36, columns }, { blocks, metric: 'mean' }).slope,
      ).toBeUndefined();
  });

  it('averages equal ranks, so identical trials are in the middle', () => {
    const column = Float64Array.from({ length: 32 }, (_, day) => Math.sin(day * 7));
    const { logits } = probabilityOfOverfitting({ days: 32, columns: [column, column, column] });
    expect(logits.every((logit) => logit === 0)).toBe(true);
  });

  it('gives a trial that never trades a Sharpe ratio of 0', () => {
    const columns = [
      new Float64Array(32),
      Float64Array.from({ length: 32 }, (_, day) => -1 - (day % 2)),
    ];
    const found = probabilityOfOverfitting({ days: 32, columns });
    expect(found).toMatchObject({ probability: 0, lossProbability: 0 });
    expect(found.slope).toBeUndefined();
  });

  it.each([
    [{ days: 12, columns: GOLDEN.columns.slice(0, 1) }, { blocks: 6 }, 'at least 2 trials'],
    [GOLDEN, { blocks: 8 }, 'at least 2 trials of 16 days, received 4 of 12'],
    [GOLDEN, { blocks: 5 }, 'an even number of blocks'],
    [GOLDEN, { blocks: 22 }, 'an even number of blocks'],
    [{ ...GOLDEN, days: 13 }, { blocks: 6 }, 'expected 13 days'],
  ])('refuses returns that it cannot split: %#', (returns, options, message) => {
    expect(() => probabilityOfOverfitting(returns, options)).toThrow(
      expect.objectContaining({ code: 'E_SAMPLE', message: expect.stringContaining(message) }),
    );
  });

  it('law: matches ranks found by sorting each half, and the slope of the best of each half', () => {
    let slopes = 0;
    const matrix = fc
      .tuple(
        fc.constantFrom(2, 4, 6),
        fc.integer({ min: 2, max: 5 }),
        fc.integer({ min: 2, max: 4 }),
      )
      .chain(([blocks, trials, perBlock]) =>
        fc.record({
          blocks: fc.constant(blocks),
          metric: fc.constantFrom('mean' as const, 'sharpe' as const),
          columns: fc.array(
            fc.array(fc.integer({ min: -6, max: 6 }), {
              minLength: blocks * perBlock,
              maxLength: blocks * perBlock,
            }),
            { minLength: trials, maxLength: trials },
          ),
        }),
      );
    fc.assert(
      fc.property(matrix, ({ blocks, metric, columns }) => {
        const days = columns[0]?.length ?? 0;
        const found = probabilityOfOverfitting(
          { days, columns: columns.map((column) => Float64Array.from(column)) },
          { blocks, metric },
        );
        const halves = naiveHalves(columns, blocks, metric);
        expect([...found.logits].sort()).toEqual(halves.map(({ logit }) => logit).sort());
        const slope = naiveSlope(halves);
        if (slope === undefined) expect(found.slope).toBeUndefined();
        else expect(found.slope).toBeCloseTo(slope, 6);
        slopes += slope === undefined ? 0 : 1;
      }),
    );
    expect(slopes).toBeGreaterThan(0);
  });
});

interface NaiveHalf {
  readonly logit: number;
  /** Figure of the best trial in this half. */
  readonly inside: number;
  /** Figure of the same trial in the other half. */
  readonly outside: number;
}

/** A slow reference with lists and sorting, one half after the other. */
function naiveHalves(
  columns: readonly (readonly number[])[],
  blocks: number,
  metric: 'mean' | 'sharpe',
): readonly NaiveHalf[] {
  const days = columns[0]?.length ?? 0;
  const size = days / blocks;
  const halves = Array.from({ length: 2 ** blocks }, (_, mask) => mask).filter(
    (mask) => mask.toString(2).replaceAll('0', '').length === blocks / 2,
  );
  return halves.map((mask) => {
    const isInside = (day: number): boolean => ((mask >> Math.floor(day / size)) & 1) === 1;
    const inside = columns.map((column) =>
      figure(
        column.filter((_, day) => isInside(day)),
        metric,
      ),
    );
    const outside = columns.map((column) =>
      figure(
        column.filter((_, day) => !isInside(day)),
        metric,
      ),
    );
    const most = Math.max(...inside);
    const best = outside[inside.indexOf(most)] ?? NaN;
    const places = outside
      .toSorted((a, b) => a - b)
      .flatMap((value, place) => (value === best ? [place + 1] : []));
    const rank = places.reduce((sum, place) => sum + place, 0) / places.length;
    const logit = Math.log(rank / (columns.length + 1 - rank));
    return { logit, inside: most, outside: best };
  });
}

/** Cov(inside, outside) / Var(inside), unless the figures inside differ by rounding only. */
function naiveSlope(halves: readonly NaiveHalf[]): number | undefined {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const inside = halves.map((half) => half.inside);
  if (Math.max(...inside) - Math.min(...inside) < 1e-9) return undefined;
  const [meanInside, meanOutside] = [mean(inside), mean(halves.map((half) => half.outside))];
  const products = halves.map((half) => (half.inside - meanInside) * (half.outside - meanOutside));
  return mean(products) / mean(inside.map((value) => (value - meanInside) ** 2));
}

/** The figure of whole numbers, so that sums are exact and equal figures compare as equal. */
function figure(values: readonly number[], metric: 'mean' | 'sharpe'): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (metric === 'mean') return mean;
  if (values.every((value) => value === values[0])) return 0;
  const square = values.reduce((sum, value) => sum + value * value, 0);
  return mean / Math.sqrt((square - count * mean * mean) / (count - 1));
}
