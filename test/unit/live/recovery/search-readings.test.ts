import { setMaxListeners } from 'node:events';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  TransportError,
  type VenueOrderId,
} from '../../../../src/domain/index.js';
import { OutcomeSearch } from '../../../../src/live/recovery/outcome-search.js';
import { SearchReadings } from '../../../../src/live/recovery/search-readings.js';
import { NOTHING_SEEN } from '../../../../src/live/session/sent-orders.js';
import { StagedAccount, stagedOf } from '../../../support/live/staged-account.js';
import { aLimitRequest } from '../../../support/order-requests.js';
import { VirtualTime } from '../../../support/virtual-time.js';

const SENT = Date.UTC(2025, 0, 1);
const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');

/** Searches for orders of one contract that share their readings; `limitPrices` in the order in which they were sent. */
function aBench(limitPrices: readonly string[]) {
  const time = new VirtualTime(SENT);
  const account = new StagedAccount(time);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const gather = (): Promise<void> => new Promise((resolve) => time.after(100, resolve));
  const readings = new SearchReadings(account, signal, gather);
  const requests = limitPrices.map((limitPrice, index) => ({
    ...aLimitRequest({ id: `order-${String(index)}`, instrumentId: CONTRACT, limitPrice }),
    unit: 'contracts' as const,
    marginMode: 'isolated' as const,
  }));
  const searches = requests.map(
    (request, index) =>
      new OutcomeSearch({
        request,
        sentAt: SENT - limitPrices.length + index,
        // Orders that an earlier process left are searched from the start of the new process.
        sentUntil: SENT,
        recvWindowMs: 5_000,
        clockBoundMs: 500,
        orderClockBoundMs: 30_000,
        before: NOTHING_SEEN,
        source: account,
        readings,
        time,
        machine: time,
        signal,
        isKnown: () => false,
      }),
  );
  return { time, account, requests, searches };
}

async function settleAll({
  time,
  searches,
}: ReturnType<typeof aBench>): Promise<readonly unknown[]> {
  const settling = Promise.all(searches.toReversed().map((search) => search.settle()));
  await time.drain();
  return (await settling).toReversed();
}

describe('SearchReadings', () => {
  it('proves twelve orders absent with the readings of one search', async () => {
    const alone = aBench(['100']);
    await settleAll(alone);
    const bench = aBench(Array.from({ length: 12 }, (_, index) => String(100 + index)));

    const verdicts = await settleAll(bench);

    expect(verdicts).toEqual(Array.from({ length: 12 }, () => ({ kind: 'absent' })));
    expect(bench.time.now() - SENT).toBeLessThan(alone.time.now() - SENT + 200);
    expect(bench.account.calls.length).toBeLessThanOrEqual(2 * alone.account.calls.length);
  });

  it('gives one venue order to one search: that of the order that was sent first', async () => {
    const bench = aBench(['100', '100']);
    const [first] = bench.requests;
    if (first === undefined) throw new Error('expected a request');
    bench.account.orders = [{ order: stagedOf(first, '12', {}), visibleAt: SENT + 3_000 }];

    expect(await settleAll(bench)).toMatchObject([
      { kind: 'found', order: { venueOrderId: '12' as VenueOrderId } },
      { kind: 'absent' },
    ]);
  });

  it('finds each order among many', async () => {
    const bench = aBench(['100', '101', '102']);
    bench.account.orders = bench.requests.flatMap((request, index) =>
      index === 1
        ? []
        : [{ order: stagedOf(request, String(11 + index), {}), visibleAt: SENT + 1_000 }],
    );

    expect(await settleAll(bench)).toMatchObject([
      { kind: 'found', order: { venueOrderId: '11' } },
      { kind: 'absent' },
      { kind: 'found', order: { venueOrderId: '13' } },
    ]);
  });

  it('counts a failed reading for no search', async () => {
    const bench = aBench(['100', '101']);
    bench.account.failures = [true, true, true];

    const looking = Promise.all(bench.searches.map((search) => search.look()));
    await bench.time.drain();

    for (const verdict of await looking)
      expect(verdict).toMatchObject({
        kind: 'undecided',
        error: expect.any(TransportError) as unknown,
      });
  });

  it('fails the looks that wait for it if what it waits for fails, and reads again after that', async () => {
    const bench = aBench(['100', '101']);
    const { signal } = new AbortController();
    const state = { fails: true };
    const readings = new SearchReadings(bench.account, signal, () =>
      state.fails
        ? Promise.reject(new TransportError('E_TIMEOUT', 'no answer'))
        : Promise.resolve(),
    );
    const request = {
      instrumentId: CONTRACT,
      fromTrade: undefined,
      isKnown: () => false,
      isSince: () => true,
      isOfInterest: () => true,
    };
    const read = () => readings.read(request, { sentAt: SENT, search: {} }, ({ orders }) => orders);

    const failed = await Promise.allSettled([read(), read()]);
    state.fails = false;

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read()).toEqual([]);
  });
});
