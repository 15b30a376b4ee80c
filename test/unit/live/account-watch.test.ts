import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  MINUTE_MS,
  parseVenueOrderId,
  TransportError,
  WireFormatError,
  type FuturesInstrument,
  type InstrumentId,
  type SpotInstrument,
  type TradingError,
} from '../../../src/domain/index.js';
import { PollQueue } from '../../../src/feed/index.js';
import type { AccountReading } from '../../../src/live/account/account-reader-options.js';
import { AccountWatch } from '../../../src/live/account/account-watch.js';
import { Activity } from '../../../src/live/bot/activity.js';
import { NOTHING_SEEN, SentOrders } from '../../../src/live/session/sent-orders.js';
import { createSessionTime } from '../../../src/live/session/session-time.js';
import { aLinearContract } from '../../support/futures-contracts.js';
import { aLimitRequest } from '../../support/order-requests.js';
import type { FuturesAccountSnapshot } from '../../../src/venue/index.js';
import { VirtualTime } from '../../support/virtual-time.js';

const START = Date.UTC(2025, 0, 1, 0, 30);
const PAIR: SpotInstrument = {
  kind: 'spot',
  id: createInstrumentId('spot', 'BTCUSDT'),
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
};

const [A, B, C] = ['A', 'B', 'C'].map((base) => aLinearContract(base)) as [
  FuturesInstrument,
  FuturesInstrument,
  FuturesInstrument,
];

const UNREADABLE = new WireFormatError('E_WIRE_FORMAT', 'an impossible order');

const SNAPSHOT = { kind: 'futures', accounts: [] } as unknown as FuturesAccountSnapshot;

/** A watch over a reader. A reading takes `readingMs` for each contract, by default a second, as under the rate limit, and no time for pairs. */
function aWatch(
  instruments: readonly (SpotInstrument | FuturesInstrument)[],
  time = new VirtualTime(START),
  pollQueue = new PollQueue(time),
  looks?: number[],
) {
  const orders = new SentOrders();
  const held = new Set<InstrumentId>();
  const gone = new Set<InstrumentId>();
  const differing = new Set<InstrumentId>();
  const read: string[] = [];
  const seen: FuturesAccountSnapshot[] = [];
  const states: (TradingError | undefined)[] = [];
  const state = {
    error: undefined as TradingError | undefined,
    /** The instrument whose readings fail alone. */
    broken: undefined as InstrumentId | undefined,
    isGuarding: false,
    readingMs: 1_000,
  };
  const watch = new AccountWatch({
    reader: {
      poll: async (
        readings: readonly AccountReading[],
        onRead?: (reading: AccountReading) => void,
      ) => {
        for (const { instrumentId, orders: open, trades } of readings) {
          const what = [open ? 'orders' : '', trades ? 'trades' : ''].join(' ').trim();
          read.push(`${String((time.now() - START) / 1_000)} ${instrumentId} ${what}`);
          if (instrumentId.startsWith('futures:'))
            await new Promise<void>((resolve) => void time.after(state.readingMs, resolve));
        }
        if (state.error !== undefined) throw state.error;
        for (const reading of readings)
          if (reading.instrumentId !== state.broken) onRead?.(reading);
        if (readings.some(({ instrumentId }) => instrumentId === state.broken)) throw UNREADABLE;
      },
    },
    orders,
    charges: {
      look: () => false,
      read: () => Promise.resolve(),
      readFirst: () => Promise.resolve(),
    },
    pollQueue,
    isSequential: false,
    time: createSessionTime(time),
    activity: new Activity(),
    signal: new AbortController().signal,
    instruments,
    holds: (id) => held.has(id),
    isGone: (id) => gone.has(id),
    changed: () => differing,
    guards: () => state.isGuarding,
    ...(looks && {
      account: {
        read: () => {
          looks.push((time.now() - START) / 1_000);
          return Promise.resolve(SNAPSHOT);
        },
      },
      onAccount: (snapshot) => void seen.push(snapshot),
    }),
    updatePollMs: 2_000,
    idleMs: MINUTE_MS,
    onState: (error) => states.push(error),
    onFailure: (error) => {
      throw error;
    },
  });
  return { time, orders, held, gone, differing, read, seen, states, state, watch };
}

const ofContracts = (read: readonly string[]): readonly string[] =>
  read.filter((line) => line.includes('futures:'));

describe('AccountWatch', () => {
  it('reads contracts one by one, and leaves seven of eight calls to others', async () => {
    const { time, read, watch } = aWatch([PAIR, A, B, C]);

    watch.start();
    await time.advance(MINUTE_MS - 1);
    watch.stop();

    // One second of reading, seven of rest; ticks come every two seconds. A whole reading is not repeated within a minute.
    expect(ofContracts(read)).toEqual([
      `2 ${A.id} orders trades`,
      `10 ${B.id} orders trades`,
      `18 ${C.id} orders trades`,
    ]);
    expect(read.filter((line) => line.includes('spot:'))).toEqual([`2 ${PAIR.id} orders trades`]);
  });

  it.each([PAIR, A])('reads $id soon after a failure, although nothing else is due', async (of) => {
    const { time, orders, read, state, states, watch } = aWatch([of]);
    state.readingMs = 0;
    watch.start();
    await time.advance(3_000);
    const order = orders.adopt(
      aLimitRequest({ instrumentId: of.id }),
      time.now(),
      parseVenueOrderId('1'),
    );
    state.error = new TransportError('E_TIMEOUT', 'no answer');
    await time.advance(2_000);
    orders.end(order);
    state.error = undefined;
    await time.advance(10_000);
    watch.stop();

    expect(read).toEqual([
      `2 ${of.id} orders trades`,
      `4 ${of.id} orders`,
      `6 ${of.id} orders trades`,
    ]);
    expect(states.map((error) => error?.code)).toEqual([undefined, 'E_TIMEOUT', undefined]);
  });

  it('does not repeat the readings of the start within a minute', async () => {
    const { time, read, watch } = aWatch([A]);
    const reading = watch.readAll();
    await time.advance(2_000);
    await reading;

    watch.start();
    await time.advance(MINUTE_MS);
    watch.stop();

    expect(read).toEqual([`0 ${A.id} orders trades`, `60 ${A.id} orders trades`]);
  });

  it('is certain of contracts that the account confirms, and reads the other contracts first at a start', async () => {
    const { time, read, differing, watch } = aWatch([PAIR, A, B, C]);
    const certain = (): readonly InstrumentId[] =>
      [PAIR, A, B, C].map(({ id }) => id).filter((id) => watch.isCertain(id));
    differing.add(B.id);

    watch.note(SNAPSHOT);
    const shown = certain();
    const reading = watch.readAll();
    await time.advance(1_500);
    const after = certain();
    await time.advance(3_000);
    await reading;

    expect(shown).toEqual([A.id, C.id]);
    expect(after).toEqual([PAIR.id, A.id, B.id, C.id]);
    expect(ofContracts(read)).toEqual([
      `0 ${B.id} orders trades`,
      `1 ${A.id} orders trades`,
      `2 ${C.id} orders trades`,
    ]);
  });

  it('reads executions of a held contract every fourth second, and other contracts in between', async () => {
    const { time, read, held, watch } = aWatch([A, B, C]);
    held.add(B.id);

    watch.start();
    await time.advance(24_000);
    watch.stop();

    expect(read).toEqual([
      `2 ${B.id} orders trades`,
      `6 ${B.id} trades`,
      `10 ${B.id} trades`,
      `14 ${A.id} orders trades`,
      `18 ${B.id} trades`,
      `22 ${B.id} trades`,
    ]);
  });

  it('reads the account for a single held contract at least every six seconds, although polls rest', async () => {
    const looks: number[] = [];
    const time = new VirtualTime(START);
    const pollQueue = new PollQueue(time);
    const { seen, held, watch } = aWatch([A], time, pollQueue, looks);
    // Another bot on the key, whose readings take four seconds: polls rest for 28 seconds after each.
    const other = aWatch([B, C], time, pollQueue);
    other.state.readingMs = 4_000;

    watch.start();
    await time.advance(3_000);
    held.add(A.id);
    other.watch.start();
    await time.advance(57_000);
    watch.stop();
    other.watch.stop();

    // After the whole reading at second 2 there are seven seconds of rest. The first look does not wait for a turn.
    expect(looks.slice(0, 4)).toEqual([4, 10, 16, 22]);
    const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? at));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(6);
    expect(seen).toHaveLength(looks.length);
  });

  it('does not read the account during the rest of polls if several contracts are held', async () => {
    const looks: number[] = [];
    const { time, held, watch } = aWatch([A, B], undefined, undefined, looks);

    watch.start();
    await time.advance(3_000);
    for (const { id } of [A, B]) held.add(id);
    await time.advance(6_000);
    watch.stop();

    expect(looks).toEqual([]);
  });

  it('reads the orders of guarded pairs in turn, one pair at least every six seconds', async () => {
    const other: SpotInstrument = { ...PAIR, id: createInstrumentId('spot', 'ETHUSDT') };
    const { time, read, state, watch } = aWatch([PAIR, other]);
    state.isGuarding = true;

    watch.start();
    await time.advance(24_000);
    watch.stop();

    expect(read).toEqual([
      `2 ${PAIR.id} orders trades`,
      `4 ${other.id} orders trades`,
      `10 ${PAIR.id} orders`,
      `16 ${other.id} orders`,
      `22 ${PAIR.id} orders`,
    ]);
  });

  it('stops reading an instrument that is gone, and clears its failure', async () => {
    const { time, read, gone, state, states, watch } = aWatch([PAIR]);
    state.error = new TransportError('E_TIMEOUT', 'no answer');
    watch.start();
    await time.advance(3_000);
    gone.add(PAIR.id);
    const before = read.length;

    await time.advance(2 * MINUTE_MS);
    watch.stop();

    expect(before).toBe(1);
    expect(read).toHaveLength(before);
    expect(states).toEqual([state.error, undefined]);
  });

  it('reads working orders every other second', async () => {
    const { time, read, orders, watch } = aWatch([A]);
    const order = orders.begin(
      { ...aLimitRequest({ id: 'a' }), instrumentId: A.id },
      { sentAt: time.now(), before: NOTHING_SEEN },
    );
    order.venueOrderId = '11' as never;

    watch.start();
    await time.advance(7_000);
    watch.stop();

    expect(read).toEqual([`2 ${A.id} orders trades`, `4 ${A.id} orders`, `6 ${A.id} orders`]);
  });

  it('takes turns with other bots on the key, while pairs do not wait', async () => {
    const time = new VirtualTime(START);
    const pollQueue = new PollQueue(time);
    const one = aWatch([A], time, pollQueue);
    const other = aWatch([PAIR, B], time, pollQueue);

    one.watch.start();
    other.watch.start();
    await time.advance(12_000);
    one.watch.stop();
    other.watch.stop();

    expect(one.read).toEqual([`2 ${A.id} orders trades`]);
    expect(other.read).toEqual([`2 ${PAIR.id} orders trades`, `10 ${B.id} orders trades`]);
  });

  it('reads orders in time beside an idle bot on the key, also new orders during the rest of polls', async () => {
    const time = new VirtualTime(START);
    const pollQueue = new PollQueue(time);
    const idle = aWatch([A, B], time, pollQueue);
    const busy = aWatch([C], time, pollQueue);

    idle.watch.start();
    busy.watch.start();
    await time.advance(5_000);
    const order = busy.orders.begin(
      { ...aLimitRequest({ id: 'a' }), instrumentId: C.id },
      { sentAt: time.now(), before: NOTHING_SEEN },
    );
    order.venueOrderId = '11' as never;
    await time.advance(8_000);
    idle.watch.stop();
    busy.watch.stop();

    // The reading of A would rest until 10: the order, known at the tick of 6, ends that. B takes a turn, and rests no longer than an order lets it.
    expect(idle.read).toEqual([`2 ${A.id} orders trades`, `8 ${B.id} orders trades`]);
    expect(busy.read).toEqual([
      `6 ${C.id} orders trades`,
      `10 ${C.id} orders`,
      `12 ${C.id} orders`,
    ]);
  });

  it('reports a failed reading until a reading succeeds, and continues', async () => {
    const { time, states, state, read, watch } = aWatch([A]);
    state.error = new TransportError('E_TIMEOUT', 'expected an answer');

    watch.start();
    await time.advance(5_000);
    state.error = undefined;
    await time.advance(10_000);
    watch.stop();

    expect(states.map((error) => error?.code)).toEqual(['E_TIMEOUT', 'E_TIMEOUT', undefined]);
    expect(read).toHaveLength(3);
  });

  it('reads a contract as often as before although another one cannot be read, and reports that until it can', async () => {
    const { time, orders, state, states, read, watch } = aWatch([A, B]);
    state.readingMs = 0;
    for (const { id } of [A, B])
      orders.adopt(aLimitRequest({ id, instrumentId: id }), time.now(), parseVenueOrderId('1'));
    state.broken = A.id;

    watch.start();
    await time.advance(60_000);
    const duringFailure = read.filter((line) => line.includes(B.id)).length;
    const reported = states.at(-1);
    state.broken = undefined;
    await time.advance(10_000);
    watch.stop();

    expect(duringFailure).toBeGreaterThanOrEqual(14);
    expect(new Set(states.slice(0, -1))).toEqual(new Set([UNREADABLE, undefined]));
    expect(reported).toBe(UNREADABLE);
    expect(states.at(-1)).toBeUndefined();
  });

  it('reports without a break that an instrument cannot be read, although others can', async () => {
    const { time, state, states, watch } = aWatch([A, B, C]);
    state.readingMs = 0;
    state.broken = B.id;

    watch.start();
    await time.advance(5 * MINUTE_MS);
    watch.stop();

    const since = states.indexOf(UNREADABLE);
    expect(since).toBeGreaterThan(-1);
    expect(states.slice(since)).toEqual(states.slice(since).map(() => UNREADABLE));
  });

  it('does not read a pair in full again because another one cannot be read', async () => {
    const other: SpotInstrument = { ...PAIR, id: createInstrumentId('spot', 'ETHUSDT') };
    const { time, orders, state, read, watch } = aWatch([PAIR, other]);
    for (const { id } of [PAIR, other])
      orders.adopt(aLimitRequest({ id, instrumentId: id }), time.now(), parseVenueOrderId('1'));
    state.broken = PAIR.id;

    watch.start();
    await time.advance(MINUTE_MS);
    watch.stop();

    expect(read.filter((line) => line.endsWith(`${other.id} orders trades`))).toHaveLength(1);
  });
});
