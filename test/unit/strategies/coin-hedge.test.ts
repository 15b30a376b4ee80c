import { describe, expect, it } from 'vitest';

import type { OrderIntent } from '../../../src/domain/index.js';
import { closes, startStrategy } from '../../../src/testing/index.js';
import { CoinHedge } from '../../../strategies/coin-hedge/coin-hedge.strategy.js';

async function intentsAfter(...prices: readonly number[]): Promise<readonly OrderIntent[]> {
  const test = await startStrategy(CoinHedge, {
    parameters: { averageCandles: 3, marginRatio: 0.01, hedged: 0.5, patience: 0.01 },
  });
  return test.play(closes(...prices)).intents;
}

describe('CoinHedge', () => {
  it('sells contracts below the average, with a LIMIT IOC order', async () => {
    // The average of 100, 100, 100 and 90 is 95.
    expect(await intentsAfter(100, 100, 100, 90)).toEqual([
      {
        kind: 'enter',
        direction: 'short',
        size: { equity: '0.5' },
        limitPrice: '89.1',
        timeInForce: 'IOC',
      },
    ]);
  });

  it('ends the hedge above the average', async () => {
    expect(await intentsAfter(100, 100, 100, 110)).toEqual([{ kind: 'exit' }]);
  });

  it('makes no intent near the average', async () => {
    expect(await intentsAfter(100, 100, 100, 100.5, 99.8)).toEqual([]);
  });
});
