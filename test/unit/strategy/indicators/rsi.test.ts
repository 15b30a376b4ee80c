import { describe, expect, it } from 'vitest';

import { rsi } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('rsi', () => {
  describeIndicator({
    create: () => rsi(14),
    lookback: 14,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 50 },
  });

  describeGolden({
    create: () => rsi(14),
    lines: {
      'RSI(14)': (indicator) => indicator.value,
    },
  });

  it('is the share of gains in all price changes', () => {
    const strength = rsi(2);

    const values = candlesOfCloses([10, 13, 12, 12, 14]).map((candle) => {
      strength.update(candle);
      return strength.value;
    });

    // Gains 3, 0: mean 1.5; losses 0, 1: mean 0.5; 1.5 / 2 = 75 %. No change halves both: 75 %.
    // Then gains (0.75 + 2) / 2 = 1.375, losses 0.25 / 2 = 0.125; 1.375 / 1.5 = 91.67 %.
    expect(values.slice(0, 4)).toEqual([Number.NaN, Number.NaN, 75, 75]);
    expect(values[4]).toBeCloseTo(100 * (1.375 / 1.5), 10);
  });

  it('is 100 if the price only rose and 0 if it only fell', () => {
    const [rising, falling] = [rsi(3), rsi(3)];

    for (const candle of candlesOfCloses([1, 2, 3, 4])) rising.update(candle);
    for (const candle of candlesOfCloses([4, 3, 2, 1])) falling.update(candle);

    expect([rising.value, falling.value]).toEqual([100, 0]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => rsi(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => rsi(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
