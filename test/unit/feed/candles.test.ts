import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  AuthError,
  DomainError,
  MINUTE_MS,
  SECOND_MS,
  WireFormatError,
  type EpochMs,
  type TradingError,
} from '../../../src/domain/index.js';
import { MarketFeed, type CandleNotice, type StreamState } from '../../../src/feed/index.js';
import { BTC, candleAt, ETH, FakeMarket } from '../../support/feed/fake-market.js';
import { VirtualTime } from '../../support/virtual-time.js';

/** Ten seconds into a minute. */
const START = Date.UTC(2025, 0, 1, 0, 0, 10);
const FIRST = Date.UTC(2025, 0, 1);

interface Watching {
  readonly time: VirtualTime;
  readonly market: FakeMarket;
  readonly feed: MarketFeed;
  readonly notices: CandleNotice[];
  readonly states: StreamState[];
  readonly stop: () => void;
}

/** Watches one-minute candles of BTC after the last closed candle, or after a time. */
function watching(after?: EpochMs): Watching {
  const time = new VirtualTime(START);
  const market = new FakeMarket(time);
  const feed = new MarketFeed({ source: market, time });
  const { values$, status$ } = feed.candles(BTC, '1min', after);
  const notices: CandleNotice[] = [];
  const states: StreamState[] = [];
  status$.subscribe(({ state }) => states.push(state));
  const subscription = values$.subscribe((notice) => notices.push(notice));
  return { time, market, feed, notices, states, stop: () => subscription.unsubscribe() };
}

const opened = (notices: readonly CandleNotice[]): readonly number[] =>
  notices.flatMap((notice) =>
    notice.kind === 'candle' ? [(notice.candle.openTime - FIRST) / MINUTE_MS] : [],
  );
const others = (notices: readonly CandleNotice[]): readonly CandleNotice[] =>
  notices.filter(({ kind }) => kind !== 'candle');

describe('MarketFeed.candles', () => {
  it('delivers each closed candle once, in order, shortly after its end, with one call each', async () => {
    const { time, market, notices, states } = watching();

    await time.advance(3 * MINUTE_MS);

    expect(opened(notices)).toEqual([0, 1, 2]);
    expect(notices[0]).toEqual({ kind: 'candle', candle: candleAt(FIRST) });
    // The first call is at once, the others are 300 ms after each minute.
    expect(market.calls.map(({ at }) => at - START)).toEqual([0, 50_300, 110_300, 170_300]);
    expect(states).toEqual(['stale', 'live']);
  });

  it('asks again soon while the closed candle is missing', async () => {
    const { time, market, notices } = watching();
    market.faults.publishMs = 3 * SECOND_MS;
    const seen: EpochMs[] = [];

    await time.advance(49 * SECOND_MS);
    for (let tick = 0; tick < 60; tick += 1) {
      await time.advance(100);
      if (seen.length === 0 && notices.length > 0) seen.push(time.now() - FIRST - MINUTE_MS);
    }

    // The candle closes all the same, and is final 2 s after its end, before the next one is published.
    expect(opened(notices)).toEqual([0]);
    expect(seen[0]).toBeGreaterThanOrEqual(2_000);
    expect(seen[0]).toBeLessThanOrEqual(4_000);
  });

  it('waits for its own clock, too, before a candle is final without a newer one', async () => {
    const time = new VirtualTime(START);
    const market = new FakeMarket(time);
    market.faults.publishMs = 30 * SECOND_MS;
    let passedMs = -20 * SECOND_MS;
    const passed = (): EpochMs => time.now() + passedMs;
    const feed = new MarketFeed({
      source: market,
      time: { now: () => time.now(), after: time.after.bind(time), passed },
    });
    const notices: CandleNotice[] = [];
    feed.candles(BTC, '1min').values$.subscribe((notice) => notices.push(notice));

    await time.advance(50 * SECOND_MS + 15 * SECOND_MS);
    const early = opened(notices);
    passedMs = 0;
    await time.advance(6 * SECOND_MS);

    expect(early).toEqual([]);
    expect(opened(notices)).toEqual([0]);
  });

  it('fills the gap after an outage without duplicates', async () => {
    const { time, market, notices, states } = watching();
    await time.advance(MINUTE_MS);
    market.faults.failures = 14;

    await time.advance(10 * MINUTE_MS);

    expect(opened(notices)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(others(notices)).toEqual([]);
    expect(states).toEqual(['stale', 'live', 'down', 'live']);
  });

  it('begins after the last candle of the warm-up', async () => {
    const { time, notices } = watching(FIRST - 5 * MINUTE_MS);

    await time.advance(0);

    expect(opened(notices)).toEqual([-4, -3, -2, -1]);
  });

  it('never overlaps its own slow calls and loses no candle', async () => {
    const { time, market, notices } = watching();
    market.faults.slowMs = 90 * SECOND_MS;

    await time.advance(10 * MINUTE_MS);

    expect(market.mostAtOnce).toBe(1);
    expect(opened(notices).slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('becomes stale if a call never returns', async () => {
    const { time, market, states } = watching();
    await time.advance(MINUTE_MS);
    market.faults.slowMs = 1e9;

    await time.advance(3 * MINUTE_MS);

    expect(states).toEqual(['stale', 'live', 'stale']);
  });

  it('asks at the end of a candle although the candle before it is missing', async () => {
    const { time, market } = watching();
    market.faults.missing = new Set([FIRST + MINUTE_MS]);

    await time.advance(3 * MINUTE_MS);

    const afterEnds = market.calls
      .map(({ at }) => at - FIRST)
      .filter((at) => at % MINUTE_MS === 300);
    expect(afterEnds).toEqual([60_300, 120_300, 180_300]);
  });

  it('reports candles that the venue leaves out as a hole after a wait', async () => {
    const { time, market, notices, states } = watching();
    market.faults.missing = new Set([FIRST + MINUTE_MS]);

    await time.advance(4 * MINUTE_MS);

    expect(opened(notices)).toEqual([0, 2, 3]);
    expect(others(notices)).toEqual([
      { kind: 'hole', from: FIRST + MINUTE_MS, to: FIRST + 2 * MINUTE_MS },
    ]);
    expect(states).toContain('gap');
    expect(states.at(-1)).toBe('live');
  });

  it('waits for a late candle between others', async () => {
    const { time, market, notices } = watching();
    market.faults.missing = new Set([FIRST + MINUTE_MS]);

    await time.advance(3 * MINUTE_MS - 8 * SECOND_MS);
    market.faults.missing = new Set();
    await time.advance(MINUTE_MS);

    expect(opened(notices)).toEqual([0, 1, 2, 3].slice(0, opened(notices).length));
    expect(others(notices)).toEqual([]);
  });

  it('reports candles beyond the reach of the venue as a hole at once', async () => {
    const { time, notices } = watching(FIRST - 400 * MINUTE_MS);

    await time.advance(0);

    // The venue returns the newest 300 with the open candle: 299 closed candles.
    expect(others(notices)).toEqual([
      { kind: 'hole', from: FIRST - 399 * MINUTE_MS, to: FIRST - 299 * MINUTE_MS },
    ]);
    expect(opened(notices)).toHaveLength(299);
  });

  it('reports a later change as a revision and does not deliver the candle again', async () => {
    const { time, market, notices } = watching();
    await time.advance(MINUTE_MS);
    market.faults.mangle = (candles) =>
      candles.map((candle) => (candle.openTime === FIRST ? { ...candle, volume: 9 } : candle));

    await time.advance(2 * MINUTE_MS);

    const before = candleAt(FIRST);
    expect(others(notices)).toEqual([
      { kind: 'candleRevised', before, after: { ...before, volume: 9 } },
    ]);
    expect(opened(notices)).toEqual([0, 1, 2]);
  });

  it('reports a candle that changes again and again once', async () => {
    const { time, market, notices } = watching();
    await time.advance(MINUTE_MS);
    let volume = 0;
    // The venue lacks the next candle, so the feed asks again soon.
    market.faults.mangle = (candles) => {
      volume += 1;
      return candles
        .filter(({ openTime }) => openTime <= FIRST)
        .map((candle) => (candle.openTime === FIRST ? { ...candle, volume } : candle));
    };

    await time.advance(2 * MINUTE_MS);

    expect(volume).toBeGreaterThan(5);
    expect(others(notices)).toHaveLength(1);
  });

  it.each([
    ['ahead of us by 5 s', 5_000],
    ['behind us by 5 s', -5_000],
  ])('delivers complete candles when the venue is %s', async (_what, skewMs) => {
    const { time, market, notices } = watching();
    market.faults.skewMs = skewMs;

    await time.advance(4 * MINUTE_MS);

    expect(opened(notices)).toEqual([0, 1, 2, 3]);
    expect(others(notices)).toEqual([]);
    expect(notices).toContainEqual({ kind: 'candle', candle: candleAt(FIRST + MINUTE_MS) });
  });

  it('delivers correct candles for any order, duplicates and missing parts of the answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 3 })), async (faults) => {
        const { time, market, notices, stop } = watching();
        market.faults.mangle = (candles) => {
          const kind = faults.next().value as number;
          if (kind === 0) return candles.toReversed();
          if (kind === 1) return [...candles, ...candles];
          return kind === 2 ? candles.slice(0, -1) : candles;
        };
        await time.advance(6 * MINUTE_MS);
        market.faults.mangle = (candles) => candles;
        await time.advance(MINUTE_MS);
        stop();

        expect(opened(notices)).toEqual([0, 1, 2, 3, 4, 5, 6]);
        expect(others(notices)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('stops its calls without subscribers and starts again with a new subscriber', async () => {
    const { time, market, feed, states, stop } = watching();
    await time.advance(MINUTE_MS);

    stop();
    const before = market.calls.length;
    await time.advance(10 * MINUTE_MS);

    expect(market.calls).toHaveLength(before);
    expect(time.pending).toBe(0);
    expect(states.at(-1)).toBe('stale');
    const again: CandleNotice[] = [];
    feed.candles(BTC, '1min').values$.subscribe((notice) => again.push(notice));
    await time.advance(MINUTE_MS);
    expect(opened(again)).toEqual([11]);
  });

  it('polls once for all subscribers and gives a late one the candles that it missed', async () => {
    const { time, market, feed, notices } = watching();
    await time.advance(3 * MINUTE_MS);
    const late: CandleNotice[] = [];

    feed.candles(BTC, '1min', FIRST).values$.subscribe((notice) => late.push(notice));
    await time.advance(MINUTE_MS);

    expect(opened(notices)).toEqual([0, 1, 2, 3]);
    expect(opened(late)).toEqual([1, 2, 3]);
    expect(market.calls).toHaveLength(5);
  });

  it('does not ask for several instruments at the same instant', async () => {
    const { time, market, feed } = watching();
    feed.candles(ETH, '1min').values$.subscribe();

    await time.advance(MINUTE_MS);

    const afterClose = market.calls.filter(({ at }) => at > START).map(({ at }) => at - START);
    expect(afterClose).toEqual([50_300, 50_325]);
  });

  it.each<readonly [string, TradingError]>([
    ['the key is refused', new AuthError('E_AUTH', 'wrong key')],
    ['answers cannot be read', new WireFormatError('E_WIRE_JSON', 'HTML')],
  ])('is down while %s, and recovers afterwards', async (_name, failure) => {
    const time = new VirtualTime(START);
    const market = new FakeMarket(time);
    const original = market.candles.bind(market);
    market.candles = () => Promise.reject(failure);
    const states: string[] = [];
    const { values$, status$ } = new MarketFeed({ source: market, time }).candles(BTC, '1min');
    values$.subscribe();
    status$.subscribe(({ state }) => states.push(state));
    await time.advance(5 * MINUTE_MS);

    market.candles = original;
    await time.advance(5 * MINUTE_MS);

    expect(states).toContain('down');
    expect(states.at(-1)).toBe('live');
  });

  it('ends with an error that no later call can avoid', async () => {
    const time = new VirtualTime(START);
    const market = new FakeMarket(time);
    market.candles = () => Promise.reject(new DomainError('E_REQUEST', 'a field is wrong'));
    const errors: unknown[] = [];

    new MarketFeed({ source: market, time })
      .candles(BTC, '1min')
      .values$.subscribe({ error: (error: unknown) => errors.push(error) });
    await time.advance(MINUTE_MS);

    expect(errors).toMatchObject([{ code: 'E_REQUEST' }]);
    expect(time.pending).toBe(0);
  });
});
