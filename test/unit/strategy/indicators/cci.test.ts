import { describe, expect, it } from 'vitest';

import { cci } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('cci', () => {
  describeIndicator({
    create: () => cci(14),
    lookback: 13,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 0 },
  });

  describeGolden({
    create: () => cci(14),
    lines: {
      'CCI(14)': (indicator) => indicator.value,
    },
  });

  it('measures the distance from the average in mean deviations', () => {
    const channel = cci(4);

    for (const candle of candlesOfCloses([8, 12, 8, 16])) channel.update(candle);

    // Average 11, deviations 3, 1, 3, 5: mean 3; (16 - 11) / (0.015 · 3)
    expect(channel.value).toBeCloseTo(5 / 0.045, 10);
  });

  it('is 0 in a flat window whose mean is off by a rounding error', () => {
    const channel = cci(6);

    // In float64, 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 is not 0.6.
    for (const candle of candlesOfCloses([5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])) channel.update(candle);

    expect(channel.value).toBe(0);
  });

  it('moves again with the first price change', () => {
    const channel = cci(3);

    for (const candle of candlesOfCloses([100, 100, 100, 101])) channel.update(candle);

    // Average 100 + 1/3, mean deviation 4/9; (2/3) / (0.015 · 4/9) = 100
    expect(channel.value).toBeCloseTo(100, 8);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => cci(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => cci(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
