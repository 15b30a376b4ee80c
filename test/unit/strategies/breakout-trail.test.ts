import { describe, expect, it } from 'vitest';

import { startStrategy, type CandleShape, type StrategyTest } from '../../../src/testing/index.js';
import { BreakoutTrail } from '../../../strategies/breakout-trail/breakout-trail.strategy.js';

function start(parameters: Readonly<Record<string, number>> = {}): Promise<StrategyTest> {
  return startStrategy(BreakoutTrail, {
    parameters: {
      channelCandles: 5,
      rangeCandles: 2,
      stopRanges: 2,
      cooldownHours: 6,
      patienceCandles: 10,
      equityFraction: 0.5,
      ...parameters,
    },
  });
}

/** Hourly candles that reach one above and one below their close. */
function candlesAt(...closes: readonly number[]): readonly CandleShape[] {
  return closes.map((close) => ({ open: close, close, high: close + 1, low: close - 1 }));
}

const quiet = (count: number): readonly number[] => Array.from({ length: count }, () => 100);

describe('BreakoutTrail', () => {
  it('buys a close above the channel, with a trailing stop at a multiple of the range', async () => {
    const test = await start();

    test.play(candlesAt(...quiet(5), 103));

    // True ranges of 2, then 104 - 100 = 4: average 2 + (4 - 2) / 2 = 3, twice that is 6.
    expect(test.intents).toEqual([
      {
        kind: 'enter',
        direction: 'long',
        size: { equity: '0.5' },
        protection: { trailingStop: { distance: '6' } },
      },
    ]);
  });

  it('does nothing while closes stay within the channel, whose top is 101', async () => {
    const test = await start();

    test.play(candlesAt(...quiet(5), 101, 100.5, 99));

    expect(test.intents).toEqual([]);
  });

  it('makes no second entry before its cool-down is over', async () => {
    const test = await start();

    // Breakouts in hours 5, 7, 9 and 12.
    test.play(candlesAt(...quiet(5), 103, 103, 106, 106, 109, 109, 109, 112));

    expect(test.marbles()).toBe('-----e------e');
  });

  it('enters again after a stop only when its cool-down is over', async () => {
    const test = await start();

    // Buys in hour 5. The fall of hour 7 fires the stop. Closes are above the channel in hours 9 and 14.
    test.play(candlesAt(...quiet(5), 103, 103, 80, 90, 120, 120, 120, 120, 120, 130, 130));

    expect(test.fills.map(({ side }) => side)).toEqual(['buy', 'sell', 'buy']);
    expect(test.marbles()).toBe('-----e--------e-');
  });

  it('exits after patienceCandles without a new high', async () => {
    const test = await start();

    test.play(candlesAt(...quiet(5), 103, ...quiet(9)));
    const before = test.intents.length;
    test.play(candlesAt(...quiet(2)));

    expect(before).toBe(1);
    expect(test.intents.slice(1)).toEqual([{ kind: 'exit', label: 'no new high' }]);
  });

  it('updates the stop distance once a day while it holds a position', async () => {
    const test = await start({ patienceCandles: 100 });

    test.play(candlesAt(...quiet(5), 103, ...quiet(20)));

    // A day after the first candle the true ranges are 2 again.
    const [protect] = test.intents.filter(({ kind }) => kind === 'protect');
    const distance = Number(
      protect?.kind === 'protect' && 'trailingStop' in protect.protection
        ? Object.values(protect.protection.trailingStop ?? {})[0]
        : Number.NaN,
    );
    expect(distance).toBeCloseTo(4, 3);
  });

  it('makes no intent in a quiet market without a position', async () => {
    const test = await start();

    test.play(candlesAt(...quiet(60)));

    expect(test.intents).toEqual([]);
  });

  it('leaves no timer when it is stopped', async () => {
    const test = await start();
    test.play(candlesAt(...quiet(5), 103));
    const before = test.nextTimer;

    test.stop();

    expect(before).toBeGreaterThan(test.now);
    expect(test.nextTimer).toBeUndefined();
  });
});
