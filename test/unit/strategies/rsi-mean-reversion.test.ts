import { describe, expect, it } from 'vitest';

import { HOUR_MS } from '../../../src/domain/index.js';
import { RsiMeanReversion } from '../../../strategies/rsi-mean-reversion/rsi-mean-reversion.strategy.js';
import { aCandle, candlesOfCloses } from '../../support/candles.js';
import { readable, startStrategy } from '../../support/fake-strategy-context.js';

function intentsAfter(closes: readonly number[], parameters = {}): unknown {
  const { context } = startStrategy(RsiMeanReversion, {
    instruments: [{ instrumentId: aCandle().instrumentId, intervals: ['1h'] }],
    parameters: { period: 2, oversold: 30, discount: 0.01, ...parameters },
  });
  for (const candle of candlesOfCloses(closes)) context.deliver(candle);
  return readable(context.intents);
}

describe('RsiMeanReversion', () => {
  // Index after each candle from the third on: 66.7, 66.7, then far below 30.
  const fall = [100, 102, 101, 101, 90];

  it('rests a buy below the close, with a stop and a target, for a limited time', () => {
    const intents = intentsAfter(fall, {
      stopLoss: 0.02,
      takeProfit: 0.05,
      goodForHours: 3,
      equityFraction: 0.25,
    });

    // 90 less 1 %
    expect(intents).toEqual([
      {
        kind: 'enter',
        direction: 'long',
        size: { equity: '0.25' },
        limitPrice: '89.1',
        goodForMs: 3 * HOUR_MS,
        protection: { stopLoss: { ratio: '0.02' }, takeProfit: { ratio: '0.05' } },
      },
    ]);
  });

  it('asks once for each time the market becomes oversold', () => {
    expect(intentsAfter([...fall, 89, 88, 87])).toHaveLength(1);
    expect(intentsAfter([...fall, 120, 121, 90])).toHaveLength(2);
  });

  it('wants nothing from a market that is not oversold', () => {
    expect(intentsAfter([100, 102, 101, 103, 102, 104])).toEqual([]);
  });
});
