import { describe, expect, it } from 'vitest';

import { sma } from '../../../../src/strategy/index.js';
import { candlesOf, candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('sma', () => {
  describeIndicator({
    create: () => sma(20),
    lookback: 19,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  describeGolden({
    create: () => sma(20),
    lines: {
      'SMA(20)': (indicator) => indicator.value,
    },
  });

  it('is the plain mean of its window', () => {
    const average = sma(3);

    const values = candlesOfCloses([1, 2, 6, 10]).map((candle) => {
      average.update(candle);
      return average.value;
    });

    // (1 + 2 + 6) / 3 = 3, (2 + 6 + 10) / 3 = 6
    expect(values).toEqual([Number.NaN, Number.NaN, 3, 6]);
  });

  it('has equal values for equal windows, after any earlier candles', () => {
    const [fresh, old] = [sma(3), sma(3)];
    const window = candlesOfCloses([0.1, 0.2, 0.3]);

    for (const candle of [...candlesOfCloses([1e15, 1e-3, 7.7]), ...window]) old.update(candle);
    for (const candle of window) fresh.update(candle);

    expect(old.value).toBe(fresh.value);
  });

  it('reads the given source', () => {
    const average = sma(2, 'hl2');

    for (const candle of candlesOf([
      { high: 12, low: 8 },
      { high: 26, low: 14 },
    ])) {
      average.update(candle);
    }

    // ((12 + 8) / 2 + (26 + 14) / 2) / 2 = 15
    expect(average.value).toBe(15);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => sma(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => sma(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
