import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  MINUTE_MS,
  parseFixed,
  RateLimitError,
  SECOND_MS,
} from '../../../src/domain/index.js';
import { createCallQueue } from '../../../src/client/calls/create-call-queue.js';
import { CallQueue } from '../../../src/client/calls/call-queue.js';
import { MarketFeed, type CandleNotice, type StreamState } from '../../../src/feed/index.js';
import { RateLimitPolicy, type PublicTrade, type Ticker } from '../../../src/venue/index.js';
import { BTC, ETH, FakeMarket } from '../../support/feed/fake-market.js';
import { VirtualTime } from '../../support/virtual-time.js';
import { mostInAnyWindow } from '../../support/windows.js';

const START = Date.UTC(2025, 0, 1);

function aFeed(): {
  readonly time: VirtualTime;
  readonly market: FakeMarket;
  readonly feed: MarketFeed;
} {
  const time = new VirtualTime(START);
  const market = new FakeMarket(time);
  return { time, market, feed: new MarketFeed({ source: market, time }) };
}

function aPrint(second: number, price = '100'): PublicTrade {
  return {
    instrumentId: BTC,
    time: START + second * SECOND_MS,
    price: parseFixed(price),
    quantity: parseFixed('1'),
    takerSide: 'buy',
  };
}

describe('MarketFeed', () => {
  it('polls at once and then on a grid, once for all subscribers', async () => {
    const { time, market, feed } = aFeed();
    const first: Ticker[] = [];
    const second: Ticker[] = [];

    feed.ticker(BTC).values$.subscribe((ticker) => first.push(ticker));
    await time.advance(2_500);
    feed.ticker(BTC).values$.subscribe((ticker) => second.push(ticker));
    await time.advance(1_000);

    expect(market.calls.map(({ at }) => at - START)).toEqual([0, 1_000, 2_000, 3_000]);
    expect(first).toHaveLength(4);
    // The second subscriber gets the latest value at once from the cache, then the next ones.
    expect(second).toEqual(first.slice(2));
  });

  it('reuses the readings that sample stops', async () => {
    const { time, market, feed } = aFeed();
    const { signal } = new AbortController();
    const sample = (): Promise<Ticker> => feed.readTicker(BTC, { since: time.now(), signal });
    const told: Ticker[] = [];

    const sampled = await sample();
    feed.ticker(BTC).values$.subscribe((ticker) => told.push(ticker));
    await time.advance(500);
    const again = await sample();
    await time.advance(1_000);
    const alone = market.calls.length;
    await time.advance(1_000);

    expect(told.slice(0, 2)).toEqual([sampled, again]);
    expect(alone).toBe(2);
    // The stop is no longer sampled.
    expect(market.calls).toHaveLength(3);
  });

  it('polls contracts, which share one limit, half as often', async () => {
    const { time, market, feed } = aFeed();
    const contract = createInstrumentId('futures', 'E-BTC-USDT');

    feed.ticker(contract).values$.subscribe();
    await time.advance(6_500);

    expect(market.calls.map(({ at }) => at - START)).toEqual([0, 2_000, 4_000, 6_000]);
  });

  it('spreads the polls of different streams over the period', async () => {
    const { time, market, feed } = aFeed();
    for (const id of [BTC, ETH, createInstrumentId('spot', 'XRPUSDT')])
      feed.ticker(id).values$.subscribe();

    await time.advance(1_500);

    const phases = market.calls.slice(3).map(({ at }) => (at - START) % 1_000);
    expect(new Set(phases.map(Math.round)).size).toBe(3);
  });

  it('retries failed polls with growing delays and is live at the next answer', async () => {
    const { time, market, feed } = aFeed();
    const states: StreamState[] = [];
    const { values$, status$ } = feed.ticker(BTC);
    status$.subscribe(({ state }) => states.push(state));
    values$.subscribe();
    await time.advance(1_500);
    market.faults.failures = 4;

    await time.advance(20_000);

    const delays = market.calls
      .slice(2, 7)
      .map(({ at }, index, all) => at - (all[index - 1]?.at ?? at));
    expect(delays).toEqual([0, 1_000, 2_000, 4_000, 8_000]);
    expect(states).toEqual(['stale', 'live', 'stale', 'down', 'live']);
  });

  it('becomes stale without answers although the clock was set back', async () => {
    const { time, market, feed } = aFeed();
    const states: StreamState[] = [];
    const { values$, status$ } = feed.ticker(BTC);
    status$.subscribe(({ state }) => states.push(state));
    values$.subscribe();
    await time.advance(100);
    market.faults.slowMs = 1e9;
    await time.advance(1_000);

    time.jump(-5);
    await time.advance(4_000);

    expect(states).toEqual(['stale', 'live', 'stale']);
  });

  it('waits as long as the venue asks', async () => {
    const { time, market, feed } = aFeed();
    const asked = [new RateLimitError('E_RATE_LIMITED', 'slow down', 10_000)];
    const answer = market.ticker.bind(market);
    market.ticker = (id) => {
      const refusal = asked.pop();
      return refusal === undefined ? answer(id) : Promise.reject(refusal);
    };

    feed.ticker(BTC).values$.subscribe();
    await time.advance(10_500);

    expect(market.calls[0]?.at).toBe(START + 10_000);
  });

  it('does not replay an old value', async () => {
    const { time, market, feed } = aFeed();
    const late: Ticker[] = [];
    feed.ticker(BTC).values$.subscribe();
    await time.advance(100);
    market.faults.slowMs = 1e9;
    await time.advance(5_000);

    feed.ticker(BTC).values$.subscribe((ticker) => late.push(ticker));

    expect(late).toEqual([]);
  });

  it('also polls depth and mark prices', async () => {
    const { time, feed } = aFeed();
    const values: unknown[] = [];
    feed.depth(BTC).values$.subscribe((value) => values.push(value));
    feed
      .mark(createInstrumentId('futures', 'E-BTC-USDT'))
      .values$.subscribe((value) => values.push(value));

    await time.advance(100);

    expect(values).toHaveLength(2);
  });
});

describe('MarketFeed.trades', () => {
  it('delivers each trade once if answers overlap, equal trades included', async () => {
    const { time, market, feed } = aFeed();
    const told: PublicTrade[] = [];
    feed.trades(BTC).values$.subscribe((trades) => told.push(...trades));
    const all = [
      aPrint(1),
      aPrint(1),
      aPrint(2),
      aPrint(2, '101'),
      aPrint(3),
      aPrint(3),
      aPrint(3),
    ];
    const answers = [
      all.slice(0, 3),
      all.slice(1, 4),
      all.slice(0, 2),
      all.slice(2, 7),
      all.slice(3),
    ];

    for (const answer of answers) {
      market.prints = answer;
      await time.advance(2_000);
    }

    expect(told).toEqual(all);
  });

  it('reports a gap when trades may have been missed', async () => {
    const { time, market, feed } = aFeed();
    const states: StreamState[] = [];
    const { values$, status$ } = feed.trades(BTC);
    status$.subscribe(({ state }) => states.push(state));
    values$.subscribe();
    for (const second of [1, 50]) {
      market.prints = [aPrint(second)];
      await time.advance(2_000);
    }

    expect(states.at(-1)).toBe('gap');
    market.prints = [aPrint(50), aPrint(51)];
    await time.advance(2_000);
    expect(states.at(-1)).toBe('live');
  });
});

describe('twenty instruments on a budget of two calls per second', () => {
  it('stay within the budget and receive every candle', async () => {
    const time = new VirtualTime(START);
    const market = new FakeMarket(time);
    const policy = new RateLimitPolicy({ rules: [{ id: 'futures', limit: 2, windowMs: 1_000 }] });
    const queue = new CallQueue({ policy, clock: time, timers: time });
    const call = { ruleId: 'futures', principal: 'key', priority: 'market-data' } as const;
    const unlimited = market.candles.bind(market);
    market.candles = async (id, interval, options) => {
      const ticket = await queue.enter(call, options.signal);
      const answer = await unlimited(id, interval, options);
      queue.settle(ticket);
      return answer;
    };
    const feed = new MarketFeed({ source: market, time });
    const notices: CandleNotice[] = [];
    for (let index = 0; index < 20; index += 1) {
      const id = createInstrumentId('futures', `E-C${String(index)}-USDT`);
      feed.candles(id, '1min').values$.subscribe((notice) => notices.push(notice));
    }

    await time.advance(3 * MINUTE_MS + 30 * SECOND_MS);

    expect(notices.filter(({ kind }) => kind === 'candle')).toHaveLength(60);
    expect(mostInAnyWindow(market.calls, 1_000)).toBeLessThanOrEqual(2);
  });
});

describe('three contracts in paper mode', () => {
  it('have fresh prices, and candles within the delay that docs/feed.md states', async () => {
    const time = new VirtualTime(START);
    const market = new FakeMarket(time);
    const queue = createCallQueue({ clock: time, timers: time, sendsCommands: false });
    const limited = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      const place = { ruleId: 'futures', principal: 'key', priority: 'market-data' } as const;
      const ticket = await queue.enter(place, signal);
      const answer = await call();
      queue.settle(ticket);
      return answer;
    };
    const [ticker, candles] = [market.ticker.bind(market), market.candles.bind(market)];
    market.ticker = (id) => limited(() => ticker(id), new AbortController().signal);
    market.candles = (id, interval, options) =>
      limited(() => candles(id, interval, options), options.signal);
    const feed = new MarketFeed({ source: market, time });
    const states: StreamState[] = [];
    const delays: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      const id = createInstrumentId('futures', `E-C${String(index)}-USDT`);
      const { values$, status$ } = feed.ticker(id);
      status$.subscribe(({ state }) => states.push(state));
      values$.subscribe();
      feed.candles(id, '1min').values$.subscribe((notice) => {
        if (notice.kind === 'candle') delays.push(time.now() - notice.candle.closeTime);
      });
    }

    await time.advance(10 * MINUTE_MS + 30 * SECOND_MS);

    // Each instrument starts without a price, and later always has one.
    expect(states.filter((state) => state === 'stale')).toHaveLength(3);
    expect(states.filter((state) => state === 'live')).toHaveLength(3);
    expect(delays).toHaveLength(30);
    expect(Math.max(...delays)).toBeLessThanOrEqual(300 + 7 * 500.5);
  });
});
