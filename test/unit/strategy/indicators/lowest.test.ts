import { describe, expect, it } from 'vitest';

import { lowest } from '../../../../src/strategy/index.js';
import { candlesOf, candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { goldenCandles } from './golden/talib.js';

describe('lowest', () => {
  describeIndicator({
    create: () => lowest(10),
    lookback: 9,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  it('finds the lowest value of its window, and forgets it after the window', () => {
    const extreme = lowest(3);

    const values = candlesOfCloses([5, 9, 1, 2, 3, 3]).map((candle) => {
      extreme.update(candle);
      return extreme.value;
    });

    expect(values).toEqual([Number.NaN, Number.NaN, 1, 1, 1, 2]);
  });

  it('reads lows by default, or another source', () => {
    const [ofRange, ofCloses] = [lowest(1), lowest(1, 'close')];

    for (const candle of candlesOf([{ high: 12, low: 8, close: 10 }])) {
      ofRange.update(candle);
      ofCloses.update(candle);
    }

    expect([ofRange.value, ofCloses.value]).toEqual([8, 10]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => lowest(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => lowest(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
