import { describe, expect, it } from 'vitest';

import { trueRange } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('trueRange', () => {
  describeIndicator({
    create: () => trueRange(),
    lookback: 1,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 0 },
  });

  describeGolden({
    create: () => trueRange(),
    lines: {
      TRANGE: (indicator) => indicator.value,
    },
  });

  it('extends to a previous close outside the candle', () => {
    const range = trueRange();

    const values = candlesOf([
      { high: 12, low: 9, close: 10 },
      { high: 13, low: 11, close: 12 },
      { high: 9, low: 8, close: 8 },
      { high: 10, low: 6, close: 9 },
    ]).map((candle) => {
      range.update(candle);
      return range.value;
    });

    // 13 - 10 = 3; 12 - 8 = 4; 10 - 6 = 4
    expect(values).toEqual([Number.NaN, 3, 4, 4]);
  });
});
