import { describe, expect, it } from 'vitest';

import { donchian } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { goldenCandles } from './golden/talib.js';

describe('donchian', () => {
  describeIndicator({
    create: () => donchian(10),
    lookback: 9,
    candles: goldenCandles,
    lines: (indicator) => ({
      upper: indicator.upper,
      middle: indicator.middle,
      lower: indicator.lower,
    }),
    atRest: { upper: 100, middle: 100, lower: 100 },
  });

  it('includes the current candle in its window', () => {
    const channel = donchian(2);

    for (const candle of candlesOf([
      { high: 30, low: 10 },
      { high: 14, low: 12 },
      { high: 20, low: 13 },
    ])) {
      channel.update(candle);
    }

    expect([channel.upper.value, channel.middle.value, channel.lower.value]).toEqual([20, 16, 12]);
    expect([channel.upper.previous, channel.lower.previous]).toEqual([30, 10]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => donchian(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => donchian(2.5)).toThrow(
      'a whole number of candles from 1 to 1000000, received 2.5',
    );
  });
});
