import { describe, expect, it } from 'vitest';

import { ema, macd } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('macd', () => {
  describeIndicator({
    create: () => macd(),
    lookback: 33,
    candles: goldenCandles,
    lines: (indicator) => ({
      macd: indicator.macd,
      signal: indicator.signal,
      histogram: indicator.histogram,
    }),
    atRest: { macd: 0, signal: 0, histogram: 0 },
  });

  describeGolden({
    create: () => macd(),
    lines: {
      'MACD(12,26,9).macd': (indicator) => indicator.macd.value,
      'MACD(12,26,9).signal': (indicator) => indicator.signal.value,
      'MACD(12,26,9).hist': (indicator) => indicator.histogram.value,
    },
  });

  it('gives both averages their first value on the same candle', () => {
    const convergence = macd({ fast: 2, slow: 3, signal: 1 });

    for (const candle of candlesOfCloses([3, 6, 9])) convergence.update(candle);

    // Fast (6 + 9) / 2 = 7.5, slow (3 + 6 + 9) / 3 = 6
    expect(convergence.macd.value).toBe(1.5);
  });

  it('approaches the difference of the two averages over time', () => {
    const [convergence, fast, slow] = [macd({ fast: 3, slow: 6, signal: 2 }), ema(3), ema(6)];

    for (const candle of goldenCandles) {
      for (const indicator of [convergence, fast, slow]) indicator.update(candle);
    }

    expect(convergence.macd.value).toBeCloseTo(fast.value - slow.value, 6);
    expect(convergence.histogram.value).toBe(convergence.macd.value - convergence.signal.value);
  });

  it('refuses a fast period that is not below the slow one', () => {
    expect(() => macd({ fast: 26, slow: 26 })).toThrow(
      expect.objectContaining({
        code: 'E_INDICATOR_PERIOD',
        message: 'expected fast < slow, received fast 26 and slow 26',
      }),
    );
  });

  it('names the invalid period', () => {
    expect(() => macd({ signal: 0 })).toThrow('expected signal to be a whole number of candles');
  });
});
