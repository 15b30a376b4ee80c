import { describe, expect, it } from 'vitest';

import { vwap } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { goldenCandles } from './golden/talib.js';

describe('vwap', () => {
  describeIndicator({
    create: () => vwap(5),
    lookback: 4,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  it('weights typical prices by volume, and forgets candles before its window', () => {
    const average = vwap(2);

    const values = candlesOf([
      { close: 500, volume: 1000 },
      { high: 12, low: 9, close: 9, volume: 3 },
      { close: 20, volume: 1 },
    ]).map((candle) => {
      average.update(candle);
      return average.value;
    });

    // (500 · 1000 + 10 · 3) / 1003; (10 · 3 + 20 · 1) / 4 = 12.5
    expect(values).toEqual([Number.NaN, 500_030 / 1003, 12.5]);
  });

  it('weights all candles equally if they have no volume', () => {
    const average = vwap(2);

    for (const candle of candlesOf([
      { close: 10, volume: 5 },
      { close: 20, volume: 0 },
      { close: 40, volume: 0 },
    ])) {
      average.update(candle);
    }

    expect(average.value).toBe(30);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => vwap(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => vwap(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
