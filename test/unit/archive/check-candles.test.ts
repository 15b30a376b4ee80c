import { describe, expect, it } from 'vitest';
import { checkCandles, findGaps, hasDefects, type Finding } from '../../../src/archive/index.js';
import { columnsFrom, columnsOf, type CandleRow } from '../../support/candle-columns.js';

const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 1);
const at = (hour: number, overrides: Partial<CandleRow> = {}): CandleRow => ({
  time: START + hour * HOUR,
  ...overrides,
});

const findingsOf = (rows: readonly CandleRow[]): readonly Finding[] =>
  checkCandles(columnsOf(rows), '1h').findings;

describe('checkCandles', () => {
  it('finds no defect in complete candles', () => {
    const check = checkCandles(columnsFrom(START, 100, HOUR), '1h');

    expect(check).toEqual({
      rows: 100,
      findings: [{ kind: 'zero-volume', isDefect: false, count: 1, rows: [1] }],
      missing: 0,
      longestGaps: [],
    });
    expect(hasDefects(check)).toBe(false);
  });

  it.each([
    ['unordered', [at(1), at(0)]],
    ['duplicate', [at(0), at(0)]],
    ['off-grid', [at(0), at(0.5)]],
    ['not-finite', [at(0), at(1, { close: Number.NaN })]],
    ['not-finite', [at(0), at(1, { volume: Infinity })]],
    ['not-finite', [at(0), at(Number.NaN)]],
    ['not-positive', [at(0), at(1, { low: 0 })]],
    ['not-positive', [at(0), at(1, { volume: -1 })]],
    ['high-below-low', [at(0), at(1, { high: 98 })]],
    ['open-outside', [at(0), at(1, { open: 98 })]],
    ['close-outside', [at(0), at(1, { close: 103 })]],
  ])('finds %s as a defect of its row', (kind, rows) => {
    const check = checkCandles(columnsOf(rows), '1h');

    expect(check.findings).toEqual([{ kind, isDefect: true, count: 1, rows: [2] }]);
    expect(hasDefects(check)).toBe(true);
  });

  it('finds a repeated time even if rows are out of order', () => {
    expect(findingsOf([at(0), at(1), at(2), at(0)])).toEqual([
      { kind: 'unordered', isDefect: true, count: 1, rows: [4] },
      { kind: 'duplicate', isDefect: true, count: 1, rows: [4] },
    ]);
  });

  it('counts all findings of a kind, and lists the first five rows', () => {
    const rows = Array.from({ length: 8 }, (_, hour) => at(hour, { high: 98 }));

    expect(findingsOf(rows)).toEqual([
      { kind: 'high-below-low', isDefect: true, count: 8, rows: [1, 2, 3, 4, 5] },
    ]);
  });

  it('reports gaps, which are defects only if longer than maxGapMs', () => {
    const columns = columnsOf([at(0), at(3), at(4), at(14)]);

    const check = checkCandles(columns, '1h');
    const strict = checkCandles(columns, '1h', { maxGapMs: 2 * HOUR });

    // 01:00 and 02:00 are missing, then 05:00 to 13:00.
    expect(check).toMatchObject({
      missing: 11,
      longestGaps: [
        { afterRow: 3, from: START + 5 * HOUR, to: START + 14 * HOUR, missing: 9 },
        { afterRow: 1, from: START + HOUR, to: START + 3 * HOUR, missing: 2 },
      ],
    });
    expect(hasDefects(check)).toBe(false);
    expect(strict.findings).toContainEqual({
      kind: 'long-gap',
      isDefect: true,
      count: 1,
      rows: [3],
    });
  });
});

describe('findGaps', () => {
  it('counts missing months by the calendar', () => {
    const months = [0, 1, 4].map((month) => Date.UTC(2025, month, 1));

    expect(findGaps(Float64Array.from(months), '1month')).toEqual([
      { afterRow: 2, from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 4, 1), missing: 2 },
    ]);
  });

  it('finds no gap in one row or in an empty column', () => {
    expect(findGaps(Float64Array.of(START), '1h')).toEqual([]);
    expect(findGaps(new Float64Array(), '1h')).toEqual([]);
  });
});
