import { describe, expect, it } from 'vitest';

import { HOUR_MS, type OrderIntent } from '../../../src/domain/index.js';
import { closes, startStrategy } from '../../../src/testing/index.js';
import { RsiMeanReversion } from '../../../strategies/rsi-mean-reversion/rsi-mean-reversion.strategy.js';

async function intentsAfter(
  prices: readonly number[],
  parameters: Readonly<Record<string, number>> = {},
): Promise<readonly OrderIntent[]> {
  const test = await startStrategy(RsiMeanReversion, {
    parameters: { period: 2, oversold: 30, discount: 0.01, ...parameters },
  });
  return test.play(closes(...prices)).intents;
}

describe('RsiMeanReversion', () => {
  // Index after each candle from the third on: 66.7, 66.7, then far below 30.
  const fall = [100, 102, 101, 101, 90];

  it('places a buy below the close, with a stop, a target and a time limit', async () => {
    const intents = await intentsAfter(fall, {
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

  it('makes one entry each time the market becomes oversold', async () => {
    expect(await intentsAfter([...fall, 89, 88, 87])).toHaveLength(1);
    expect(await intentsAfter([...fall, 120, 121, 90])).toHaveLength(2);
  });

  it('makes no intent in a market that is not oversold', async () => {
    expect(await intentsAfter([100, 102, 101, 103, 102, 104])).toEqual([]);
  });
});
