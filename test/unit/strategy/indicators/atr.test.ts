import { describe, expect, it } from 'vitest';

import { atr } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('atr', () => {
  describeIndicator({
    create: () => atr(14),
    lookback: 14,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 0 },
  });

  describeGolden({
    create: () => atr(14),
    lines: {
      'ATR(14)': (indicator) => indicator.value,
    },
  });

  it('does not count the range of the first candle, which has no previous close', () => {
    const range = atr(2);

    const values = candlesOf([
      { high: 200, low: 50, close: 100 },
      { high: 101, low: 99, close: 100 },
      { high: 103, low: 99, close: 100 },
      { high: 110, low: 99, close: 100 },
    ]).map((candle) => {
      range.update(candle);
      return range.value;
    });

    // (2 + 4) / 2 = 3; 3 + (11 - 3) / 2 = 7
    expect(values).toEqual([Number.NaN, Number.NaN, 3, 7]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => atr(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => atr(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
