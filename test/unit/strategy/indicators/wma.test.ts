import { describe, expect, it } from 'vitest';

import { wma } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('wma', () => {
  describeIndicator({
    create: () => wma(20),
    lookback: 19,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  describeGolden({
    create: () => wma(20),
    lines: {
      'WMA(20)': (indicator) => indicator.value,
    },
  });

  it('gives the newest candle the largest weight', () => {
    const average = wma(3);

    const values = candlesOfCloses([1, 2, 6, 10]).map((candle) => {
      average.update(candle);
      return average.value;
    });

    // (1·1 + 2·2 + 3·6) / 6 = 23/6, (1·2 + 2·6 + 3·10) / 6 = 44/6
    expect(values).toEqual([Number.NaN, Number.NaN, 23 / 6, 44 / 6]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => wma(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => wma(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
