import { describe, expect, it } from 'vitest';

import { closes, startStrategy, type StartOptions } from '../../../src/testing/index.js';
import { ChannelFlip } from '../../../strategies/channel-flip/channel-flip.strategy.js';

const OPTIONS: StartOptions = {
  parameters: { channelCandles: 5, rangeCandles: 2, stopRanges: 2, exposure: 1.5 },
};

const QUIET = [100, 101, 100, 101, 100, 101, 100];

describe('ChannelFlip', () => {
  it('exits shorts and goes long above the channel, with a trailing stop', async () => {
    const test = await startStrategy(ChannelFlip, OPTIONS);

    test.play(closes(...QUIET, 110));

    expect(test.intents).toMatchObject([
      { kind: 'exit', direction: 'short' },
      {
        kind: 'enter',
        direction: 'long',
        size: { equity: '1.5' },
        protection: { trailingStop: {} },
      },
    ]);
  });

  it('exits longs and goes short below the channel', async () => {
    const test = await startStrategy(ChannelFlip, OPTIONS);

    test.play(closes(...QUIET, 90));

    expect(test.intents).toMatchObject([
      { kind: 'exit', direction: 'long' },
      { kind: 'enter', direction: 'short', size: { equity: '1.5' } },
    ]);
  });

  it('makes no intent within the channel', async () => {
    const test = await startStrategy(ChannelFlip, OPTIONS);

    test.play(closes(...QUIET, 100.5, 100.7));

    expect(test.isWarm).toBe(true);
    expect(test.intents).toEqual([]);
  });
});
