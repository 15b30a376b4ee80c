import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS, SECOND_MS, TransportError } from '../../../../src/domain/index.js';
import { SteadyClock } from '../../../../src/engine/time/steady-clock.js';
import { SearchReadings } from '../../../../src/live/recovery/search-readings.js';
import { settleOutcome } from '../../../../src/live/recovery/settle-outcome.js';
import { NOTHING_SEEN, SentOrders } from '../../../../src/live/session/sent-orders.js';
import { createSessionTime } from '../../../../src/live/session/session-time.js';
import { VenueRefusalError, type OrderUpdate } from '../../../../src/venue/index.js';
import { StagedAccount } from '../../../support/live/staged-account.js';
import { aMarketRequest } from '../../../support/order-requests.js';
import { VirtualTime } from '../../../support/virtual-time.js';

const AWAY = new TransportError('E_TIMEOUT', 'the venue is away');
const GONE = new VenueRefusalError('Invalid symbol', '-1121', false);

/** An order without an answer, of an instrument that is gone from the venue. */
function anOrder() {
  const time = new VirtualTime();
  const wall = { aheadMs: 0 };
  const machine = new SteadyClock({
    wall: () => time.now() + wall.aheadMs,
    ticks: () => time.now(),
    uptime: () => time.now(),
  });
  const account = new StagedAccount(time);
  account.failures = Array<VenueRefusalError>(10_000).fill(GONE);
  const controller = new AbortController();
  const { signal } = controller;
  const orders = new SentOrders();
  const order = orders.begin(aMarketRequest(), { sentAt: time.now(), before: NOTHING_SEEN });
  const told: OrderUpdate[] = [];
  const conditions = new Map<string, string | undefined>();
  const state = { isGone: true };
  const settling = settleOutcome(order, {
    session: {
      isGone: () => state.isGone,
      orders,
      learn: (update) => told.push(update),
      commands: { acknowledge: () => Promise.resolve() } as never,
    },
    engine: { hasOrder: () => false },
    venue: { account },
    readings: new SearchReadings(account, signal),
    time: createSessionTime({
      now: () => machine.now(),
      after: (delayMs, action) => time.after(delayMs, action),
    }),
    recvWindowMs: 5_000,
    clockBoundMs: 500,
    orderClockBoundMs: 30_000,
    machine,
    signal,
    onCondition: (name, text) => void conditions.set(name, text),
  });
  const setClock = (byMs: number): void => void (wall.aheadMs += byMs);
  return { time, account, orders, told, state, conditions, settling, setClock, controller };
}

describe('settleOutcome for an instrument that is gone', () => {
  it('gives up after an hour and reports the reason', async () => {
    const { time, told, orders, settling } = anOrder();

    await time.advance(HOUR_MS - MINUTE_MS);
    expect(told).toEqual([]);
    await time.advance(2 * MINUTE_MS);

    await settling;
    expect(told).toMatchObject([
      { kind: 'ended', status: 'rejected', reason: { code: 'gone-unknown' } },
    ]);
    expect(orders.list()).toEqual([]);
  });

  it('continues the search if the instrument comes back, and restarts the hour', async () => {
    const { time, told, state, account, settling } = anOrder();
    await time.advance(HOUR_MS - MINUTE_MS);
    state.isGone = false;
    await time.advance(MINUTE_MS);
    state.isGone = true;
    await time.advance(HOUR_MS - MINUTE_MS);
    expect(told).toEqual([]);

    state.isGone = false;
    account.failures = [];
    await time.advance(MINUTE_MS);

    await settling;
    expect(told).toMatchObject([{ kind: 'ended', reason: { code: 'not-submitted' } }]);
  });
});

describe('settleOutcome while readings fail', () => {
  it('says which reading fails, and no longer when it succeeds', async () => {
    const { time, told, state, account, conditions, settling } = anOrder();
    state.isGone = false;
    account.failures = Array<TransportError>(10_000).fill(AWAY);
    await time.advance(2 * HOUR_MS);
    const [failing] = conditions.values();
    account.failures = [];
    await time.advance(10 * SECOND_MS);
    const [reading] = conditions.values();
    await time.advance(MINUTE_MS);

    expect(failing).toMatch(/what became of order .*: the reading failed: the venue is away$/);
    expect(reading).toMatch(/nobody knows yet what became of order [^:]*$/);
    expect(told).toMatchObject([{ kind: 'ended', reason: { code: 'not-submitted' } }]);
    await settling;
    expect([...conditions.values()]).toEqual([undefined]);
  });

  it('ends with its session', async () => {
    const { time, told, state, account, controller, settling } = anOrder();
    state.isGone = false;
    account.failures = Array<TransportError>(10_000).fill(AWAY);
    await time.advance(2 * HOUR_MS);

    controller.abort(new TransportError('E_CLOSED', 'the session has ended'));

    await settling;
    expect(told).toEqual([]);
  });
});

describe.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('settleOutcome while the clock of the machine is set %s', (_direction, byMs) => {
  it('proves an order absent in the same time', async () => {
    const { time, told, state, account, settling, setClock } = anOrder();
    [state.isGone, account.failures] = [false, []];
    // Readings count after 15.5 s, and two of them are 10 s apart.
    await time.advance(16 * SECOND_MS);

    setClock(byMs);
    await time.advance(9 * SECOND_MS);
    expect(told).toEqual([]);
    await time.advance(SECOND_MS);

    expect(told).toMatchObject([{ kind: 'ended', reason: { code: 'not-submitted' } }]);
    await settling;
  });

  it('gives up a gone instrument after the same hour', async () => {
    const { time, told, settling, setClock } = anOrder();
    await time.advance(HOUR_MS / 2);

    setClock(byMs);
    await time.advance(HOUR_MS / 2 - MINUTE_MS);
    expect(told).toEqual([]);
    await time.advance(2 * MINUTE_MS);

    expect(told).toMatchObject([{ kind: 'ended', reason: { code: 'gone-unknown' } }]);
    await settling;
  });
});
