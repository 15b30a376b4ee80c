import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { unpackCandles } from '../../../src/page/browser/unpack.js';
import { packCandles, type PlainCandle } from '../../../src/page/candles/pack-candles.js';

const MINUTE = 60_000;

/** Prices of any size on a grid of up to 18 decimals. Candles may be missing. */
const series = fc
  .record({
    decimals: fc.nat({ max: 18 }),
    rows: fc.array(
      fc.record({
        skip: fc.nat({ max: 3 }),
        prices: fc.array(fc.nat({ max: 1_000_000_000 }), { minLength: 4, maxLength: 4 }),
      }),
      { maxLength: 30 },
    ),
  })
  .map(({ decimals, rows }) => {
    let time = 1_700_000_040_000;
    return rows.map(({ skip, prices }): PlainCandle => {
      time += (skip + 1) * MINUTE;
      const [low = 0, open = 0, close = 0, high = 0] = prices
        .toSorted((a, b) => a - b)
        .map((units) => Number(`${String(units)}e-${String(decimals)}`));
      return { time, low, open, close, high };
    });
  });

describe('packCandles', () => {
  it('keeps candles exactly through unpackCandles', () => {
    fc.assert(
      fc.property(series, (candles) => {
        const bars = unpackCandles(packCandles(candles, MINUTE));

        const read = candles.map((_, row) => ({
          time: bars.time[row],
          open: bars.open[row],
          high: bars.high[row],
          low: bars.low[row],
          close: bars.close[row],
        }));
        expect(read).toEqual(candles);
      }),
    );
  });

  it.each([
    ['weeks, which open on Mondays', ['2024-01-01', '2024-01-08', '2024-01-22'], 7],
    ['months, which differ in length', ['2024-01-01', '2024-02-01', '2024-03-01'], 30],
  ])('keeps the times of candles of %s', (_name, days, length) => {
    const times = days.map((day) => Date.parse(day));

    const bars = unpackCandles(
      packCandles(
        times.map((time) => ({ time, open: 1, high: 1, low: 1, close: 1 })),
        length * 1440 * MINUTE,
      ),
    );

    expect([...bars.time]).toEqual(times);
    expect(bars.stepMs).toBe(length * 1440 * MINUTE);
  });
});
