import { describe, expect, it } from 'vitest';

import { CoinHedge } from '../../../strategies/coin-hedge/coin-hedge.strategy.js';
import { aCandle, candlesOfCloses } from '../../support/candles.js';
import { readable, startStrategy } from '../../support/fake-strategy-context.js';

function intentsAfter(closes: readonly number[]): unknown {
  const { context } = startStrategy(CoinHedge, {
    instruments: [{ instrumentId: aCandle().instrumentId, intervals: ['1h'] }],
    parameters: { averageCandles: 3, marginRatio: 0.01, hedged: 0.5, patience: 0.01 },
  });
  for (const candle of candlesOfCloses(closes)) context.deliver(candle);
  return readable(context.intents);
}

describe('CoinHedge', () => {
  it('sells contracts below the average, by a limit that takes what there is', () => {
    // The average of 100, 100, 100 and 90 is 95.
    expect(intentsAfter([100, 100, 100, 90])).toEqual([
      {
        kind: 'enter',
        direction: 'short',
        size: { equity: '0.5' },
        limitPrice: '89.1',
        timeInForce: 'IOC',
      },
    ]);
  });

  it('ends the hedge above the average', () => {
    expect(intentsAfter([100, 100, 100, 110])).toEqual([{ kind: 'exit' }]);
  });

  it('waits near the average', () => {
    expect(intentsAfter([100, 100, 100, 100.5, 99.8])).toEqual([]);
  });
});
