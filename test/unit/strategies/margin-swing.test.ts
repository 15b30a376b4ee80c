import { describe, expect, it } from 'vitest';

import { MarginSwing } from '../../../strategies/margin-swing/margin-swing.strategy.js';
import { aCandle, candlesOfCloses } from '../../support/candles.js';
import { readable, startStrategy } from '../../support/fake-strategy-context.js';

function intentsAfter(closes: readonly number[]): unknown {
  const { context } = startStrategy(MarginSwing, {
    instruments: [{ instrumentId: aCandle().instrumentId, intervals: ['1h'] }],
    parameters: { period: 2, oversold: 30, overbought: 70, exposure: 2, stopLoss: 0.05 },
  });
  for (const candle of candlesOfCloses(closes)) context.deliver(candle);
  return readable(context.intents);
}

// Index after each candle from the third on: 66.7, 66.7.
const EVEN = [100, 102, 101, 101];
const GUARDED = { size: { equity: '2' }, protection: { stopLoss: { ratio: '0.05' } } };

describe('MarginSwing', () => {
  it('buys what is oversold with borrowed money, and leaves in the middle', () => {
    expect(intentsAfter([...EVEN, 90, 95])).toEqual([
      { kind: 'enter', direction: 'long', ...GUARDED },
    ]);
    expect(intentsAfter([...EVEN, 90, 95, 96])).toEqual([
      { kind: 'enter', direction: 'long', ...GUARDED },
      { kind: 'exit', direction: 'long' },
    ]);
  });

  it('sells short what is overbought, and leaves in the middle', () => {
    expect(intentsAfter([...EVEN, 110, 108])).toEqual([
      { kind: 'enter', direction: 'short', ...GUARDED },
    ]);
    expect(intentsAfter([...EVEN, 110, 108, 105])).toEqual([
      { kind: 'enter', direction: 'short', ...GUARDED },
      { kind: 'exit', direction: 'short' },
    ]);
  });

  it('wants nothing from an even market', () => {
    expect(intentsAfter(EVEN)).toEqual([]);
  });
});
