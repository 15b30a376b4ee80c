import { describe, expect, it } from 'vitest';

import { kama } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';
import { describeIndicator } from '../../../support/describe-indicator.js';
import { describeGolden } from './golden/describe-golden.js';
import { goldenCandles } from './golden/talib.js';

describe('kama', () => {
  describeIndicator({
    create: () => kama(20),
    lookback: 20,
    candles: goldenCandles,
    lines: (indicator) => ({ value: indicator }),
    atRest: { value: 100 },
  });

  describeGolden({
    create: () => kama(20),
    lines: {
      'KAMA(20)': (indicator) => indicator.value,
    },
  });

  it('moves fast with a straight price and slowly with a price that goes back and forth', () => {
    const [straight, wandering] = [kama(4), kama(4)];

    for (const candle of candlesOfCloses([100, 101, 102, 103, 104])) straight.update(candle);
    for (const candle of candlesOfCloses([104, 100, 104, 103, 104])) wandering.update(candle);

    // Straight move: efficiency 1, so it goes from 103 by (2/3)² of the distance to 104.
    expect(straight.value).toBeCloseTo(103 + 4 / 9, 12);
    // No net change over a movement of 10: efficiency 0, so it goes from 103 by (2/31)² of the distance to 104.
    expect(wandering.value).toBeCloseTo(103 + 4 / 961, 12);
  });

  it('refuses a period that is not a whole number of candles', () => {
    expect(() => kama(0)).toThrow(expect.objectContaining({ code: 'E_INDICATOR_PERIOD' }));
    expect(() => kama(2.5)).toThrow('a whole number of candles from 1 to 1000000, received 2.5');
  });
});
