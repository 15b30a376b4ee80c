import { describe, expect, it } from 'vitest';

import { obv } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('obv', () => {
  describeIndicator({
    create: () => obv(),
    lookback: 0,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    // The first volume of 10; an unchanged close adds nothing.
    atRest: { value: 10 },
  });

  describeGolden({
    create: () => obv(),
    lines: {
      OBV: (indicator) => indicator.value,
    },
  });

  it('adds the volume of a rising close and subtracts the volume of a falling close', () => {
    const balance = obv();

    const values = candlesOf([
      { close: 10, volume: 7 },
      { close: 11, volume: 5 },
      { close: 9, volume: 20 },
      { close: 9, volume: 3 },
    ]).map((candle) => {
      balance.update(candle);
      return balance.value;
    });

    expect(values).toEqual([7, 12, -8, -8]);
  });
});
