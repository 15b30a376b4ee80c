import { describe, expect, it } from 'vitest';

import { bollinger, crossedAbove, sma } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('bollinger', () => {
  describeIndicator({
    create: () => bollinger(20, 2),
    lookback: 19,
    candles: goldenCandles,
    lines: (indicator) => ({
      upper: indicator.upper,
      middle: indicator.middle,
      lower: indicator.lower,
    }),
    atRest: { upper: 100, middle: 100, lower: 100 },
  });

  describeGolden({
    create: () => bollinger(20, 2),
    lines: {
      'BBANDS(20,2).upper': (indicator) => indicator.upper.value,
      'BBANDS(20,2).middle': (indicator) => indicator.middle.value,
      'BBANDS(20,2).lower': (indicator) => indicator.lower.value,
    },
  });

  it('has its bands at the given number of deviations from the average', () => {
    const bands = bollinger(4, 3);

    for (const candle of candlesOfCloses([2, 4, 4, 6])) bands.update(candle);

    // Average 4, deviation √2
    expect(bands.middle.value).toBe(4);
    expect(bands.upper.value).toBeCloseTo(4 + 3 * Math.SQRT2, 14);
    expect(bands.lower.value).toBeCloseTo(4 - 3 * Math.SQRT2, 14);
  });

  it('has the simple average as its middle line, to the last bit', () => {
    const [bands, average] = [bollinger(20), sma(20)];

    const differences = goldenCandles.map((candle) => {
      bands.update(candle);
      average.update(candle);
      return Object.is(bands.middle.value, average.value);
    });

    expect(differences).not.toContain(false);
  });

  it('has lines that work with crossedAbove', () => {
    const [bands, close] = [bollinger(3, 1), sma(1)];

    const crossings = candlesOfCloses([10, 10, 10, 10, 20]).map((candle) => {
      bands.update(candle);
      close.update(candle);
      return crossedAbove(close, bands.upper);
    });

    expect(crossings).toEqual([false, false, false, false, true]);
  });

  it('refuses a multiplier that is not a number > 0', () => {
    expect(() => bollinger(20, -1)).toThrow(
      expect.objectContaining({ code: 'E_INDICATOR_MULTIPLIER' }),
    );
    expect(() => bollinger(20, Number.NaN)).toThrow(
      'expected deviations to be a finite number > 0',
    );
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => bollinger(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => bollinger(2.5)).toThrow(
      'a whole number of candles from 1 to 1000000, received 2.5',
    );
  });
});
