import { describe, expect, it } from 'vitest';

import { ChannelFlip } from '../../../strategies/channel-flip/channel-flip.strategy.js';
import { aCandle, candlesOfCloses } from '../../support/candles.js';
import { readable, startStrategy } from '../../support/fake-strategy-context.js';

function intentsAfter(closes: readonly number[], parameters = {}): unknown {
  const { context } = startStrategy(ChannelFlip, {
    instruments: [{ instrumentId: aCandle().instrumentId, intervals: ['1h'] }],
    parameters: { channelCandles: 5, rangeCandles: 2, stopRanges: 2, exposure: 1.5, ...parameters },
  });
  for (const candle of candlesOfCloses(closes)) context.deliver(candle);
  return readable(context.intents);
}

const QUIET = [100, 101, 100, 101, 100, 101, 100];

describe('ChannelFlip', () => {
  it('leaves shorts and goes long above the channel, with a stop that follows', () => {
    expect(intentsAfter([...QUIET, 110])).toMatchObject([
      { kind: 'exit', direction: 'short' },
      {
        kind: 'enter',
        direction: 'long',
        size: { equity: '1.5' },
        protection: { trailingStop: {} },
      },
    ]);
  });

  it('leaves longs and goes short below the channel', () => {
    expect(intentsAfter([...QUIET, 90])).toMatchObject([
      { kind: 'exit', direction: 'long' },
      { kind: 'enter', direction: 'short', size: { equity: '1.5' } },
    ]);
  });

  it('wants nothing within the channel', () => {
    expect(intentsAfter([...QUIET, 100.5, 100.7])).toEqual([]);
  });
});
