import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  adx,
  atr,
  bollinger,
  ema,
  highest,
  kama,
  lowest,
  mfi,
  rsi,
  sma,
  stochastic,
  supertrend,
  vwap,
  wma,
} from '../../../../src/strategy/index.js';
import { candles } from '../../../support/arbitraries/candles.js';

/** Room for the last bits of sums, as a fraction of the larger bound. */
const ROUNDING = 1e-12;

const period = fc.integer({ min: 1, max: 10 });
const run = candles({ minLength: 25, maxLength: 60 });

function expectWithin(value: number, low: number, high: number): void {
  const room = ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  expect(value).toBeGreaterThanOrEqual(low - room);
  expect(value).toBeLessThanOrEqual(high + room);
}

describe('bounds of indicators', () => {
  it('oscillators stay from 0 to 100', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const movement = adx(length);
        const oscillator = stochastic({ period: length });
        const [strength, flow] = [rsi(length), mfi(length)];

        for (const candle of series) {
          for (const each of [movement, oscillator, strength, flow]) each.update(candle);
        }

        const lines = [oscillator.k, oscillator.d, strength, flow, movement];
        for (const line of [...lines, movement.plusDi, movement.minusDi]) {
          expectWithin(line.value, 0, 100);
        }
      }),
    );
  });

  it('averages of a window stay between its lowest and highest price', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const [bottom, top] = [lowest(length), highest(length)];
        const averages = [sma(length), wma(length), vwap(length)];

        for (const candle of series) {
          for (const indicator of [bottom, top, ...averages]) indicator.update(candle);
        }

        for (const average of averages) expectWithin(average.value, bottom.value, top.value);
      }),
    );
  });

  it('averages without a window stay between the lowest and highest price of all candles', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const averages = [ema(length), kama(length)];

        for (const candle of series) for (const average of averages) average.update(candle);

        const closes = series.map((candle) => candle.close);
        for (const average of averages) {
          expectWithin(average.value, Math.min(...closes), Math.max(...closes));
        }
      }),
    );
  });

  it('ranges are never negative and bands never cross', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const [range, bands] = [atr(length), bollinger(length)];

        for (const candle of series) for (const each of [range, bands]) each.update(candle);

        expect(range.value).toBeGreaterThanOrEqual(0);
        expectWithin(bands.middle.value, bands.lower.value, bands.upper.value);
      }),
    );
  });

  it('the supertrend line is never above the close of an up trend, nor below the close of a down trend', () => {
    fc.assert(
      fc.property(period, fc.integer({ min: 1, max: 4 }), run, (length, multiplier, series) => {
        const trend = supertrend(length, multiplier);

        for (const candle of series) {
          trend.update(candle);

          if (!trend.isReady) continue;
          const gap = trend.isUp ? candle.close - trend.value : trend.value - candle.close;
          expect(gap).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
