import { describe, expect, it } from 'vitest';

import { highest } from '../../../../src/strategy/index.js';
import { candlesOf, candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { goldenCandles } from './golden/talib.js';

describe('highest', () => {
  describeIndicator({
    create: () => highest(10),
    lookback: 9,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  it('finds the highest value of its window, and forgets it after the window', () => {
    const extreme = highest(3);

    const values = candlesOfCloses([5, 9, 1, 2, 3, 3]).map((candle) => {
      extreme.update(candle);
      return extreme.value;
    });

    expect(values).toEqual([Number.NaN, Number.NaN, 9, 9, 3, 3]);
  });

  it('reads highs by default, or another source', () => {
    const [ofRange, ofCloses] = [highest(1), highest(1, 'close')];

    for (const candle of candlesOf([{ high: 12, low: 8, close: 10 }])) {
      ofRange.update(candle);
      ofCloses.update(candle);
    }

    expect([ofRange.value, ofCloses.value]).toEqual([12, 10]);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => highest(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => highest(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
