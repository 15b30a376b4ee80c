import { describe, expect, it } from 'vitest';

import { roc } from '../../../../src/strategy/index.js';
import { aCandle, candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('roc', () => {
  describeIndicator({
    create: () => roc(14),
    lookback: 14,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 0 },
  });

  describeGolden({
    create: () => roc(14),
    lines: {
      'ROC(14)': (indicator) => indicator.value,
    },
  });

  it('is the change in percent of the older price', () => {
    const change = roc(2);

    const values = candlesOfCloses([100, 1, 125, 3]).map((candle) => {
      change.update(candle);
      return change.value;
    });

    // 125 / 100 = +25 %, 3 / 1 = +200 %
    expect(values).toEqual([Number.NaN, Number.NaN, 25, 200]);
  });

  it('is 0 where the older value is 0, as in TA-Lib', () => {
    const change = roc(1, 'volume');

    const values = [4, 0, 0, 5, 10].map((volume) => {
      change.update({ ...aCandle(), volume });
      return change.value;
    });

    expect(values).toEqual([Number.NaN, -100, 0, 0, 100]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => roc(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => roc(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
