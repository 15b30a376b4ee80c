import { describe, expect, it } from 'vitest';

import { stochastic } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('stochastic', () => {
  describeIndicator({
    create: () => stochastic(),
    lookback: 17,
    candles: goldenCandles,
    lines: (indicator) => ({ k: indicator.k, d: indicator.d }),
    atRest: { k: 50, d: 50 },
  });

  describeGolden({
    create: () => stochastic(),
    lines: {
      'STOCH(14,3,3).slowK': (indicator) => indicator.k.value,
      'STOCH(14,3,3).slowD': (indicator) => indicator.d.value,
    },
  });

  it('is the position of the close in the range of the window', () => {
    const oscillator = stochastic({ period: 2, smoothK: 1, smoothD: 2 });

    for (const candle of candlesOf([
      { high: 20, low: 10, close: 15 },
      { high: 18, low: 12, close: 12 },
      { high: 32, low: 16, close: 27 },
    ])) {
      oscillator.update(candle);
    }

    // (12 - 10) / (20 - 10) = 20 %; (27 - 12) / (32 - 12) = 75 %; average 47.5 %
    expect(oscillator.k.value).toBe(75);
    expect(oscillator.d.value).toBe(47.5);
  });

  it('names the invalid period', () => {
    expect(() => stochastic({ smoothK: 0 })).toThrow('expected smoothK to be a whole number');
    expect(() => stochastic({ smoothD: -1 })).toThrow('expected smoothD to be a whole number');
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => stochastic({ period: 0 })).toThrow(
      expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }),
    );
    expect(() => stochastic({ period: 2.5 })).toThrow(
      'a whole number of candles from 1 to 1000000, received 2.5',
    );
  });
});
