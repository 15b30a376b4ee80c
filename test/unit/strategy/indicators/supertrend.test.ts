import { describe, expect, it } from 'vitest';

import { supertrend } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { goldenCandles } from './golden/talib.js';

describe('supertrend', () => {
  describeIndicator({
    create: () => supertrend(10),
    lookback: 10,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  // Candles with a range of 2 around their close. Every true range is 2 until price jumps.
  const around = (closes: readonly number[]) =>
    candlesOf(closes.map((close) => ({ close, high: close + 1, low: close - 1 })));

  it('follows a rising price from below and never falls', () => {
    const trend = supertrend(1, 2);

    const values = around([100, 101, 102, 101.5]).map((candle) => {
      trend.update(candle);
      return trend.value;
    });

    // The line is 2 ranges of 2 below the middle. At 101.5 the band would fall, so the line stays.
    expect(values).toEqual([Number.NaN, 97, 98, 98]);
    expect(trend.isUp).toBe(true);
  });

  it('turns when a close crosses it, and then stays above the price', () => {
    const trend = supertrend(1, 1);

    const seen = around([100, 101, 90, 89]).map((candle) => {
      trend.update(candle);
      return [trend.value, trend.isUp];
    });

    // 101: 101 - 2 = 99. Then the true range is 101 - 89 = 12, and 90 is below 99: the line becomes the upper band. This band was
    // 101 + 2 = 103, and 90 + 12 = 102 lowers it. Then 89 + 2 = 91.
    expect(seen).toEqual([
      [Number.NaN, false],
      [99, true],
      [102, false],
      [91, false],
    ]);
  });

  it('begins with a down trend if the close is in the lower half of its candle', () => {
    const trend = supertrend(1, 1);

    for (const candle of candlesOf([{ close: 100 }, { high: 104, low: 100, close: 101 }])) {
      trend.update(candle);
    }

    // Middle 102, range 4
    expect([trend.value, trend.isUp]).toEqual([106, false]);
  });

  it('refuses a multiplier that is not a number > 0', () => {
    expect(() => supertrend(10, 0)).toThrow(
      expect.objectContaining({ code: 'E_INDICATOR_MULTIPLIER' }),
    );
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => supertrend(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => supertrend(2.5)).toThrow(
      'a whole number of candles from 1 to 1000000, received 2.5',
    );
  });
});
