import { describe, expect, it } from 'vitest';

import { ema } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('ema', () => {
  describeIndicator({
    create: () => ema(20),
    lookback: 19,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  describeGolden({
    create: () => ema(20),
    lines: {
      'EMA(20)': (indicator) => indicator.value,
    },
  });

  it('starts as the mean of its first candles, then moves by 2 / (period + 1) of the distance', () => {
    const average = ema(3);

    const values = candlesOfCloses([1, 2, 6, 10, 1]).map((candle) => {
      average.update(candle);
      return average.value;
    });

    // (1 + 2 + 6) / 3 = 3; 3 + (10 - 3) / 2 = 6.5; 6.5 + (1 - 6.5) / 2 = 3.75
    expect(values).toEqual([Number.NaN, Number.NaN, 3, 6.5, 3.75]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => ema(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => ema(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
