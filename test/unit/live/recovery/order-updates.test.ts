import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseFixed, type Fixed, type VenueOrderId } from '../../../../src/domain/index.js';
import { FillBook, type EstimateFee } from '../../../../src/feed/index.js';
import { newsOfAbsence, newsOfOrder } from '../../../../src/live/recovery/order-updates.js';
import { resumeFills } from '../../../../src/live/recovery/resume-fills.js';
import type { RecordedOrder } from '../../../../src/engine/index.js';
import { enterLong } from '../../../../src/strategy/index.js';
import type { OrderUpdate, VenueOrder, VenueTrade } from '../../../../src/venue/index.js';
import { aLimitRequest, aMarketRequest } from '../../../support/order-requests.js';
import { lawRuns } from '../../../support/runs.js';
import { anOrder, aTrade, shown } from '../../../support/live/beliefs.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { START } from '../../../support/engine/engine.js';

const LIMIT = aLimitRequest({ quantity: '10' });
const estimateFee: EstimateFee = () => ({ fee: 0n, feeAsset: 'USDT', liquidity: 'taker' });

/** Updates in one word each: `fill 3` with a `!` when it is the last one. */
function words(updates: readonly OrderUpdate[]): readonly string[] {
  return updates.map((update) => {
    if (update.kind === 'ended') return update.status;
    if (update.kind !== 'fill') return update.kind;
    return `fill ${String(update.fill.quantity / parseFixed('1'))}${update.isFilled ? '!' : ''}`;
  });
}

describe('newsOfOrder', () => {
  it('returns no updates if nothing has changed', () => {
    const order = anOrder(LIMIT);
    const findings = { state: shown(order), trades: [], at: 7 };

    expect(newsOfOrder(order, findings, { book: new FillBook(), feeAsset: 'USDT' })).toEqual({
      updates: [],
      unexplained: 0n,
    });
  });

  it('reports a found order as accepted, with its venue id and time, before its fills', () => {
    const order = anOrder(LIMIT, { id: undefined, status: 'unknown' });
    const state = shown(order, { filledQuantity: parseFixed('4'), createdTime: 3 });
    const findings = { state, trades: [aTrade(order, '4')], at: 7 };

    const news = newsOfOrder(order, findings, { book: new FillBook(), feeAsset: 'USDT' });

    expect(words(news.updates)).toEqual(['accepted', 'fill 4']);
    expect(news.updates[0]).toMatchObject({ venueOrderId: '12', eventTime: 3 });
  });

  it('reports a working order whose cancel had no answer as accepted again', () => {
    const order = anOrder(LIMIT, { status: 'unknown' });
    const findings = { state: shown(order), trades: [], at: 7 };

    const { updates } = newsOfOrder(order, findings, { book: new FillBook(), feeAsset: 'USDT' });

    expect(words(updates)).toEqual(['accepted']);
  });

  it.each([
    ['filled', ['3', '7'], ['fill 3', 'fill 7!']],
    // How MARKET orders end at some venues.
    ['canceled', ['3', '7'], ['fill 3', 'fill 7!']],
    ['canceled', ['3'], ['fill 3', 'canceled']],
    ['expired', [], ['expired']],
    ['rejected', [], ['rejected']],
    // An order that has traded was not rejected.
    ['rejected', ['3'], ['fill 3', 'canceled']],
  ] as const)(
    'reports the end of an order that is %s with fills of %j',
    (status, sizes, expected) => {
      const order = anOrder(LIMIT);
      const trades = sizes.map((size, index) =>
        aTrade(order, size, { venueTradeId: String(901 + index) }),
      );
      const filledQuantity = trades.reduce((sum, { quantity }) => sum + quantity, 0n);
      const findings = { state: shown(order, { status, filledQuantity }), trades, at: 7 };

      const news = newsOfOrder(order, findings, { book: new FillBook(), feeAsset: 'USDT' });

      expect(words(news.updates)).toEqual(expected);
      expect(news.unexplained).toBe(0n);
    },
  );

  it('holds back the end until each fill has its execution', () => {
    const order = anOrder(LIMIT);
    const book = new FillBook();
    const state = shown(order, { status: 'canceled', filledQuantity: parseFixed('5') });
    const trade = aTrade(order, '2');

    const first = newsOfOrder(order, { state, trades: [trade], at: 7 }, { book, feeAsset: 'USDT' });
    const later = { ...order, filledQuantity: parseFixed('2') };
    const rest = aTrade(order, '3', { venueTradeId: '902' });
    const findings = { state, trades: [trade, rest], at: 8 };
    const second = newsOfOrder(later, findings, { book, feeAsset: 'USDT' });

    expect(words(first.updates)).toEqual(['fill 2']);
    expect(first.unexplained).toBe(parseFixed('3'));
    expect(words(second.updates)).toEqual(['fill 3', 'canceled']);
  });

  it('books a quantity without executions if it can estimate the fee', () => {
    const order = anOrder(LIMIT);
    const terms = { filledQuantity: parseFixed('10'), averagePrice: parseFixed('100') };
    const state = shown(order, { status: 'filled', ...terms });

    const { updates } = newsOfOrder(
      order,
      { state, trades: [aTrade(order, '2')], at: 7 },
      { book: new FillBook(), feeAsset: 'USDT', estimateFee },
    );

    expect(words(updates)).toEqual(['fill 2', 'fill 8!']);
  });

  it('ends an order that the venue no longer knows, after its executions', () => {
    const order = anOrder(LIMIT);
    const findings = { state: undefined, trades: [aTrade(order, '2')], at: 7 };

    const { updates } = newsOfOrder(order, findings, { book: new FillBook(), feeAsset: 'USDT' });

    expect(words(updates)).toEqual(['fill 2', 'canceled']);
    expect(updates.at(-1)).toMatchObject({ reason: { code: 'not-at-venue' }, eventTime: 7 });
  });

  it('ignores executions of other orders', () => {
    const order = anOrder(LIMIT);
    const other = aTrade(anOrder(LIMIT, { id: '13' }), '2');
    const findings = { state: shown(order), trades: [other], at: 7 };

    const news = newsOfOrder(order, findings, { book: new FillBook(), feeAsset: 'USDT' });

    expect(news.updates).toEqual([]);
  });

  it('reports fills of a quote amount once its remaining amount is known', () => {
    const order = anOrder(aMarketRequest({ side: 'buy', quantity: '500' }));
    const book = new FillBook();
    const trades = [aTrade(order, '5')];
    const filled = { filledQuantity: parseFixed('5') };

    const working = shown(order, { status: 'partially-filled', ...filled });
    const early = newsOfOrder(order, { state: working, trades, at: 7 }, { book, feeAsset: 'USDT' });
    const state = shown(order, { status: 'filled', ...filled });
    const ended = newsOfOrder(order, { state, trades, at: 8 }, { book, feeAsset: 'USDT' });

    expect(early).toEqual({ updates: [], unexplained: parseFixed('5') });
    expect(words(ended.updates)).toEqual(['fill 5!']);
  });

  it('reports an order that was proved absent as rejected and never submitted', () => {
    expect(newsOfAbsence(anOrder(LIMIT), 7)).toEqual({
      kind: 'ended',
      clientOrderId: 'order-1',
      status: 'rejected',
      reason: { code: 'not-submitted', text: 'the order never reached the venue' },
      eventTime: 7,
    });
  });
});

/** The life of one order at the venue, and the looks of a bot at it. */
interface Life {
  readonly sizes: readonly number[];
  /** Each look: how many trades have happened, how many of them are still hidden, and what happens before the look. */
  readonly looks: readonly {
    readonly happened: number;
    readonly hidden: number;
    readonly isRestart: boolean;
    readonly before: 'nothing' | 'lost' | 'cancel';
  }[];
  readonly end: 'filled' | 'canceled' | 'expired';
}

describe('newsOfOrder across crashes', () => {
  it('reports each execution once, and the end once, after the last execution', () => {
    fc.assert(
      fc.property(lives(), (life) => {
        const bench = new Follower(life);
        for (const look of life.looks) bench.look(look);
        // The last look shows everything.
        bench.lookAtEnd();

        expect(bench.order.isFinal).toBe(true);
        expect(bench.order.filledQuantity).toBe(bench.total);
        expect(bench.held()).toBe(bench.total);
        expect(bench.lookAtEnd()).toEqual([]);
      }),
      { numRuns: lawRuns() },
    );
  });
});

function lives(): fc.Arbitrary<Life> {
  return fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }),
    looks: fc.array(
      fc.record({
        happened: fc.nat({ max: 4 }),
        hidden: fc.nat({ max: 2 }),
        isRestart: fc.boolean(),
        before: fc.constantFrom('nothing', 'nothing', 'lost', 'cancel'),
      }),
      { maxLength: 6 },
    ),
    end: fc.constantFrom('filled', 'canceled', 'expired'),
  });
}

const ID = 'test-1-0-0';
const VENUE_ID = '12' as VenueOrderId;

/** An engine with one working order of 12 at 90, and a venue where the order lives its life. Reports each look to the engine. */
class Follower {
  readonly #bench = new OrderManagerBench();
  readonly #life: Life;
  readonly #trades: readonly VenueTrade[];
  #book = new FillBook();
  #last: string | undefined;
  #happened = 0;

  constructor(life: Life) {
    this.#life = life;
    // A filled order has traded its whole quantity.
    const sum = life.sizes.reduce((total, size) => total + size, 0);
    const sizes = life.end === 'filled' ? [...life.sizes, 12 - sum] : life.sizes;
    this.#bench.want(enterLong({ quantity: '12' }, { limitPrice: '90' }));
    this.#bench.lose(ID);
    this.#trades = sizes
      .filter((size) => size > 0)
      .map((size, index) =>
        aTrade(anOrder(this.order.request), String(size), {
          venueTradeId: String(901 + index),
          price: parseFixed('90'),
          time: START + index,
        }),
      );
  }

  get order(): RecordedOrder {
    const [order] = this.#bench.engine.orders;
    if (order === undefined) throw new Error('expected the order');
    return order;
  }

  get total(): Fixed {
    return sumOf(this.#trades);
  }

  held(): Fixed {
    return parseFixed(this.#bench.held());
  }

  look({ happened, hidden, isRestart, before }: Life['looks'][number]): void {
    if (this.order.isFinal) return;
    if (before === 'lost') this.#bench.lose(ID);
    if (before === 'cancel' && this.order.venueOrderId !== undefined)
      this.#bench.engine.process({ kind: 'operator', time: START, action: 'flatten' });
    if (isRestart) this.#restart();
    this.#happened = Math.min(this.#trades.length, Math.max(this.#happened, happened));
    const isWhole = sumOf(this.#trades.slice(0, this.#happened)) === parseFixed('12');
    this.#follow(isWhole ? 'filled' : 'open', this.#happened - hidden);
  }

  lookAtEnd(): readonly OrderUpdate[] {
    this.#happened = this.#trades.length;
    if (this.order.isFinal) return [];
    return this.#follow(this.#life.end, this.#happened);
  }

  /** Starts over as a new process, which knows only the orders and fills of the journal. */
  #restart(): void {
    const { orders, fills } = this.#bench.engine;
    const told = {
      orders: [...orders],
      fills: Array.from(fills, ({ record }) => record),
      feeAssetOf: () => 'USDT',
    };
    this.#book = new FillBook();
    this.#last = resumeFills(told, this.#book).get(this.order.request.instrumentId);
  }

  #follow(status: VenueOrder['status'], visible: number): readonly OrderUpdate[] {
    const { order } = this;
    const filledQuantity = sumOf(this.#trades.slice(0, this.#happened));
    const state = shown(anOrder(order.request), { status, filledQuantity });
    const trades = this.#trades
      .slice(0, Math.max(0, visible))
      .filter(({ venueTradeId }) => this.#last === undefined || venueTradeId > this.#last);
    const { updates } = newsOfOrder(
      order,
      { state: { ...state, venueOrderId: VENUE_ID }, trades, at: START },
      { book: this.#book, feeAsset: 'USDT' },
    );
    for (const update of updates)
      this.#bench.engine.process({ kind: 'venue', time: START, update });
    return updates;
  }
}

function sumOf(trades: readonly VenueTrade[]): Fixed {
  return trades.reduce((sum, { quantity }) => sum + quantity, 0n);
}
