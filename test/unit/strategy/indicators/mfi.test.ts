import { describe, expect, it } from 'vitest';

import { mfi } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('mfi', () => {
  describeIndicator({
    create: () => mfi(14),
    lookback: 14,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 50 },
  });

  describeGolden({
    create: () => mfi(14),
    lines: {
      'MFI(14)': (indicator) => indicator.value,
    },
  });

  it('is the share of the money flow at rising typical prices', () => {
    const flow = mfi(3);

    for (const candle of candlesOf([
      { close: 10, volume: 99 },
      { close: 20, volume: 3 },
      { close: 20, volume: 50 },
      { close: 15, volume: 1 },
    ])) {
      flow.update(candle);
    }

    // Inflow 20 · 3 = 60, an unchanged price does not count, outflow 15 · 1 = 15; 60 / 75
    expect(flow.value).toBe(80);
  });

  it('works for amounts far below 1, as with a coin as quote', () => {
    const flow = mfi(2);

    for (const candle of candlesOf([
      { close: 1e-5, volume: 1 },
      { close: 2e-5, volume: 3 },
      { close: 1e-5, volume: 2 },
    ])) {
      flow.update(candle);
    }

    // Inflow 6e-5, outflow 2e-5
    expect(flow.value).toBeCloseTo(75, 10);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => mfi(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => mfi(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
