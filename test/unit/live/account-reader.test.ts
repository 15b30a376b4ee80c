import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createInstrumentId,
  parseFixed,
  TransportError,
  WireFormatError,
  type InstrumentId,
  type OrderStatus,
  type SpotInstrument,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import type { VenueStop } from '../../../src/engine/index.js';
import { AccountReader } from '../../../src/live/account/account-reader.js';
import type { ForcedFillUpdate, ForcedTrades } from '../../../src/live/margin/forced-trades.js';
import {
  NOTHING_SEEN,
  SentOrders,
  type SentOrderState,
} from '../../../src/live/session/sent-orders.js';
import {
  isOrderUpdate,
  type OrderUpdate,
  type VenueOrder,
  type VenueTrade,
} from '../../../src/venue/index.js';
import { FakeAccount } from '../../support/feed/fake-account.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import { stagedOf } from '../../support/live/staged-account.js';
import { VirtualTime } from '../../support/virtual-time.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const WHOLE = { instrumentId: ID, orders: true, trades: true };
const SPOT: SpotInstrument = {
  kind: 'spot',
  id: ID,
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
};
const OTHER_ID = createInstrumentId('spot', 'ETHUSDT');

/** An account that lists the orders that a test sets. */
class Stage extends FakeAccount {
  readonly states = new Map<string, VenueOrder>();
  open: readonly VenueOrder[] = [];
  /** An instrument whose orders cannot be read. */
  broken: InstrumentId | undefined;
  /** Why executions cannot be read. */
  unreadable: WireFormatError | undefined;

  readonly asked: unknown[] = [];

  override order(target?: {
    readonly venueOrderId: VenueOrderId;
  }): Promise<VenueOrder | undefined> {
    this.asked.push(target);
    return Promise.resolve(this.states.get(target?.venueOrderId ?? ''));
  }

  override async *trades(...asked: Parameters<FakeAccount['trades']>): AsyncGenerator<VenueTrade> {
    if (this.unreadable !== undefined) throw this.unreadable;
    yield* super.trades(...asked);
  }

  override openOrders(instrumentId?: InstrumentId): Promise<readonly VenueOrder[]> {
    return instrumentId !== undefined && instrumentId === this.broken
      ? Promise.reject(new TransportError('E_TIMEOUT', 'no answer'))
      : Promise.resolve(this.open);
  }
}

function aReader({
  judge,
  since,
  noteTold = () => undefined,
  settle = () => undefined,
  mayHaveFired,
}: {
  readonly judge?: ForcedTrades['judge'];
  readonly noteTold?: ForcedTrades['noteTold'];
  readonly settle?: ForcedTrades['settle'];
  readonly since?: number;
  readonly mayHaveFired?: () => readonly VenueStop[];
} = {}) {
  const time = new VirtualTime();
  const account = new Stage(time);
  const orders = new SentOrders();
  const told: OrderUpdate[] = [];
  const heard: string[] = [];
  const foreign: string[] = [];
  const unended: string[][] = [];
  const late: string[] = [];
  const reader = new AccountReader({
    source: account,
    orders,
    since,
    mayHaveFired,
    forced: judge && {
      mayConcern: () => true,
      wasForced: () => false,
      judge,
      noteTold,
      settle,
    },
    instruments: [SPOT, { ...SPOT, id: OTHER_ID, symbol: 'ETHUSDT', base: 'ETH' }],
    lastTrades: new Map(),
    now: () => time.now(),
    signal: new AbortController().signal,
    estimateFee: () => ({ fee: parseFixed('0.3'), feeAsset: 'USDT', liquidity: 'taker' }),
    onUpdate: (update) => {
      heard.push(update.kind);
      if (isOrderUpdate(update)) told.push(update);
    },
    onExternal: (trades) => foreign.push(...trades.map(({ venueTradeId }) => venueTradeId)),
    onUnended: (_, found) => unended.push(found.map(({ venueOrderId }) => venueOrderId)),
    onLate: (fills) => late.push(...fills.map(({ clientOrderId }) => clientOrderId)),
    onExternalOrders: (_, found) => foreign.push(...found.map(({ venueOrderId }) => venueOrderId)),
  });
  const accept = (id: string, venueOrderId: string, isMarket = false): SentOrderState => {
    const request = isMarket ? aMarketRequest({ id }) : aLimitRequest({ id });
    const order = orders.begin(request, { sentAt: time.now(), before: NOTHING_SEEN });
    order.venueOrderId = venueOrderId as VenueOrderId;
    reader.accepted(order);
    return order;
  };
  const show = (order: SentOrderState, status: OrderStatus, filled: string): void => {
    const { venueOrderId } = order;
    if (venueOrderId === undefined) throw new Error('expected an id');
    const state = stagedOf(order.request, venueOrderId, {
      status,
      filledQuantity: parseFixed(filled),
      averagePrice: parseFixed('100'),
    });
    account.states.set(venueOrderId, state);
  };
  return { account, time, orders, told, heard, foreign, unended, late, reader, accept, show };
}

function aTrade(id: string, order: string, quantity: string, over: Partial<VenueTrade> = {}) {
  const venueOrderId = order as VenueOrderId;
  const trade: VenueTrade = {
    instrumentId: ID,
    venueTradeId: id,
    venueOrderId,
    buyOrderId: venueOrderId,
    sellOrderId: '7' as VenueOrderId,
    side: 'buy',
    liquidity: 'taker',
    price: parseFixed('100'),
    quantity: parseFixed(quantity),
    notional: undefined,
    fee: 0n,
    feeAsset: 'BTC',
    time: Number(id),
    buyUserId: undefined,
    sellUserId: undefined,
    ...over,
  };
  return trade;
}

/** A reader whose bot has a trigger at the venue; `fire` makes the execution of its order. */
function aFiredTrigger() {
  const request = aMarketRequest({ id: 'trigger' });
  const placed = { placedTime: 0, level: parseFixed('100'), state: 'waiting' };
  const stop = { request, direction: 'long', trigger: 'stop-loss', ...placed };
  const bench = aReader({
    mayHaveFired: () => [stop as unknown as VenueStop],
    judge: () => Promise.resolve({ kind: 'external' }),
  });
  const fire = (tradeId: string): VenueTrade => {
    const state = stagedOf(request, '99', {
      status: 'filled',
      filledQuantity: request.quantity,
      averagePrice: parseFixed('100'),
    });
    bench.account.states.set('99', { ...state, action: 'close' });
    return aTrade(tradeId, '99', '1', { side: 'sell' });
  };
  return { ...bench, fire };
}

const kinds = (told: readonly OrderUpdate[]): readonly string[] =>
  told.map((update) => `${update.kind} ${update.clientOrderId}`);

describe('AccountReader', () => {
  it('does not report an order as accepted if it ended on arrival without resting', async () => {
    const { account, told, reader, accept, show } = aReader();
    const order = accept('a', '11');
    account.executions = [aTrade('1', '11', '1')];
    show(order, 'filled', '1');
    await reader.readArrival(order);
    expect(kinds(told)).toEqual(['fill a']);
    expect(told[0]).toMatchObject({ isFilled: true, venueOrderId: '11' });
  });

  it('reports an order as accepted if it filled as maker, and if it works', async () => {
    const { account, told, reader, accept, show } = aReader();
    const maker = accept('a', '11');
    account.executions = [aTrade('1', '11', '1', { liquidity: 'maker' })];
    show(maker, 'filled', '1');
    await reader.readArrival(maker);
    const resting = accept('b', '12');
    show(resting, 'open', '0');
    await reader.readArrival(resting);
    expect(kinds(told)).toEqual(['accepted a', 'fill a', 'accepted b']);
  });

  it('reports a GTC order as accepted if the venue canceled it at once: it has rested', async () => {
    const { account, told, reader, accept, show } = aReader();
    const order = accept('a', '11');
    account.executions = [aTrade('1', '11', '0.5')];
    show(order, 'canceled', '0.5');
    await reader.readArrival(order);
    const market = accept('b', '12', true);
    show(market, 'canceled', '0');
    await reader.readArrival(market);
    expect(kinds(told)).toEqual(['accepted a', 'fill a', 'ended a', 'ended b']);
  });

  it('reports the updates of one instrument although another cannot be read', async () => {
    const { account, told, orders, reader, accept, show } = aReader();
    const order = accept('a', '11');
    account.executions = [aTrade('1', '11', '1')];
    show(order, 'filled', '1');
    account.broken = OTHER_ID;

    const readings = [OTHER_ID, ID].map((instrumentId) => ({ ...WHOLE, instrumentId }));
    await expect(reader.poll(readings)).rejects.toThrow('no answer');

    expect(kinds(told)).toEqual(['fill a']);
    expect(orders.list()).toEqual([]);
  });

  it('reports fills of other orders before an answer with it, and later fills with the next poll', async () => {
    const { account, orders, told, reader, accept, show } = aReader();
    const [first, second, third] = [accept('a', '11'), accept('b', '12'), accept('c', '13')];
    account.executions = [
      aTrade('1', '11', '0.4'),
      aTrade('2', '11', '0.6'),
      aTrade('3', '12', '0.5'),
      aTrade('4', '13', '1'),
      aTrade('5', '12', '0.5'),
    ];
    for (const order of [first, second, third]) show(order, 'filled', '1');
    await reader.readOrder(third);
    expect(kinds(told)).toEqual(['fill a', 'fill a', 'fill b', 'fill c']);
    expect(told.map((update) => update.kind === 'fill' && update.isFilled)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(orders.list()).toEqual([second]);
    await reader.poll([{ instrumentId: ID, orders: true, trades: false }]);
    expect(kinds(told)).toEqual(['fill a', 'fill a', 'fill b', 'fill c', 'fill b']);
    expect(orders.list()).toEqual([]);
  });

  it('does not report an order as accepted that filled on arrival, even after a maker fill of another', async () => {
    const { account, told, reader, accept, show } = aReader();
    const [resting, arriving] = [accept('a', '11'), accept('b', '12')];
    account.executions = [
      { ...aTrade('1', '11', '1'), liquidity: 'maker' },
      aTrade('2', '12', '1'),
    ];
    for (const order of [resting, arriving]) show(order, 'filled', '1');
    await reader.readArrival(arriving);
    expect(kinds(told)).toEqual(['fill a', 'fill b']);
  });

  it('reports each execution and each end once, however often they are read', async () => {
    const { account, orders, told, reader, accept, show } = aReader();
    const order = accept('a', '11');
    account.executions = [aTrade('1', '11', '0.4')];
    show(order, 'partially-filled', '0.4');
    await reader.poll([WHOLE]);
    await reader.poll([WHOLE]);
    show(order, 'canceled', '0.4');
    await reader.poll([WHOLE]);
    await reader.poll([WHOLE]);
    expect(kinds(told)).toEqual(['fill a', 'ended a']);
    expect(orders.list()).toEqual([]);
  });

  it('reports an end as on request, or as by the venue', async () => {
    const { told, reader, accept, show } = aReader();
    const asked = accept('a', '11');
    asked.isCancelRequested = true;
    show(asked, 'canceled', '0');
    show(accept('b', '12'), 'canceled', '0');
    const late = accept('c', '13');
    late.isCancelRequested = true;
    show(late, 'rejected', '0');
    await reader.poll([WHOLE]);
    await reader.poll([WHOLE]);
    expect(told.map((update) => update.kind === 'ended' && update.reason)).toEqual([
      { code: 'on-request', text: 'canceled on request' },
      { code: 'by-venue', text: 'the venue shows the order as canceled' },
      { code: 'by-venue', text: 'the venue shows the order as rejected' },
    ]);
  });

  it('reports no end before the executions of the order', async () => {
    const { account, told, reader, accept, show } = aReader();
    const order = accept('a', '11');
    show(order, 'canceled', '0.4');
    await reader.readOrder(order);
    expect(told).toEqual([]);
    account.executions = [aTrade('1', '11', '0.4')];
    await reader.poll([{ instrumentId: ID, orders: true, trades: false }]);
    expect(kinds(told)).toEqual(['fill a', 'ended a']);
  });

  it('books an ended order from its filled quantity if its executions never come', async () => {
    const { told, reader, accept, show } = aReader();
    const order = accept('a', '11');
    show(order, 'filled', '1');
    for (let poll = 0; poll < 4; poll += 1) await reader.poll([WHOLE]);
    expect(told).toEqual([]);
    await reader.poll([WHOLE]);
    expect(told).toMatchObject([{ kind: 'fill', isFilled: true, fill: { feeAsset: 'USDT' } }]);
  });

  it.each(['poll', 'order'] as const)(
    'books an ended order from its own record if an execution of it cannot be read for long (%s), and no execution twice',
    async (what) => {
      const { account, told, reader, accept, show } = aReader();
      const order = accept('a', '11');
      account.executions = [aTrade('1', '11', '0.4')];
      show(order, 'partially-filled', '0.4');
      await reader.poll([WHOLE]);
      account.unreadable = new WireFormatError('E_WIRE_FORMAT', 'the fee of trade 2');
      show(order, 'filled', '1');
      const read = () => (what === 'order' ? reader.readOrder(order) : reader.poll([WHOLE]));
      const failures: unknown[] = [];
      const fail = (error: unknown): void => void failures.push(error);

      for (let reading = 0; reading < 4; reading += 1) await read().catch(fail);
      expect(kinds(told)).toEqual(['fill a']);
      await read().catch(fail);

      expect(told.slice(1)).toMatchObject([
        { kind: 'fill', isFilled: true, fill: { quantity: parseFixed('0.6'), feeAsset: 'USDT' } },
      ]);
      expect(failures).toHaveLength(what === 'order' ? 0 : 5);
      await expect(reader.poll([WHOLE])).rejects.toThrow('the fee of trade 2');

      account.unreadable = undefined;
      account.executions = [...account.executions, aTrade('2', '11', '0.6')];
      await reader.poll([WHOLE]);
      expect(told).toHaveLength(2);
    },
  );

  it('reports an end without executions beside one that cannot be read, and judges none as external meanwhile', async () => {
    const { account, told, foreign, reader, accept, show } = aReader();
    show(accept('a', '11'), 'canceled', '0');
    account.unreadable = new WireFormatError('E_WIRE_FORMAT', 'the fee of trade 2');

    await expect(reader.poll([WHOLE])).rejects.toThrow('the fee of trade 2');

    expect(kinds(told)).toEqual(['ended a']);
    expect(foreign).toEqual([]);
  });

  it('cannot read an order that has filled more than was ordered, and books none of it', async () => {
    const { account, told, reader, accept, show } = aReader();
    const order = accept('a', '11');
    show(order, 'filled', '1.5');
    for (let reading = 0; reading < 6; reading += 1)
      await expect(reader.poll([WHOLE])).rejects.toMatchObject({ code: 'E_WIRE_FORMAT' });
    account.open = [...account.states.values()];
    await expect(reader.poll([WHOLE])).rejects.toThrow('expected at most 1 filled, received 1.5');
    const before = [...told];

    account.open = [];
    account.executions = [aTrade('1', '11', '1')];
    show(order, 'filled', '1');
    await reader.poll([WHOLE]);

    expect(before).toEqual([]);
    expect(kinds(told)).toEqual(['fill a']);
  });

  it('reports other orders of the instrument beside one whose record is impossible, and still says that it is', async () => {
    const { account, told, reader, accept, show } = aReader();
    const [impossible, ended, working] = [accept('a', '11'), accept('b', '12'), accept('c', '13')];
    show(impossible, 'partially-filled', '1.5');
    show(ended, 'canceled', '0');
    show(working, 'partially-filled', '0.4');
    const isOpen = (id: string): boolean => id !== '12';
    account.open = [...account.states].filter(([id]) => isOpen(id)).map(([, state]) => state);
    account.executions = [aTrade('1', '11', '1.5'), aTrade('2', '13', '0.4')];
    const read: string[] = [];

    await expect(
      reader.poll([WHOLE], ({ instrumentId }) => void read.push(instrumentId)),
    ).rejects.toThrow('expected at most 1 filled, received 1.5');

    expect(kinds(told).toSorted()).toEqual(['ended b', 'fill c']);
    expect(read).toEqual([]);
  });

  it('reports other orders of the instrument beside one whose own record cannot be read', async () => {
    const { account, told, reader, accept, show } = aReader();
    const [unreadable, ended] = [accept('a', '11'), accept('b', '12')];
    show(ended, 'canceled', '0');
    const order = account.order.bind(account);
    account.order = (target) =>
      target?.venueOrderId === unreadable.venueOrderId
        ? Promise.reject(new WireFormatError('E_WIRE_FORMAT', 'the record of another order'))
        : order(target);

    await expect(reader.poll([WHOLE])).rejects.toThrow('the record of another order');

    expect(kinds(told)).toEqual(['ended b']);
  });

  it('reports the updates of one poll in the order of their executions', async () => {
    const { account, told, reader, accept, show } = aReader();
    const first = accept('a', '11');
    const second = accept('b', '12');
    account.executions = [aTrade('1', '12', '1'), aTrade('2', '11', '1')];
    show(first, 'filled', '1');
    show(second, 'filled', '1');
    await reader.poll([WHOLE]);
    expect(kinds(told)).toEqual(['fill b', 'fill a']);
  });

  it('reports no trade as external while an own order has no venue id', async () => {
    const { account, orders, foreign, reader } = aReader();
    account.executions = [aTrade('1', '99', '1')];
    const lost = orders.begin(aLimitRequest({ id: 'a' }), { sentAt: 0, before: NOTHING_SEEN });
    await reader.poll([WHOLE]);
    expect(foreign).toEqual([]);
    orders.end(lost);
    await reader.poll([WHOLE]);
    await reader.poll([WHOLE]);
    expect(foreign).toEqual(['1']);
  });

  describe('while an own order has no venue id', () => {
    /** Order `lost` has execution 1 as order 99, which nobody knows yet; order `b` has execution 2. */
    const aLostOrder = (over: Partial<VenueTrade> = {}) => {
      const bench = aReader();
      const lost = bench.orders.begin(aMarketRequest({ id: 'lost' }), {
        sentAt: 0,
        before: { ...NOTHING_SEEN, tradeId: '0' },
      });
      const other = bench.accept('b', '12');
      bench.account.executions = [
        aTrade('1', '99', '1', { side: 'sell', ...over }),
        aTrade('2', '12', '1'),
      ];
      bench.show(other, 'filled', '1');
      return { ...bench, lost, other };
    };

    it('reports later fills after the execution that may be its own', async () => {
      const { told, reader, orders, lost, show } = aLostOrder();
      await reader.poll([WHOLE]);
      expect(told).toEqual([]);
      lost.venueOrderId = '99' as VenueOrderId;
      reader.accepted(lost);
      show(lost, 'filled', '1');
      await reader.readArrival(lost);
      await reader.poll([WHOLE]);
      expect(kinds(told)).toEqual(['fill lost', 'fill b']);
      expect(orders.list()).toEqual([]);
    });

    it('reports an arrival after the execution that may be its own', async () => {
      const { told, reader, lost, other, show } = aLostOrder();
      await reader.readArrival(other);
      expect(kinds(told)).toEqual(['accepted b']);
      lost.venueOrderId = '99' as VenueOrderId;
      reader.accepted(lost);
      show(lost, 'filled', '1');
      await reader.poll([WHOLE]);
      expect(kinds(told)).toEqual(['accepted b', 'fill lost', 'fill b']);
    });

    it('waits for it only for a few readings', async () => {
      const { told, reader } = aLostOrder();
      for (let poll = 0; poll < 4; poll += 1) await reader.poll([WHOLE]);
      expect(told).toEqual([]);
      await reader.poll([WHOLE]);
      expect(kinds(told)).toEqual(['fill b']);
    });

    it('does not wait for it once a reading has failed', async () => {
      const { account, told, reader, other } = aLostOrder();
      await reader.readArrival(other);
      expect(kinds(told)).toEqual(['accepted b']);
      account.broken = ID;
      await expect(reader.poll([WHOLE])).rejects.toThrow('no answer');
      expect(kinds(told)).toEqual(['accepted b', 'fill b']);
    });

    it('does not wait for it longer than half a minute, however rare readings are', async () => {
      const { told, time, reader, other } = aLostOrder();
      await reader.readArrival(other);
      await time.advance(29_999);
      await reader.poll([WHOLE]);
      expect(kinds(told)).toEqual(['accepted b']);
      await time.advance(1);
      await reader.poll([WHOLE]);
      expect(kinds(told)).toEqual(['accepted b', 'fill b']);
    });

    it.each([
      ['of the other side', { side: 'buy' }],
      ['of a larger quantity', { quantity: parseFixed('2') }],
      ['from before it was sent', { venueTradeId: '0' }],
    ] as const)('does not wait for an execution %s', async (_, over) => {
      const { told, reader } = aLostOrder(over);
      await reader.poll([WHOLE]);
      expect(kinds(told)).toEqual(['fill b']);
    });
  });

  it('reports an earlier fill of an order that the venue does not show yet before a later one', async () => {
    const { account, told, reader, accept, show } = aReader();
    const hidden = accept('a', '11');
    show(accept('b', '12'), 'filled', '1');
    show(accept('c', '13'), 'filled', '1');
    account.executions = [aTrade('1', '13', '1'), aTrade('2', '11', '1'), aTrade('3', '12', '1')];
    await reader.poll([WHOLE]);
    show(hidden, 'filled', '1');
    await reader.poll([WHOLE]);
    expect(kinds(told)).toEqual(['fill c', 'fill a', 'fill b']);
  });

  it('reports an own order as not ended once two readings show it working after its end', async () => {
    const { account, reader, accept, show, unended, foreign } = aReader();
    const order = accept('a', '11');
    show(order, 'canceled', '0');
    await reader.poll([WHOLE]);
    account.open = [stagedOf(order.request, '11')];
    await reader.poll([WHOLE]);
    expect(unended).toEqual([[]]);

    await reader.poll([WHOLE]);
    account.open = [];
    await reader.poll([WHOLE]);
    await reader.poll([WHOLE]);

    expect(unended).toEqual([[], ['11'], []]);
    expect(foreign).toEqual([]);
  });

  it('reports an execution of an own order after its end, once', async () => {
    const { account, reader, accept, show, late, told } = aReader();
    const order = accept('a', '11');
    show(order, 'canceled', '0');
    await reader.poll([WHOLE]);
    account.executions = [aTrade('1', '11', '1')];

    await reader.poll([WHOLE]);
    await reader.poll([WHOLE]);

    expect(late).toEqual(['a']);
    expect(kinds(told)).toEqual(['ended a']);
  });

  it('reads an order only by its venue id, because several orders may have had the client id', async () => {
    const { account, reader, accept } = aReader();
    await reader.readOrder(accept('a', '11'));

    expect(account.asked).toEqual([{ instrumentId: ID, venueOrderId: '11' }]);
  });

  it('takes over the order of a fired trigger once although two readings find it at the same time', async () => {
    const { account, told, reader, fire } = aFiredTrigger();
    account.executions = [fire('3')];

    await Promise.all([reader.poll([WHOLE]), reader.poll([WHOLE])]);

    expect(kinds(told)).toEqual(['fill trigger']);
  });

  it('takes over the order of a fired trigger before it reports a later fill on arrival', async () => {
    const { account, told, foreign, reader, accept, show, fire } = aFiredTrigger();
    const arriving = accept('a', '11');
    account.executions = [fire('3'), aTrade('4', '11', '1')];
    show(arriving, 'filled', '1');

    await reader.readArrival(arriving);
    await reader.poll([WHOLE]);

    expect(kinds(told)).toEqual(['fill trigger', 'fill a']);
    expect(foreign).toEqual([]);
  });

  it.each([
    ['takes over', 'cannot', 'buy', ['fill trigger']],
    ['waits with', 'may', 'sell', []],
  ] as const)(
    '%s the order of a fired trigger while an own order without a venue id %s have made it',
    async (_does, _may, side, expected) => {
      const { account, told, foreign, orders, reader, fire } = aFiredTrigger();
      orders.begin(aMarketRequest({ id: 'lost', side }), { sentAt: 0, before: NOTHING_SEEN });
      account.executions = [fire('3')];

      await reader.poll([WHOLE]);

      expect(kinds(told)).toEqual(expected);
      expect(foreign).toEqual([]);
    },
  );

  it('ignores trades before the start of the bot', async () => {
    const { account, foreign, reader } = aReader({ since: 5 });
    account.executions = [aTrade('4', '99', '1'), aTrade('5', '99', '1')];

    await reader.poll([WHOLE]);

    expect(foreign).toEqual(['5']);
  });
});

describe('AccountReader with forced closes', () => {
  const FORCED = { kind: 'forced', fills: [aForcedFill('3')] } as const;

  it('reports a forced close once, after the ends of the orders that the venue canceled for it', async () => {
    const { account, heard, foreign, reader, accept, show } = aReader({
      judge: () => Promise.resolve(FORCED),
    });
    const order = accept('a', '11');
    account.executions = [aTrade('3', '99', '1')];
    show(order, 'canceled', '0');

    await reader.poll([WHOLE]);
    await reader.poll([WHOLE]);

    expect(heard).toEqual(['ended', 'forced-fill']);
    expect(foreign).toEqual([]);
  });

  it('reports a forced close once although three readings judge it at the same time', async () => {
    const { account, heard, foreign, reader, accept, show } = aReader({
      judge: () => nextTurn(FORCED),
    });
    const arriving = accept('a', '11');
    account.executions = [aTrade('3', '99', '1'), aTrade('4', '11', '1')];
    show(arriving, 'filled', '1');

    await Promise.all([reader.poll([WHOLE]), reader.poll([WHOLE]), reader.readArrival(arriving)]);
    await reader.poll([WHOLE]);

    expect(heard.filter((kind) => kind === 'forced-fill')).toHaveLength(1);
    expect(foreign).toEqual([]);
  });

  it('reports a foreign trade once although two readings judge it at the same time', async () => {
    const { account, foreign, reader } = aReader({
      judge: () => nextTurn({ kind: 'external' } as const),
    });
    account.executions = [aTrade('3', '99', '1')];

    await Promise.all([reader.poll([WHOLE]), reader.poll([WHOLE])]);

    expect(foreign).toEqual(['3']);
  });

  it('reports fills of one instant first, then ends of orders, then the forced close', async () => {
    const { account, heard, reader, accept, show } = aReader({
      judge: () => Promise.resolve(FORCED),
    });
    const waiting = accept('a', '11');
    const filled = accept('b', '12');
    account.executions = [aTrade('2', '12', '0.5', { time: 3 }), aTrade('3', '99', '1')];
    show(waiting, 'canceled', '0');
    show(filled, 'canceled', '0.5');

    await reader.poll([WHOLE]);

    expect(heard).toEqual(['fill', 'ended', 'ended', 'forced-fill']);
  });

  it('reports a forced close with the first answer after it, not with an earlier answer', async () => {
    const { account, heard, reader, accept, show } = aReader({
      judge: () => Promise.resolve(FORCED),
    });
    const before = accept('a', '11');
    account.executions = [aTrade('2', '11', '1'), aTrade('3', '99', '1')];
    show(before, 'filled', '1');
    await reader.readArrival(before);
    expect(heard).toEqual(['fill']);

    const after = accept('b', '12');
    account.executions = [aTrade('4', '12', '1', { time: 3 })];
    show(after, 'filled', '1');
    await reader.readArrival(after);
    expect(heard).toEqual(['fill', 'forced-fill', 'fill']);

    await reader.poll([WHOLE]);
    expect(heard).toEqual(['fill', 'forced-fill', 'fill']);
  });

  it('reports with an answer only the forced closes before its fill, and later ones with the poll', async () => {
    const fills = [aForcedFill('3'), aForcedFill('5')];
    const judge: ForcedTrades['judge'] = (_, trades) => {
      const ids = trades.map(({ venueTradeId }) => venueTradeId);
      const told = fills.filter(({ fill }) => ids.includes(fill.venueTradeId ?? ''));
      return Promise.resolve({ kind: 'forced', fills: told });
    };
    const { account, heard, reader, accept, show } = aReader({ judge });
    const order = accept('a', '11');
    account.executions = [aTrade('3', '98', '1'), aTrade('4', '11', '1'), aTrade('5', '99', '1')];
    show(order, 'filled', '1');

    await reader.readArrival(order);
    expect(heard).toEqual(['forced-fill', 'fill']);

    await reader.poll([WHOLE]);
    expect(heard).toEqual(['forced-fill', 'fill', 'forced-fill']);
  });

  it('does not count answers as polls while a forced close is undecided', async () => {
    const { account, foreign, reader, accept, show } = aReader({
      judge: () => Promise.resolve({ kind: 'undecided' }),
    });
    account.executions = [aTrade('3', '99', '1')];
    for (let answer = 4; answer < 20; answer += 1) {
      const order = accept(String(answer), String(answer));
      account.executions = [...account.executions, aTrade(String(answer), String(answer), '1')];
      show(order, 'filled', '1');
      await reader.readArrival(order);
    }
    expect(foreign).toEqual([]);
  });

  it('notes each reported fill, and settles the notes after a full reading', async () => {
    const noted: string[] = [];
    const { account, reader, accept, show } = aReader({
      judge: () => Promise.resolve(FORCED),
      noteTold: ({ fill: { venueTradeId } }) => noted.push(`told ${String(venueTradeId)}`),
      settle: (id) => noted.push(`settled ${id}`),
    });
    const first = accept('a', '11');
    account.executions = [aTrade('1', '11', '1')];
    show(first, 'filled', '1');
    await reader.readArrival(first);
    await reader.poll([{ ...WHOLE, trades: false }]);
    expect(noted).toEqual(['told 1']);

    const second = accept('b', '12');
    account.executions = [aTrade('2', '12', '1'), aTrade('1', '11', '1')];
    show(second, 'filled', '1');
    await reader.poll([WHOLE]);
    expect(noted).toEqual(['told 1', 'told 2', `settled ${ID}`]);
  });

  it('waits some polls for an undecided close, then reports it as external', async () => {
    const verdicts: string[] = [];
    const { account, foreign, reader } = aReader({
      judge: () => {
        verdicts.push('undecided');
        return Promise.resolve({ kind: 'undecided' });
      },
    });
    account.executions = [aTrade('3', '99', '1')];

    for (let poll = 0; poll < 4; poll += 1) await reader.poll([WHOLE]);
    expect(foreign).toEqual([]);
    for (let poll = 0; poll < 4; poll += 1) await reader.poll([WHOLE]);

    expect(foreign).toEqual(['3']);
    expect(verdicts).toHaveLength(5);
  });

  it('reports a foreign trade as external', async () => {
    const { account, heard, foreign, reader } = aReader({
      judge: () => Promise.resolve({ kind: 'external' }),
    });
    account.executions = [aTrade('3', '99', '1')];

    await reader.poll([WHOLE]);

    expect([heard, foreign]).toEqual([[], ['3']]);
  });
});

function aForcedFill(venueTradeId: string): ForcedFillUpdate {
  return {
    kind: 'forced-fill',
    cause: 'liquidation',
    fill: {
      clientOrderId: `liquidation-${venueTradeId}` as ForcedFillUpdate['fill']['clientOrderId'],
      instrumentId: ID,
      side: 'sell',
      action: 'close',
      price: parseFixed('100'),
      quantity: parseFixed('1'),
      fee: 0n,
      feeAsset: 'USDT',
      liquidity: 'taker',
      eventTime: Number(venueTradeId),
      venueTradeId,
    },
    insurance: 0n,
    eventTime: Number(venueTradeId),
  };
}
