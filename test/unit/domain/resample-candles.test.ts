import { describe, expect, it } from 'vitest';

import {
  canResample,
  HOUR_MS,
  INTERVALS,
  MINUTE_MS,
  parseUtc,
  resampleCandles,
  sumVolumes,
  type Interval,
} from '../../../src/domain/index.js';
import { columnsFrom, columnsOf, rowsOf } from '../../support/candle-columns.js';
import { failureOf } from '../../support/failure.js';

const NOON = parseUtc('2025-06-01T12:00:00Z');

describe('resampleCandles', () => {
  it('builds a candle of one hour from its 60 minutes', () => {
    const minutes = columnsFrom(NOON, 60, MINUTE_MS);

    const { columns, missing, dropped } = resampleCandles(minutes, '1min', '1h');

    // Opens 100 … 159, highs 102.5 above them, closes one above: the last closes at 160. Volumes 0 + 1 + … + 59 = 1770.
    expect(rowsOf(columns)).toEqual({
      openTime: [NOON],
      open: [100],
      high: [161.5],
      low: [99.25],
      close: [160],
      volume: [1770],
    });
    expect([...missing]).toEqual([0]);
    expect(dropped).toBe(0);
  });

  it('takes open and close from the first and last existing candle, and counts the missing ones', () => {
    const minutes = columnsOf([
      { time: NOON + 3 * MINUTE_MS, open: 50, high: 52, low: 49, close: 51, volume: 0.1 },
      { time: NOON + 58 * MINUTE_MS, open: 70, high: 71, low: 40, close: 60, volume: 0.2 },
    ]);

    const { columns, missing } = resampleCandles(minutes, '1min', '1h');

    expect(rowsOf(columns)).toEqual({
      openTime: [NOON],
      open: [50],
      high: [71],
      low: [40],
      close: [60],
      volume: [0.3],
    });
    expect([...missing]).toEqual([58]);
  });

  it('makes no candle for a period without candles', () => {
    const minutes = columnsOf([{ time: NOON }, { time: NOON + 2 * HOUR_MS }]);

    const { columns } = resampleCandles(minutes, '1min', '1h');

    expect([...columns.openTime]).toEqual([NOON, NOON + 2 * HOUR_MS]);
  });

  it('drops and counts incomplete candles if only complete ones are requested', () => {
    // 15 minutes. The second five minutes lack their last minute.
    const rows = Array.from({ length: 15 }, (_, minute) => ({ time: NOON + minute * MINUTE_MS }));
    const minutes = columnsOf(rows.filter((_, minute) => minute !== 9));

    const { columns, missing, dropped } = resampleCandles(minutes, '1min', '5min', {
      complete: 'all',
    });

    expect([...columns.openTime]).toEqual([NOON, NOON + 10 * MINUTE_MS]);
    expect([...missing]).toEqual([0, 0]);
    expect(dropped).toBe(1);
  });

  it.each<readonly [string, Interval, string, number]>([
    // 1 June 2025 is a Sunday, the last day of its week; a week has seven days.
    ['2025-06-01T00:00:00Z', '1week', '2025-05-26T00:00:00Z', 6],
    ['2025-06-02T00:00:00Z', '1week', '2025-06-02T00:00:00Z', 6],
    ['2024-02-29T00:00:00Z', '1month', '2024-02-01T00:00:00Z', 28],
    ['2025-02-01T00:00:00Z', '1month', '2025-02-01T00:00:00Z', 27],
  ])('puts the day %s into the %s of %s', (day, to, openTime, lacking) => {
    const { columns, missing } = resampleCandles(columnsOf([{ time: parseUtc(day) }]), '1day', to);

    expect([...columns.openTime]).toEqual([parseUtc(openTime)]);
    expect([...missing]).toEqual([lacking]);
  });

  it('returns the same candles for the same interval, months included', () => {
    const months = columnsOf([
      { time: parseUtc('2025-01-01') },
      { time: parseUtc('2025-02-01'), volume: 0.12345678901 },
    ]);

    const { columns, missing } = resampleCandles(months, '1month', '1month');

    expect(rowsOf(columns)).toEqual(rowsOf(months));
    expect([...missing]).toEqual([0, 0]);
  });

  it('returns no candles without candles to resample', () => {
    expect(resampleCandles(columnsOf([]), '1min', '1h').columns.openTime).toHaveLength(0);
  });

  it.each<readonly [Interval, Interval]>([
    ['3min', '5min'],
    ['1h', '1min'],
    ['4h', '6h'],
    ['1week', '1month'],
    ['1month', '1week'],
  ])('refuses to resample %s to %s', (from, to) => {
    const error = failureOf(() => resampleCandles(columnsFrom(NOON, 1, 1), from, to));

    expect(error).toMatchObject({
      code: 'E_RESAMPLE_INTERVAL',
      message: `expected an interval that consists of whole candles of ${from}, received ${to}`,
    });
  });

  it.each([
    ['off the grid', [NOON, NOON + 1], 'received 2025-06-01T12:00:00.001Z'],
    ['twice', [NOON, NOON], 'after 2025-06-01T12:00:00Z, received 2025-06-01T12:00:00Z'],
    ['not rising', [NOON, NOON - MINUTE_MS], 'received 2025-06-01T11:59:00Z'],
    ['none', [NOON, Number.NaN], 'received NaN'],
  ])('names the row with an invalid time: %s', (_, times, received) => {
    const columns = columnsOf(times.map((time) => ({ time })));

    const error = failureOf(() => resampleCandles(columns, '1min', '1h'));

    expect(error).toMatchObject({ code: 'E_RESAMPLE_ROW' });
    expect(String(error)).toContain('row 1: expected the start of a candle of 1min');
    expect(String(error)).toContain(received);
  });
});

describe('canResample', () => {
  it('is true from one minute to every interval', () => {
    expect(INTERVALS.filter((interval) => canResample('1min', interval))).toEqual(INTERVALS);
  });

  it('is true to one month from every interval except one week', () => {
    const below = INTERVALS.filter((interval) => canResample(interval, '1month'));

    expect(below).toEqual(INTERVALS.filter((interval) => interval !== '1week'));
  });
});

describe('sumVolumes', () => {
  it('adds decimals without float64 errors', () => {
    const tenths = new Float64Array(10).fill(0.1);

    // Ten additions of 0.1 give 0.9999999999999999.
    expect(sumVolumes(tenths, 0, 10)).toBe(1);
  });

  it('stays exact beyond the eighth decimal and beyond fifteen digits', () => {
    expect(sumVolumes(Float64Array.of(1e-12, 2e-12), 0, 2)).toBe(3e-12);
    expect(sumVolumes(Float64Array.of(1e15, 1e15, 0.5), 0, 3)).toBe(2_000_000_000_000_000.5);
    // As whole numbers of 10^-5, of 10^-3 and of 1.
    expect(sumVolumes(Float64Array.of(1e8, 0.1, 0.2), 0, 3)).toBe(100_000_000.3);
    expect(sumVolumes(Float64Array.of(1e11, 0.1, 0.2), 0, 3)).toBe(100_000_000_000.3);
    expect(sumVolumes(Float64Array.of(9e14, 1), 0, 2)).toBe(900_000_000_000_001);
  });

  it('adds only the requested rows', () => {
    expect(sumVolumes(Float64Array.of(1, 2, 4, 8), 1, 3)).toBe(6);
    expect(sumVolumes(Float64Array.of(1, 2), 1, 1)).toBe(0);
  });

  it('refuses a value that is not a number', () => {
    expect(failureOf(() => sumVolumes(Float64Array.of(1, Number.NaN), 0, 2))).toMatchObject({
      code: 'E_DECIMAL',
    });
  });
});
