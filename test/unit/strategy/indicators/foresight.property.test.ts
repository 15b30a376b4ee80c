import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Candle, CandleColumns } from '../../../../src/domain/index.js';
import { foresee, sma, type PriceSource } from '../../../../src/strategy/index.js';
import { sumWindow, sumWindows } from '../../../../src/strategy/indicators/window-sums.js';
import { candlesOfCloses } from '../../../support/candles.js';

/** Prices whose sums round: cents, and numbers off every grid. */
const prices = fc.oneof(
  fc.integer({ min: 1, max: 3_000_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
);

/** What is announced between two candles: as many of those to come, some of which come with another close. */
const announcements = fc.record({
  every: fc.integer({ min: 1, max: 40 }),
  count: fc.integer({ min: 0, max: 400 }),
  wrongAt: fc.integer({ min: 0, max: 600 }),
});

function columnsOf(candles: readonly Candle[]): CandleColumns {
  const column = (key: keyof CandleColumns): Float64Array =>
    Float64Array.from(candles, (candle) => candle[key]);
  return {
    openTime: column('openTime'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

describe('sumWindows', () => {
  it('gives each window the bits of its own sum, oldest first', () => {
    fc.assert(
      fc.property(
        fc.array(prices, { minLength: 1, maxLength: 120 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 40 }),
        (numbers, length, skipped) => {
          fc.pre(numbers.length >= length);
          const values = Float64Array.from(numbers);
          const sums = new Float64Array(values.length).fill(Number.NaN);
          const first = Math.min(values.length, length - 1 + skipped);

          sumWindows({ values, sums }, length, { first, end: values.length });

          const expected = Float64Array.from(values, (_, row) =>
            row < first ? Number.NaN : sumWindow(values, row - length + 1, row),
          );
          expect(sums).toEqual(expected);
        },
      ),
    );
  });
});

describe('a foreseeing average', () => {
  it('has the bits of one that is told nothing, whatever comes of what was announced', () => {
    fc.assert(
      fc.property(
        fc.array(prices, { minLength: 1, maxLength: 600 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom<PriceSource>('close', 'hlc3', 'ohlc4', 'open', 'volume'),
        announcements,
        (closes, period, source, { every, count, wrongAt }) => {
          const candles = candlesOfCloses(closes);
          const columns = columnsOf(candles);
          columns.close[Math.min(wrongAt, candles.length - 1)] = 7;
          const [told, untold] = [sma(period, source), sma(period, source)];

          for (const [row, candle] of candles.entries()) {
            if (row % every === 0)
              foresee(told, { columns, first: row, end: Math.min(candles.length, row + count) });
            told.update(candle);
            untold.update(candle);

            expect(told.value).toBe(untold.value);
            expect(told.previous).toBe(untold.previous);
          }
        },
      ),
    );
  });

  it('shows nothing of what is announced before it has come', () => {
    const average = sma(2);
    const columns = columnsOf(candlesOfCloses([5, 7, 9]));

    foresee(average, { columns, first: 0, end: 3 });

    expect(average.isReady).toBe(false);
    expect(Object.values(average)).not.toContain(6);
  });
});
