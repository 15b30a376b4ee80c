import { describe, expect, it } from 'vitest';

import {
  DomainError,
  parseFixed,
  SECOND_MS,
  type MarketReading,
  type ReadingStream,
} from '../../../src/domain/index.js';
import { MarketFeed } from '../../../src/feed/index.js';
import { ReadingWatch } from '../../../src/live/market/reading-watch.js';
import type { PublicTrade } from '../../../src/venue/index.js';
import { BTC, FakeMarket } from '../../support/feed/fake-market.js';
import { VirtualTime } from '../../support/virtual-time.js';

const TICKER: ReadingStream = { kind: 'ticker', instrumentId: BTC };
const DEPTH: ReadingStream = { kind: 'depth', instrumentId: BTC };
const TRADES: ReadingStream = { kind: 'trades', instrumentId: BTC };

function aWatch(...wanted: ReadingStream[]) {
  const time = new VirtualTime();
  const market = new FakeMarket(time);
  const told: MarketReading[] = [];
  const states: string[] = [];
  const failures: unknown[] = [];
  const watch = new ReadingWatch({
    feed: new MarketFeed({ source: market, time }),
    now: () => time.now(),
    wanted: () => wanted,
    onReading: (make) => told.push(make(time.now())),
    onStatus: ({ kind }, status) => states.push(`${kind} ${status?.state ?? 'over'}`),
    onFailure: (error) => failures.push(error),
  });
  return { time, market, told, states, failures, wanted, watch };
}

function aPrint(time: number): PublicTrade {
  const [price, quantity] = [parseFixed('100.5'), parseFixed('2')];
  return { instrumentId: BTC, time, price, quantity, takerSide: 'sell' };
}

describe('ReadingWatch', () => {
  it('polls a reading as long as the engine wants it', async () => {
    const { time, market, told, states, wanted, watch } = aWatch(TICKER);

    watch.follow();
    await time.advance(2_500);
    wanted.length = 0;
    watch.follow();
    const { length } = market.calls;
    await time.advance(10 * SECOND_MS);

    expect(length).toBe(3);
    expect(market.calls).toHaveLength(length);
    expect(told.map(({ kind }) => kind)).toEqual(['ticker', 'ticker', 'ticker']);
    expect(states).toEqual(['ticker stale', 'ticker live', 'ticker over']);
  });

  it('does not poll the same reading twice', async () => {
    const { time, market, watch } = aWatch(TICKER);

    watch.follow();
    watch.follow();
    await time.advance(500);

    expect(market.calls).toHaveLength(1);
  });

  it('leaves out values that the venue does not report, as a journal does', async () => {
    const { time, told, watch } = aWatch(TICKER);

    watch.follow();
    await time.advance(0);

    const [ticker] = told;
    expect(ticker).toEqual({
      kind: 'ticker',
      instrumentId: BTC,
      time: time.now(),
      last: time.now(),
      high: 1e-18,
      low: 1e-18,
      volume: 1e-18,
    });
    expect(Object.keys(ticker ?? {})).not.toContain('open');
  });

  it('reports a book only if it has changed, and only its best levels', async () => {
    const { time, market, told, watch } = aWatch(DEPTH);
    const level = { price: parseFixed('100'), quantity: parseFixed('1') };
    const book = { instrumentId: BTC, time: undefined, asks: [] };
    watch.follow();
    await time.advance(5 * SECOND_MS);
    const before = told.length;

    market.depth = () =>
      Promise.resolve({ ...book, bids: Array.from({ length: 100 }, () => level) });
    await time.advance(5 * SECOND_MS);

    expect(before).toBe(1);
    expect(told).toHaveLength(2);
    const [, changed] = told;
    expect(changed?.kind === 'depth' && changed.bids).toHaveLength(20);
    expect(changed?.kind === 'depth' && changed.bids[0]).toEqual({ price: 100, quantity: 1 });
  });

  it('reports trades since its start, each once', async () => {
    const { time, market, told, watch } = aWatch(TRADES);
    const start = time.now();
    market.prints = [aPrint(start - 1)];
    watch.follow();
    await time.advance(3 * SECOND_MS);
    market.prints = [aPrint(start - 1), aPrint(start + 3_500), aPrint(start + 3_600)];

    await time.advance(10 * SECOND_MS);

    expect(told).toHaveLength(1);
    const print = { instrumentId: BTC, price: 100.5, quantity: 2, takerSide: 'sell' };
    expect(told[0]).toMatchObject({
      kind: 'trades',
      trades: [
        { ...print, time: start + 3_500 },
        { ...print, time: start + 3_600 },
      ],
    });
  });

  it('reports the failure of a stream that ends for good', async () => {
    const { time, market, failures, watch } = aWatch(TICKER);
    const refused = new DomainError('E_REQUEST', 'a field is wrong');
    market.ticker = () => Promise.reject(refused);

    watch.follow();
    await time.advance(0);

    expect(failures).toEqual([refused]);
  });

  it('polls nothing after its stop', async () => {
    const { time, market, watch } = aWatch(TICKER, DEPTH);
    watch.follow();
    await time.advance(0);
    watch.stop();
    const { length } = market.calls;

    await time.advance(10 * SECOND_MS);

    expect(market.calls).toHaveLength(length);
  });
});
