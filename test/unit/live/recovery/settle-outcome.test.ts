import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS } from '../../../../src/domain/index.js';
import { SearchReadings } from '../../../../src/live/recovery/search-readings.js';
import { settleOutcome } from '../../../../src/live/recovery/settle-outcome.js';
import { NOTHING_SEEN, SentOrders } from '../../../../src/live/sent-orders.js';
import { createSessionTime } from '../../../../src/live/session-time.js';
import { VenueRefusalError, type OrderUpdate } from '../../../../src/venue/index.js';
import { StagedAccount } from '../../../support/live/staged-account.js';
import { aMarketRequest } from '../../../support/order-requests.js';
import { VirtualTime } from '../../../support/virtual-time.js';

const GONE = new VenueRefusalError('Invalid symbol', '-1121', false);

/** An order without an answer, of an instrument that is gone from the venue. `aheadMs`: how far the venue is ahead of the machine. */
function anOrder(aheadMs: () => number = () => 0) {
  const time = new VirtualTime();
  const account = new StagedAccount(time);
  account.failures = Array<VenueRefusalError>(10_000).fill(GONE);
  const { signal } = new AbortController();
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
      now: () => time.now() + aheadMs(),
      after: (delayMs, action) => time.after(delayMs, action),
    }),
    recvWindowMs: 5_000,
    clockBoundMs: 500,
    orderClockBoundMs: 30_000,
    machine: time,
    signal,
    onCondition: (name, text) => void conditions.set(name, text),
  });
  return { time, account, orders, told, state, conditions, settling };
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

describe('settleOutcome while the clock of the machine is set back', () => {
  it('proves an order absent in the same time', async () => {
    const venue = { aheadMs: 0 };
    const { time, told, state, account, settling } = anOrder(() => venue.aheadMs);
    [state.isGone, account.failures] = [false, []];
    await time.advance(5_000);

    time.jump(-HOUR_MS);
    venue.aheadMs = HOUR_MS;
    await time.advance(MINUTE_MS);

    expect(told).toMatchObject([{ kind: 'ended', reason: { code: 'not-submitted' } }]);
    await settling;
  });

  it('gives up a gone instrument after the same hour', async () => {
    const { time, told, settling } = anOrder();
    await time.advance(HOUR_MS / 2);

    time.jump(-HOUR_MS);
    await time.advance(HOUR_MS / 2 + MINUTE_MS);

    expect(told).toMatchObject([{ kind: 'ended', reason: { code: 'gone-unknown' } }]);
    await settling;
  });
});
