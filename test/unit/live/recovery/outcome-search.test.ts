import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  InvariantError,
  parseFixed,
  RateLimitError,
  type ClientOrderId,
  type LimitOrderRequest,
  type OrderRequest,
  type VenueOrderId,
} from '../../../../src/domain/index.js';
import {
  OutcomeSearch,
  type OutcomeSearchOptions,
} from '../../../../src/live/recovery/outcome-search.js';
import { NOTHING_SEEN } from '../../../../src/live/session/sent-orders.js';
import { aLimitRequest, aMarketRequest } from '../../../support/order-requests.js';
import { StagedAccount, stagedOf } from '../../../support/live/staged-account.js';
import { settle, VirtualTime } from '../../../support/virtual-time.js';

const SENT = Date.UTC(2025, 0, 1);
/** 5,000 of recvWindow, 500 of clock bound, 10,000 of visibility. */
const VISIBLE_BY = SENT + 15_500;
const ORDER_CLOCK_BOUND = 30_000;
/** An order time that is 1 ms too early: 30,000 of the order clock's bound, 500 of the clock's, and a second. */
const TOO_EARLY = SENT - 31_501;
const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');

describe('OutcomeSearch', () => {
  it('finds a working spot order by its client order id beside other orders', async () => {
    const bench = new Bench(aLimitRequest());
    const twin = { clientOrderId: 'other-bot-1' };
    bench.account.orders = [bench.appears('11', 0, twin), bench.appears('12', 0)];

    expect(await bench.search.look()).toMatchObject({
      kind: 'found',
      order: { venueOrderId: '12' },
      by: 'client-order-id',
    });
  });

  it('finds a spot order that filled at once by its trade', async () => {
    const bench = new Bench(aMarketRequest());
    bench.account.orders = [
      {
        ...bench.appears('12', 0),
        executions: [
          { tradeId: '1', at: SENT + 40, visibleAt: SENT, price: bench.at('100'), quantity: 1n },
        ],
        end: { at: SENT, visibleAt: SENT, status: 'filled' },
      },
    ];

    expect(await bench.search.look()).toMatchObject({
      kind: 'found',
      order: { venueOrderId: '12', status: 'filled' },
    });
    // The calls do not send our own id: a venue that knows it would answer with its latest order of that id.
    expect(bench.calls).toEqual(['open', 'trades', 'order 12']);
  });

  it('finds an ended contract order in the history by its fields', async () => {
    const bench = new Bench(aContract());
    const ended = { at: SENT, visibleAt: SENT, status: 'canceled' } as const;
    bench.account.orders = [{ ...bench.appears('12', 0), end: ended }];

    expect(await bench.search.look()).toMatchObject({
      kind: 'found',
      order: { venueOrderId: '12', status: 'canceled' },
      by: 'fields',
    });
  });

  it('waits for an order that becomes visible late', async () => {
    const bench = new Bench(aContract());
    bench.account.orders = [bench.appears('12', 9_000)];

    const verdict = await bench.settle();

    expect(verdict).toMatchObject({ kind: 'found', order: { venueOrderId: '12' } });
    expect(bench.time.now()).toBe(SENT + 11_000);
  });

  it('calls an order absent after complete readings, from the visibility deadline to 10 s later', async () => {
    const bench = new Bench(aContract());

    const verdict = await bench.settle();

    expect(verdict).toEqual({ kind: 'absent' });
    const opens = bench.account.calls.filter(({ what }) => what === 'open');
    expect(opens.filter(({ at }) => at >= VISIBLE_BY).map(({ at }) => at)).toEqual([
      VISIBLE_BY,
      VISIBLE_BY + 5_000,
      VISIBLE_BY + 10_000,
    ]);
  });

  it('starts no reading that would still be running when a reading counts', async () => {
    const bench = new Bench(aContract());
    // A second for each of three calls.
    bench.account.slowMs = 1_000;

    expect(await bench.settle()).toEqual({ kind: 'absent' });

    const opens = bench.account.calls.filter(({ what }) => what === 'open');
    expect(opens.filter(({ at }) => at >= VISIBLE_BY).map(({ at }) => at)).toEqual([
      VISIBLE_BY,
      VISIBLE_BY + 10_000,
    ]);
  });

  it('counts from the time after which the request was certainly not sent', async () => {
    const bench = new Bench(aContract(), { sentUntil: SENT + 60_000 });

    await bench.time.advance(VISIBLE_BY - SENT);
    const [first, second] = [await bench.search.look(), await bench.search.look()];

    expect([first.kind, second.kind]).toEqual(['undecided', 'undecided']);
    expect(await bench.settle()).toEqual({ kind: 'absent' });
    expect(bench.time.now()).toBe(VISIBLE_BY + 60_000 + 10_000);
  });

  it('does not count a failed reading, and waits longer after each failure', async () => {
    const bench = new Bench(aContract());
    await bench.time.advance(VISIBLE_BY - SENT);
    // Two readings fail at their first call, one at its third.
    bench.account.failures = [true, true, false, false, true];

    const waits = [];
    for (let look = 0; look < 5; look += 1) {
      const verdict = await bench.search.look();
      const isOver = verdict.kind !== 'undecided';
      waits.push(isOver ? verdict.kind : verdict.waitMs);
      await bench.time.advance(isOver ? 0 : verdict.waitMs);
    }

    expect(waits).toEqual([2_000, 4_000, 5_000, 2_000, 4_000]);
    expect(await bench.settle()).toEqual({ kind: 'absent' });
    // The first complete reading was after 11 s of failures.
    expect(bench.time.now()).toBe(VISIBLE_BY + 11_000 + 10_000);
  });

  it('waits as long as the venue asks', async () => {
    const bench = new Bench(aContract());
    bench.account.failures = [new RateLimitError('E_RATE_LIMIT', 'expected patience', 45_000)];

    expect(await bench.search.look()).toMatchObject({
      kind: 'undecided',
      waitMs: 45_000,
      error: { code: 'E_RATE_LIMIT' },
    });
  });

  it('rejects with a bug', async () => {
    const bench = new Bench(aContract());
    bench.account.failures = [new InvariantError('E_MISSING', 'expected something')];

    await expect(bench.search.look()).rejects.toThrow(InvariantError);
  });

  it('ignores an own order with equal fields, also if its answer comes during the reading', async () => {
    const bench = new Bench(aContract());
    bench.account.slowMs = 100;
    bench.account.orders = [bench.appears('12', 0)];

    const looking = bench.search.look();
    await bench.time.advance(150);
    bench.known.add('12' as VenueOrderId);
    await bench.time.advance(1_000);

    expect(await looking).toMatchObject({ kind: 'undecided' });
  });

  it('reports two equal orders as ambiguous', async () => {
    const bench = new Bench(aContract());
    bench.account.orders = [bench.appears('12', 0), bench.appears('13', 0)];

    expect(await bench.search.look()).toEqual({
      kind: 'ambiguous',
      candidates: ['12', '13'],
      text: 'orders 12, 13 of futures:E-BTC-USDT could each be order-1',
    });
  });

  it('reports the only equal order as ambiguous while another order could be the own one', async () => {
    const bench = new Bench(aContract());
    const other = { clientOrderId: 'somebody' };
    bench.account.orders = [bench.appears('12', 0), bench.appears('13', 0, other)];

    expect(await bench.settle()).toMatchObject({ kind: 'ambiguous', candidates: ['12', '13'] });
  });

  it('decides between two equal orders once one of them is known', async () => {
    const bench = new Bench(aContract());
    bench.account.orders = [bench.appears('12', 0), bench.appears('13', 0)];
    await bench.search.look();

    bench.known.add('13' as VenueOrderId);

    expect(await bench.search.look()).toMatchObject({
      kind: 'found',
      order: { venueOrderId: '12' },
    });
  });

  it.each([
    ['another client order id', { clientOrderId: 'somebody' }],
    ['another time in force', { timeInForce: 'IOC' }],
    ['another margin mode', { marginMode: 'cross' }],
    ['a time at which ours could not be made', { createdTime: VISIBLE_BY + ORDER_CLOCK_BOUND + 1 }],
  ] as const)(
    'reports an order with equal fields and %s as ambiguous, after the visibility deadline',
    async (...c) => {
      const [, says] = c;
      const bench = new Bench(aContract());
      bench.account.orders = [bench.appears('12', 0, says)];
      const early = await bench.search.look();

      await bench.time.advance(VISIBLE_BY - SENT);
      const due = await bench.search.look();

      expect([early.kind, due.kind]).toEqual(['undecided', 'undecided']);
      expect(await bench.settle()).toMatchObject({ kind: 'ambiguous', candidates: ['12'] });
    },
  );

  it.each([
    ['side', { side: 'sell' }],
    ['action', { action: 'close' }],
    ['type', { type: 'market', limitPrice: undefined }],
    ['type, by its price', { type: undefined, limitPrice: undefined }],
    ['price', { limitPrice: 1n }],
    ['quantity', { quantity: 1n }],
  ] as const)('ignores an order with another %s', async (...c) => {
    const [, says] = c;
    const bench = new Bench(aContract());
    bench.account.orders = [bench.appears('12', 0, says)];

    expect(await bench.settle()).toEqual({ kind: 'absent' });
  });

  it('ignores an order with an id of another order of the bot, such as one that its trigger made', async () => {
    const bench = new Bench({ ...aContract(), clientOrderId: '2f907a6d-m-0-0' as ClientOrderId });
    const fired = { clientOrderId: '2f907a6d-k-0-0' };
    bench.account.orders = [bench.appears('12', 0, fired)];

    expect(await bench.settle()).toEqual({ kind: 'absent' });
  });

  it('ignores an order that is too old, has ended and has not traded since', async () => {
    const bench = new Bench(aContract());
    const end = { at: SENT, visibleAt: SENT, status: 'canceled' } as const;
    bench.account.orders = [{ ...bench.appears('12', 0, { createdTime: TOO_EARLY }), end }];

    expect(await bench.settle()).toEqual({ kind: 'absent' });
  });

  it('prefers a futures order with the client order id of the request', async () => {
    const bench = new Bench(aContract());
    bench.account.orders = [
      bench.appears('12', 0),
      bench.appears('13', 0, { clientOrderId: 'order-1' }),
    ];

    expect(await bench.search.look()).toMatchObject({
      kind: 'found',
      order: { venueOrderId: '13' },
      by: 'client-order-id',
    });
  });

  it.each([
    ['on spot', aLimitRequest()],
    ['on futures', aContract()],
  ])(
    'finds an order %s that filled at once, if the venue dates orders by a clock that is behind',
    async (_, request) => {
      const bench = new Bench(request);
      bench.account.skewMs = -ORDER_CLOCK_BOUND;
      bench.account.orders = [bench.fills('12')];

      expect(await bench.search.look()).toMatchObject({
        kind: 'found',
        order: { venueOrderId: '12' },
      });
    },
  );

  it('finds an order with the client order id of the request, whatever its time', async () => {
    const bench = new Bench(aLimitRequest());
    bench.account.skewMs = -3_600_000;
    bench.account.orders = [bench.appears('12', 0, { createdTime: SENT })];

    expect(await bench.search.look()).toMatchObject({
      kind: 'found',
      order: { venueOrderId: '12' },
      by: 'client-order-id',
    });
  });

  it('ignores an order with the same client order id that worked before the request', async () => {
    const before = { tradeId: undefined, orders: new Set(['12' as VenueOrderId]) };
    const bench = new Bench(aLimitRequest(), { before });
    bench.account.orders = [bench.appears('12', 0)];

    expect(await bench.settle()).toEqual({ kind: 'absent' });
  });

  it('ignores an order with the same client order id that traded before the request', async () => {
    const before = { tradeId: '1', orders: NOTHING_SEEN.orders };
    const bench = new Bench(aMarketRequest(), { before });
    bench.account.orders = [bench.fills('12')];

    expect(await bench.settle()).toEqual({ kind: 'absent' });
    expect(bench.calls).not.toContain('order 12');
  });

  it.each([
    ['works', {}],
    ['has traded since', { isFilled: true }],
  ])(
    'reports a futures order with equal fields that is too old as ambiguous while it %s',
    async (_, { isFilled = false }: { readonly isFilled?: boolean }) => {
      const before = { tradeId: '0', orders: NOTHING_SEEN.orders };
      const bench = new Bench(aContract(), { before });
      bench.account.skewMs = TOO_EARLY - SENT;
      bench.account.orders = [
        isFilled ? bench.fills('12') : bench.appears('12', 0, { createdTime: SENT }),
      ];

      expect(await bench.settle()).toMatchObject({ kind: 'ambiguous', candidates: ['12'] });
    },
  );

  it('waits by the machine clock although the venue clock is found to be ahead', async () => {
    const bench = new Bench(aContract());
    await bench.search.look();

    bench.aheadMs = 60_000;

    expect(await bench.settle()).toEqual({ kind: 'absent' });
    expect(bench.time.now()).toBe(VISIBLE_BY + 10_000);
  });

  it('waits for the order of a matching trade, and reports an unexplained trade as ambiguous', async () => {
    const bench = new Bench(aLimitRequest());
    bench.account.orders = [
      {
        ...bench.appears('12', Number.POSITIVE_INFINITY),
        executions: [
          { tradeId: '1', at: SENT, visibleAt: SENT, price: bench.at('99'), quantity: 1n },
        ],
      },
    ];
    const early = await bench.search.look();

    expect(early.kind).toBe('undecided');
    expect(await bench.settle()).toMatchObject({ kind: 'ambiguous', candidates: ['12'] });
  });

  it.each([
    ['worse than the limit', { price: parseFixed('101') }],
    ['larger than the order', { quantity: parseFixed('1.1') }],
    ['older than the request', { at: TOO_EARLY }],
  ])('does not read the order of a trade that is %s', async (_, other) => {
    const bench = new Bench(aLimitRequest());
    const trade = { tradeId: '1', at: SENT, visibleAt: SENT, price: bench.at('99'), quantity: 1n };
    bench.account.orders = [
      { ...bench.appears('12', Number.POSITIVE_INFINITY), executions: [{ ...trade, ...other }] },
    ];

    expect(await bench.settle()).toEqual({ kind: 'absent' });
    expect(bench.calls).not.toContain('order 12');
  });

  it('does not accept a list that may be truncated as proof', async () => {
    const bench = new Bench(aContract());
    bench.account.orders = Array.from({ length: 1_000 }, (_, index) =>
      bench.appears(String(index), 0, { side: 'sell' }),
    );
    await bench.time.advance(60_000);
    await bench.search.look();
    await bench.time.advance(60_000);
    const full = await bench.search.look();
    bench.account.orders = bench.account.orders.slice(1);
    const whole = await bench.search.look();

    expect([full.kind, whole.kind]).toEqual(['undecided', 'undecided']);
    expect(await bench.settle()).toEqual({ kind: 'absent' });
  });

  it('matches an order of a batch by its fields', async () => {
    const bench = new Bench(aLimitRequest(), { matchBy: 'fields' });
    bench.account.orders = [bench.appears('12', 0, { clientOrderId: undefined })];

    expect(await bench.search.look()).toMatchObject({ kind: 'found', by: 'fields' });
  });

  it('reports an order without a client order id as ambiguous if every order has one', async () => {
    const bench = new Bench(aLimitRequest());
    bench.account.orders = [bench.appears('12', 0, { clientOrderId: undefined })];

    expect(await bench.settle()).toMatchObject({ kind: 'ambiguous', candidates: ['12'] });
  });

  it('makes one reading for two simultaneous looks', async () => {
    const bench = new Bench(aContract());

    await Promise.all([bench.search.look(), bench.search.look()]);

    expect(bench.calls).toEqual(['open', 'history', 'trades']);
  });

  it('rejects when it is aborted, also while it waits', async () => {
    const bench = new Bench(aContract());
    const settling = bench.search.settle();
    const ended = expect(settling).rejects.toThrow('enough');
    await settle();

    bench.stop.abort(new Error('enough'));

    await ended;
    expect(bench.time.pending).toBe(0);
    await expect(bench.search.look()).rejects.toThrow('enough');
  });
});

function aContract(): LimitOrderRequest {
  const request = aLimitRequest({ instrumentId: CONTRACT, quantity: '3' });
  return { ...request, unit: 'contracts', marginMode: 'isolated' };
}

/** A search for one request, sent at `SENT`, on a virtual clock. */
class Bench {
  readonly time = new VirtualTime(SENT);
  readonly account = new StagedAccount(this.time);
  readonly known = new Set<VenueOrderId>();
  readonly stop = new AbortController();
  /** How far the venue is found to be ahead of the machine. */
  aheadMs = 0;
  readonly search: OutcomeSearch;
  readonly #request: OrderRequest;

  constructor(request: OrderRequest, options: Partial<OutcomeSearchOptions> = {}) {
    this.#request = request;
    this.search = new OutcomeSearch({
      request,
      sentAt: SENT,
      recvWindowMs: 5_000,
      clockBoundMs: 500,
      orderClockBoundMs: ORDER_CLOCK_BOUND,
      before: NOTHING_SEEN,
      source: this.account,
      time: {
        now: () => this.time.now() + this.aheadMs,
        after: (delayMs, action) => this.time.after(delayMs, action),
      },
      machine: this.time,
      signal: this.stop.signal,
      isKnown: (id) => this.known.has(id),
      ...options,
    });
  }

  /** The request as the venue shows it from `afterMs` after it was sent. */
  appears(id: string, afterMs: number, overrides: Parameters<typeof stagedOf>[2] = {}) {
    return { order: stagedOf(this.#request, id, overrides), visibleAt: SENT + afterMs };
  }

  /** The request as the venue shows it once it has filled at once, by trade 1. */
  fills(id: string) {
    const { quantity } = this.#request;
    return {
      ...this.appears(id, 0, { createdTime: SENT }),
      executions: [{ tradeId: '1', at: SENT, visibleAt: SENT, price: this.at('100'), quantity }],
      end: { at: SENT, visibleAt: SENT, status: 'filled' } as const,
    };
  }

  at(price: string): bigint {
    return parseFixed(price);
  }

  get calls(): readonly string[] {
    return this.account.calls.map(({ what }) => what);
  }

  /** Looks until the outcome is known. */
  async settle(): Promise<unknown> {
    const settling = this.search.settle();
    await this.time.drain();
    return settling;
  }
}
