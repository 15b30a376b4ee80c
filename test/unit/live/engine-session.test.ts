import { filter, map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import {
  DomainError,
  MINUTE_MS,
  parseFixed,
  SECOND_MS,
  type EpochMs,
  type OrderIntent,
} from '../../../src/domain/index.js';
import { MarketFeed } from '../../../src/feed/index.js';
import type { Command, EngineEvent } from '../../../src/engine/index.js';
import { candleToRow, eventFromRows, eventToRow } from '../../../src/journal/event-rows.js';
import { Activity } from '../../../src/live/bot/activity.js';
import {
  EngineSession,
  type EngineSessionOptions,
} from '../../../src/live/session/engine-session.js';
import { createSessionTime } from '../../../src/live/session/session-time.js';
import {
  enterLong,
  Strategy,
  type Market,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { BTC, candleAt, FakeMarket } from '../../support/feed/fake-market.js';
import { aStartedEngine, START } from '../../support/engine/engine.js';
import { VirtualTime } from '../../support/virtual-time.js';

/** Enters when the polled last price is high. */
class TickerTrader extends Strategy({}) {
  override intents(market: Market): Observable<OrderIntent> {
    return market.ticker$().pipe(
      filter(({ last }) => last >= 102),
      map(() => enterLong({ quantity: '0.1' })),
    );
  }
}

class Idler extends Strategy({}) {
  override readonly warmup = 1;

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(
      filter(() => false),
      map(() => enterLong({ quantity: '1' })),
    );
  }
}

class ClockReader extends Strategy({}) {
  override readonly warmup = 1;

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(
      filter(() => Date.now() < 0),
      map(() => enterLong({ quantity: '1' })),
    );
  }
}

/** A session on a market whose last price counts seconds from 100 to 102, and everything it does. */
function aSession(strategyClass: StrategyClass, options: Partial<EngineSessionOptions> = {}) {
  const time = new VirtualTime(START + MINUTE_MS);
  const market = new FakeMarket(time);
  const figures = market.ticker.bind(market);
  market.ticker = async (instrumentId) => ({
    ...(await figures(instrumentId)),
    last: parseFixed(String(100 + (Math.floor(time.now() / SECOND_MS) % 3))),
  });
  const entries: { readonly event: EngineEvent; readonly commands: readonly Command[] }[] = [];
  const conditions = new Map<string, string>();
  const failures: unknown[] = [];
  const engine = aStartedEngine(strategyClass, { servesReadings: true });
  const session = new EngineSession({
    engine,
    venue: { feed: new MarketFeed({ source: market, time }) },
    time: createSessionTime(time),
    activity: new Activity(),
    streams: [{ instrumentId: BTC, interval: '1min', history: [candleAt(START)] }],
    marksAt: () => [],
    dataDelayMs: 0,
    alignMs: 0,
    lateMs: MINUTE_MS,
    onProcessed: (event, commands) => entries.push({ event, commands }),
    onCondition: (name, text) => {
      if (text === undefined) conditions.delete(name);
      else conditions.set(name, text);
    },
    onNotice: () => undefined,
    onFailure: (error) => failures.push(error),
    ...options,
  });
  return { time, market, engine, session, entries, conditions, failures };
}

/** The event after it was written to a journal and read back. */
function readBack(event: EngineEvent): EngineEvent {
  const candles = event.kind === 'candles' ? event.candles.map(candleToRow) : [];
  return eventFromRows(eventToRow(event), candles);
}

describe('EngineSession', () => {
  it('processes the warm-up, the opening of the account, and then each candle at its close', async () => {
    const { time, session, entries } = aSession(Idler);
    void session.warmUp();
    session.run();

    await time.advance(2 * MINUTE_MS + 10 * SECOND_MS);

    const told = entries.map(({ event }): [string, EpochMs] => [
      event.kind,
      Math.floor((event.time - START) / MINUTE_MS),
    ]);
    expect(told).toEqual([
      ['candles', 1],
      ['opening', 1],
      ['candles', 2],
      ['candles', 3],
    ]);
  });

  it('opens the account with given prices before the first candle if there is no warm-up', async () => {
    const { time, session, entries } = aSession(TickerTrader, {
      streams: [{ instrumentId: BTC, interval: '1min', history: [] }],
      openingPrices: [{ instrumentId: BTC, price: 99 }],
    });
    void session.warmUp();
    session.run();
    await time.advance(2 * SECOND_MS);

    expect(entries[0]?.event).toMatchObject({
      kind: 'opening',
      prices: [{ instrumentId: BTC, price: 99 }],
    });
  });

  it('opens the account after the warm-up, before a reading that the strategy trades on', async () => {
    class WarmTrader extends TickerTrader {
      override readonly warmup = 1;
    }
    const { time, session, entries } = aSession(WarmTrader);
    void session.warmUp();
    session.run();
    await time.advance(5 * SECOND_MS);

    const kinds = entries.map(({ event }) => event.kind);
    expect(kinds.slice(0, 2)).toEqual(['candles', 'opening']);
    expect(kinds).toContain('reading');
  });

  it('polls the readings of the strategy, and a replay of the journal repeats its commands', async () => {
    const { time, engine, session, entries } = aSession(TickerTrader);
    void session.warmUp();
    session.run();
    await time.advance(MINUTE_MS);

    const replayed = aStartedEngine(TickerTrader, { servesReadings: true });
    const again = entries.map(({ event }) => [...replayed.process(readBack(event))]);

    const commands = entries.map((entry) => entry.commands);
    expect(commands.flat()).not.toEqual([]);
    expect(again).toEqual(commands);
    expect(engine.intentCounts.judged).toBeGreaterThan(10);
    expect(replayed.intentCounts).toEqual(engine.intentCounts);
  });

  it('reports each place where the strategy reads the clock once', async () => {
    const notices: string[] = [];
    const { time, session } = aSession(ClockReader, { onNotice: (text) => notices.push(text) });
    void session.warmUp();
    session.run();

    await time.advance(3 * MINUTE_MS);

    expect(notices).toEqual([
      expect.stringMatching(
        /^the strategy read the clock \(Date\.now at .*engine-session\.test\.ts:\d+, once, on .*\(E_PLUGIN_CLOCK\)$/,
      ),
    ]);
  });

  it('polls no tickers for a strategy that does not subscribe to them', async () => {
    const { time, market, session } = aSession(Idler);
    void session.warmUp();
    session.run();

    await time.advance(MINUTE_MS);

    expect(market.calls.filter(({ what }) => what.startsWith('ticker'))).toEqual([]);
  });

  it('is degraded while a subscribed stream fails, and not after its recovery', async () => {
    const { time, market, session, conditions } = aSession(TickerTrader);
    void session.warmUp();
    session.run();
    await time.advance(5 * SECOND_MS);
    const before = [...conditions.keys()];
    market.faults.failures = 5;

    await time.advance(10 * SECOND_MS);
    const during = conditions.get(`stream ${BTC} ticker`);
    await time.advance(MINUTE_MS);

    expect(before).toEqual([]);
    expect(during).toContain('ticker of spot:BTCUSDT');
    expect([...conditions.keys()]).toEqual([]);
  });

  it('is degraded by a late candle for a limited time, not until the next candle', async () => {
    const { time, session, entries, conditions } = aSession(Idler, { lateMs: 10 * SECOND_MS });
    void session.warmUp();
    await time.advance(MINUTE_MS + 30 * SECOND_MS);
    session.run();

    await time.advance(9 * SECOND_MS);
    const during = conditions.get('old');
    const told = entries.length;
    await time.advance(2 * SECOND_MS);

    expect(during).toContain('come late');
    expect(conditions.has('old')).toBe(false);
    expect(entries).toHaveLength(told);
  });

  it('fails with the error of a stream that has failed for good', async () => {
    const { time, market, session, failures } = aSession(TickerTrader);
    const refused = new DomainError('E_REQUEST', 'a field is wrong');
    market.ticker = () => Promise.reject(refused);
    void session.warmUp();
    session.run();

    await time.advance(SECOND_MS);

    expect(failures).toEqual([refused]);
  });

  it('reads nothing after its stop', async () => {
    const { time, market, session, entries } = aSession(TickerTrader);
    void session.warmUp();
    session.run();
    await time.advance(SECOND_MS);
    session.stop();
    const [calls, events] = [market.calls.length, entries.length];

    await time.advance(3 * MINUTE_MS);

    expect([market.calls.length, entries.length]).toEqual([calls, events]);
  });

  it('yields during a long warm-up, and processes events of that time after it', async () => {
    const history = Array.from({ length: 300 }, (_, index) => candleAt(START + index * MINUTE_MS));
    const heard: number[] = [];
    const { session, entries } = aSession(Idler, {
      streams: [{ instrumentId: BTC, interval: '1min', history }],
      breathe: () => {
        heard.push(entries.length);
        if (heard.length === 1)
          session.push((at) => ({ kind: 'operator', time: at, action: 'reduce-only' }));
        return Promise.resolve();
      },
    });

    await session.warmUp();

    const kinds = entries.map(({ event }) => event.kind);
    expect(heard.length).toBeGreaterThan(3);
    expect(kinds.at(-1)).toBe('operator');
    expect(kinds.filter((kind) => kind === 'candles')).toHaveLength(300);
  });
});
