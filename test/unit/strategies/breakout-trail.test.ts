import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { FIXED_ONE, HOUR_MS, type Candle } from '../../../src/domain/index.js';
import { BreakoutTrail } from '../../../strategies/breakout-trail/breakout-trail.strategy.js';
import { aCandle } from '../../support/candles.js';
import {
  readable,
  startStrategy,
  type FakeStrategyContext,
} from '../../support/fake-strategy-context.js';

const PARAMETERS = {
  channelCandles: 5,
  rangeCandles: 2,
  stopRanges: 2,
  cooldownHours: 6,
  patienceHours: 10,
  equityFraction: 0.5,
};

function start() {
  return startStrategy(BreakoutTrail, {
    instruments: [{ instrumentId: aCandle().instrumentId, intervals: ['1h'] }],
    parameters: PARAMETERS,
    passTime: (milliseconds) => vi.advanceTimersByTime(milliseconds),
  });
}

/** Hourly candles that reach one above and one below their close. */
function candlesAt(closes: readonly number[], hour: number): readonly Candle[] {
  return closes.map((close, index) =>
    aCandle({
      openTime: aCandle().openTime + (hour + index) * HOUR_MS,
      close,
      high: close + 1,
      low: close - 1,
    }),
  );
}

function feed(context: FakeStrategyContext, closes: readonly number[], hour: number): void {
  for (const candle of candlesAt(closes, hour)) context.deliver(candle);
}

const quiet = (count: number): readonly number[] => Array.from({ length: count }, () => 100);

describe('BreakoutTrail', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('buys a close above the channel, with a stop so many ranges behind', () => {
    const { context } = start();

    feed(context, [...quiet(5), 103], 0);

    // True ranges of 2, then 104 - 100 = 4: average 2 + (4 - 2) / 2 = 3, twice that is 6.
    expect(readable(context.intents)).toEqual([
      {
        kind: 'enter',
        direction: 'long',
        size: { equity: '0.5' },
        protection: { trailingStop: { distance: '6' } },
      },
    ]);
  });

  it('does nothing while closes stay within the channel, whose top is 101', () => {
    const { context } = start();

    feed(context, [...quiet(5), 101, 100.5, 99], 0);

    expect(context.intents).toEqual([]);
  });

  it('wants no second entry before its cool-down is over', () => {
    const { context } = start();

    // Breakouts in hours 5, 7, 9 and 12.
    feed(context, [...quiet(5), 103, 103, 106, 106, 109, 109, 109, 112], 0);

    expect(context.intents.map(({ kind }) => kind)).toEqual(['enter', 'enter']);
  });

  it('leaves once no new high has come for its patience', () => {
    const { context } = start();

    feed(context, [...quiet(5), 103, ...quiet(9)], 0);
    const before = context.intents.length;
    feed(context, quiet(2), 15);

    expect(before).toBe(1);
    expect(readable(context.intents.slice(1))).toEqual([{ kind: 'exit', label: 'no new high' }]);
  });

  it('measures the distance of the stop anew once a day while it holds something', () => {
    const { context } = start();

    feed(context, [...quiet(5), 103], 0);
    context.hold(FIXED_ONE);
    feed(context, quiet(20), 6);

    // A day after the first candle the true ranges have come back to 2.
    const [protect] = context.intents.filter(({ kind }) => kind === 'protect');
    const distance = Number(
      protect?.kind === 'protect' && 'trailingStop' in protect.protection
        ? Object.values(protect.protection.trailingStop ?? {})[0]
        : Number.NaN,
    );
    expect(distance).toBeCloseTo(4, 3);
  });

  it('measures nothing while it holds nothing', () => {
    const { context } = start();

    feed(context, quiet(60), 0);

    expect(context.intents).toEqual([]);
  });

  it('leaves no timer behind when it is stopped', () => {
    const { context, subscription } = start();
    feed(context, [...quiet(5), 103], 0);

    subscription.unsubscribe();

    expect(vi.getTimerCount()).toBe(0);
  });
});
