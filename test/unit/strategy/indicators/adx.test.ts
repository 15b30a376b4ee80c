import { describe, expect, it } from 'vitest';

import { adx } from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('adx', () => {
  describeIndicator({
    create: () => adx(14),
    lookback: 27,
    candles: goldenCandles,
    lines: (indicator) => ({
      value: indicator,
      plusDi: indicator.plusDi,
      minusDi: indicator.minusDi,
    }),
    atRest: { value: 0, plusDi: 0, minusDi: 0 },
  });

  describeGolden({
    create: () => adx(14),
    lines: {
      'ADX(14)': (indicator) => indicator.value,
    },
  });

  describeGolden({
    create: () => adx(14),
    lines: {
      'PLUS_DI(14)': (indicator) => indicator.plusDi.value,
      'MINUS_DI(14)': (indicator) => indicator.minusDi.value,
    },
    // In TA-Lib both indicators are separate functions, which start 13 candles before ADX.
    later: 13,
  });

  const rising = candlesOf(
    Array.from({ length: 12 }, (_, index) => ({
      high: 102 + index,
      low: 100 + index,
      close: 101 + index,
    })),
  );

  it('is 100 if every move has the same direction', () => {
    const movement = adx(3);

    for (const candle of rising) movement.update(candle);

    // Each candle moves up by 1 in a true range of 2.
    expect(movement.value).toBe(100);
    expect(movement.plusDi.value).toBeCloseTo(50, 10);
    expect(movement.minusDi.value).toBe(0);
  });

  it('keeps its value while the price does not move', () => {
    const movement = adx(1);
    for (const candle of rising.slice(0, 4)) movement.update(candle);

    for (const candle of candlesOf([{ close: 103 }, { close: 103 }])) movement.update(candle);

    // With a period of 1 only the last candle counts: it has no range and so no direction.
    expect(movement.value).toBe(100);
    expect([movement.plusDi.value, movement.minusDi.value]).toEqual([0, 0]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => adx(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => adx(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
