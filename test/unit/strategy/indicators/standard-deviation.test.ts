import { describe, expect, it } from 'vitest';

import { standardDeviation } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

// TA-Lib takes the mean of squares minus the square of the mean. Squares of these prices are near 1.8e9 and are rounded to 2.4e-7.
// With a deviation of 50 this is an error of about 1e-8.
const LOST_BY_TALIB = 1e-8;

describe('standardDeviation', () => {
  describeIndicator({
    create: () => standardDeviation(14),
    lookback: 13,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 0 },
  });

  describeGolden({
    create: () => standardDeviation(14),
    lines: {
      'STDDEV(14)': (indicator) => indicator.value,
    },
    tolerance: LOST_BY_TALIB,
  });

  it('divides by the number of candles', () => {
    const deviation = standardDeviation(4);

    for (const candle of candlesOfCloses([2, 4, 4, 6])) deviation.update(candle);

    // Mean 4, squares 4 + 0 + 0 + 4 = 8; √(8 / 4)
    expect(deviation.value).toBeCloseTo(Math.SQRT2, 14);
  });

  it('keeps the digits of a small deviation of a large price', () => {
    const deviation = standardDeviation(2);

    for (const candle of candlesOfCloses([100_000_000, 100_000_000.5])) deviation.update(candle);

    expect(deviation.value).toBe(0.25);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => standardDeviation(0)).toThrow(
      expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }),
    );
    expect(() => standardDeviation(2.5)).toThrow(
      'a whole number of candles from 1 to 1000000, received 2.5',
    );
  });
});
