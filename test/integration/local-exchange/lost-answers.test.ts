import { afterEach, describe, expect, it } from 'vitest';

import { createCallQueue, RestAccount, RestExecution, Secret } from '../../../src/client/index.js';
import {
  OutcomeUnknownError,
  type InstrumentId,
  type LimitOrderRequest,
  type MarketOrderRequest,
  type OrderRequest,
  type RiskApproved,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import type { FaultRuleInput } from '../../../src/local-exchange/index.js';
import { OutcomeSearch, type SearchVerdict } from '../../../src/live/recovery/outcome-search.js';
import { NOTHING_SEEN } from '../../../src/live/session/sent-orders.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import {
  FUTURES_ID,
  MARGIN_ID,
  MARKET_START,
  SPOT_ID,
  testAccount,
} from '../../support/local-exchange/test-exchange.js';
import { REAL_TIME } from '../../support/real-time.js';
import { aVenueClient } from '../../support/venue-client.js';
import { VirtualTime } from '../../support/virtual-time.js';

/** A clock that runs a thousand times as fast, so that the budget of the client takes no time. */
const HASTE = {
  now: () => REAL_TIME.now() * 1_000,
  after: (delayMs: number, action: () => void) => REAL_TIME.after(delayMs / 1_000, action),
};

const { signal } = new AbortController();
const isolated = { unit: 'contracts', marginMode: 'isolated' } as const;

/** An order far below the market, so that it rests. */
const rests = (instrumentId: InstrumentId, quantity = '1') =>
  aLimitRequest({ id: 'lost-1', instrumentId, quantity, limitPrice: '1000' });
const sells = (instrumentId: InstrumentId) =>
  aMarketRequest({ id: 'lost-1', instrumentId, quantity: '0.01' });
const buys = (instrumentId: InstrumentId): MarketOrderRequest => ({
  ...aMarketRequest({ id: 'lost-1', instrumentId, quantity: '100', side: 'buy' }),
  ...(instrumentId === FUTURES_ID && { marginMode: 'isolated' }),
});
const contract: LimitOrderRequest = { ...rests(FUTURES_ID), ...isolated };

let served: ServedTestExchange;

afterEach(async () => {
  await served.close();
});

describe.each(['interface', 'family'] as const)('a lost answer to an order (%s)', (profile) => {
  const orders: readonly [string, string, OrderRequest][] = [
    ['a LIMIT order on spot', 'open', rests(SPOT_ID)],
    ['a MARKET sale on spot', 'filled', sells(SPOT_ID)],
    ['a MARKET buy on spot', 'filled', buys(SPOT_ID)],
    ['a LIMIT order on margin', 'open', rests(MARGIN_ID)],
    ['a MARKET buy on margin', 'filled', buys(MARGIN_ID)],
    ['a LIMIT order on futures', 'open', contract],
    ['a POST_ONLY order on futures', 'open', { ...contract, timeInForce: 'POST_ONLY' }],
    ['an IOC order on futures', 'canceled', { ...contract, timeInForce: 'IOC' }],
    ['a MARKET order that opens on futures', 'filled', buys(FUTURES_ID)],
  ];

  it.each(orders)('is found by a lookup: %s, %s', async (_, status, request) => {
    const bench = await Bench.start(profile);

    await bench.lose(request, 'reset-after');

    expect(await bench.look(request)).toMatchObject({ kind: 'found', order: { status } });
  });

  it.each(orders)(
    'of a request that never arrived proves the order absent: %s',
    async (_, __, request) => {
      const bench = await Bench.start(profile);

      await bench.lose(request, 'reset-before');

      expect(await bench.settle(request)).toEqual({ kind: 'absent' });
    },
  );

  it('is that of the order with the id of the bot, not of another with equal fields', async () => {
    const bench = await Bench.start(profile);
    const other = { ...rests(SPOT_ID), clientOrderId: 'other-1' as typeof contract.clientOrderId };
    await bench.submit(other);

    await bench.lose(rests(SPOT_ID), 'timeout-after');

    expect(await bench.look(rests(SPOT_ID))).toMatchObject({
      kind: 'found',
      order: { clientOrderId: 'lost-1' },
      by: 'client-order-id',
    });
  });

  it('is not that of a known own order with equal fields', async () => {
    const bench = await Bench.start(profile);
    await bench.submit(contract);
    await bench.lose(contract, 'reset-before');

    expect(await bench.settle(contract)).toEqual({ kind: 'absent' });
  });

  it('is undecided until a late order appears', async () => {
    const bench = await Bench.start(profile);
    await bench.fault({ fault: 'hidden-order', hiddenMs: 8_000, count: 1 });
    await bench.lose(contract, 'reset-after');

    const early = await bench.look(contract);
    await bench.pass(8_000);

    expect(early.kind).toBe('undecided');
    expect(await bench.look(contract)).toMatchObject({ kind: 'found', order: { status: 'open' } });
  });
});

describe('an external order with equal fields on futures', () => {
  it('makes the lookup ambiguous', async () => {
    const bench = await Bench.start('interface');
    bench.isForgetful = true;
    await bench.submit(contract);

    await bench.lose(contract, 'reset-after');

    expect(await bench.look(contract)).toMatchObject({ kind: 'ambiguous' });
  });
});

/** The live client on an exchange in lockstep, with a clock that shows the time of the market. */
class Bench {
  /** Whether accepted orders are left out of the known ids, as if the journal had lost them. */
  isForgetful = false;
  readonly #time = new VirtualTime(MARKET_START);
  readonly #known = new Set<VenueOrderId>();
  readonly #execution: RestExecution;
  readonly #account: RestAccount;
  readonly #searches = new Map<OrderRequest, OutcomeSearch>();

  private constructor() {
    const { key, secret } = testAccount();
    const client = aVenueClient(served, {
      credentials: { key: new Secret(key), secret: new Secret(secret) },
      clock: this.#time,
      timers: REAL_TIME,
      queue: createCallQueue({ clock: HASTE, timers: HASTE }),
    });
    this.#execution = new RestExecution(client);
    this.#account = new RestAccount(client);
  }

  static async start(profile: 'interface' | 'family'): Promise<Bench> {
    served = await serveTestExchange({ profile });
    return new Bench();
  }

  async fault(rule: FaultRuleInput): Promise<void> {
    await served.control('POST', '/faults', rule);
  }

  async pass(byMs: number): Promise<void> {
    await served.control('POST', '/advance', { byMs });
    await this.#time.advance(byMs);
  }

  async submit(request: OrderRequest): Promise<void> {
    const outcome = await this.#execution.submit(request as RiskApproved<OrderRequest>, { signal });
    if (outcome.kind !== 'accepted')
      throw new Error(`expected it accepted: ${outcome.reason.text}`);
    if (!this.isForgetful) this.#known.add(outcome.venueOrderId);
  }

  /** Submits an order whose answer is lost. */
  async lose(
    request: OrderRequest,
    fault: 'reset-before' | 'reset-after' | 'timeout-after',
  ): Promise<void> {
    await this.fault({
      fault,
      count: 1,
      endpoints: ['spot.order', 'margin.order', 'futures.order'],
    });
    await expect(this.submit(request)).rejects.toThrow(OutcomeUnknownError);
  }

  look(request: OrderRequest): Promise<SearchVerdict> {
    return this.#searchFor(request).look();
  }

  /** Looks until the outcome is known, each time at the instant that the search asks for. */
  async settle(request: OrderRequest): Promise<SearchVerdict> {
    for (let looks = 0; looks < 20; looks += 1) {
      const verdict = await this.look(request);
      if (verdict.kind !== 'undecided') return verdict;
      await this.#time.advance(verdict.waitMs);
    }
    throw new Error('expected a verdict after 20 looks');
  }

  #searchFor(request: OrderRequest): OutcomeSearch {
    const search =
      this.#searches.get(request) ??
      new OutcomeSearch({
        request,
        sentAt: MARKET_START,
        recvWindowMs: 5_000,
        clockBoundMs: 500,
        orderClockBoundMs: 30_000,
        before: NOTHING_SEEN,
        source: this.#account,
        time: this.#time,
        machine: this.#time,
        signal,
        isKnown: (id) => this.#known.has(id),
      });
    this.#searches.set(request, search);
    return search;
  }
}
