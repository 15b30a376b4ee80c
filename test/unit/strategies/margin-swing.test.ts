import { describe, expect, it } from 'vitest';

import type { OrderIntent } from '../../../src/domain/index.js';
import { closes, startStrategy } from '../../../src/testing/index.js';
import { MarginSwing } from '../../../strategies/margin-swing/margin-swing.strategy.js';

async function intentsAfter(...prices: readonly number[]): Promise<readonly OrderIntent[]> {
  const test = await startStrategy(MarginSwing, {
    parameters: { period: 2, oversold: 30, overbought: 70, exposure: 2, stopLoss: 0.05 },
  });
  return test.play(closes(...prices)).intents;
}

// Index after each candle from the third on: 66.7, 66.7.
const EVEN = [100, 102, 101, 101];
const GUARDED = { size: { equity: '2' }, protection: { stopLoss: { ratio: '0.05' } } };

describe('MarginSwing', () => {
  it('buys an oversold market with borrowed money, and exits in the middle', async () => {
    expect(await intentsAfter(...EVEN, 90, 95)).toEqual([
      { kind: 'enter', direction: 'long', ...GUARDED },
    ]);
    expect(await intentsAfter(...EVEN, 90, 95, 96)).toEqual([
      { kind: 'enter', direction: 'long', ...GUARDED },
      { kind: 'exit', direction: 'long' },
    ]);
  });

  it('sells an overbought market short, and exits in the middle', async () => {
    expect(await intentsAfter(...EVEN, 110, 108)).toEqual([
      { kind: 'enter', direction: 'short', ...GUARDED },
    ]);
    expect(await intentsAfter(...EVEN, 110, 108, 105)).toEqual([
      { kind: 'enter', direction: 'short', ...GUARDED },
      { kind: 'exit', direction: 'short' },
    ]);
  });

  it('makes no intent in an even market', async () => {
    expect(await intentsAfter(...EVEN)).toEqual([]);
  });
});
