import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  formatFixed,
  multiplyFixed,
  parseFixed,
  parseVenueOrderId,
  type ClientOrderId,
  type FillRecord,
  type Fixed,
} from '../../../../src/domain/index.js';
import { FillBook, type EstimateFee, type OwnOrder } from '../../../../src/feed/index.js';
import type { VenueOrder, VenueTrade } from '../../../../src/venue/index.js';
import { BTC } from '../../../support/feed/fake-market.js';
import { lawRuns } from '../../../support/runs.js';

const ORDER: OwnOrder = {
  clientOrderId: 'bot-1-0-0' as ClientOrderId,
  venueOrderId: parseVenueOrderId('7000000000000000001'),
  instrumentId: BTC,
  action: 'open',
  feeAsset: 'USDT',
};

const OTHER = createInstrumentId('spot', 'ETHUSDT');

const estimateFee: EstimateFee = () => ({ fee: 0n, feeAsset: 'USDT', liquidity: 'taker' });
const noFee = { estimateFee, at: 5 };

function aTrade(id: number, quantity: string, overrides: Partial<VenueTrade> = {}): VenueTrade {
  return {
    instrumentId: BTC,
    venueTradeId: `900000000000000000${String(id)}`,
    venueOrderId: ORDER.venueOrderId,
    buyOrderId: ORDER.venueOrderId,
    sellOrderId: parseVenueOrderId('1'),
    side: 'buy',
    liquidity: 'maker',
    price: parseFixed('100'),
    quantity: parseFixed(quantity),
    notional: undefined,
    fee: parseFixed('0.01'),
    feeAsset: 'BTC',
    time: 1_000 + id,
    buyUserId: undefined,
    sellUserId: undefined,
    ...overrides,
  };
}

/** The order as the venue reports it with this filled quantity. */
function anOrder(filledQuantity: string, averagePrice = '100'): VenueOrder {
  return {
    instrumentId: BTC,
    venueOrderId: ORDER.venueOrderId,
    clientOrderId: ORDER.clientOrderId,
    side: 'buy',
    action: undefined,
    type: 'limit',
    timeInForce: undefined,
    status: 'partially-filled',
    limitPrice: parseFixed('100'),
    quantity: parseFixed('10'),
    filledQuantity: parseFixed(filledQuantity),
    averagePrice: parseFixed(averagePrice),
    filledNotional: undefined,
    createdTime: 5,
    marginMode: undefined,
    leverage: undefined,
  };
}

const terms = (fills: readonly FillRecord[]): readonly string[] =>
  fills.map(({ quantity, price, fee }) => [quantity, price, fee].map(formatFixed).join(' '));

describe('FillBook', () => {
  it('returns each execution once as a fill, completed with the data of its order', () => {
    const book = new FillBook();
    book.register(ORDER);

    const first = book.take([aTrade(1, '2'), aTrade(1, '2'), aTrade(2, '3')]);
    const again = book.take([aTrade(2, '3')]);

    expect(first.map(({ venueTradeId }) => venueTradeId)).toEqual([
      '9000000000000000001',
      '9000000000000000002',
    ]);
    expect(first[0]).toEqual({
      clientOrderId: ORDER.clientOrderId,
      instrumentId: BTC,
      side: 'buy',
      action: 'open',
      price: parseFixed('100'),
      quantity: parseFixed('2'),
      fee: parseFixed('0.01'),
      feeAsset: 'BTC',
      liquidity: 'maker',
      eventTime: 1_001,
      venueTradeId: '9000000000000000001',
    });
    expect(again).toEqual([]);
  });

  it('returns a fill of each side of a trade between two own orders', () => {
    const book = new FillBook();
    const sale = parseVenueOrderId('7000000000000000002');
    const sells = { clientOrderId: 'bot-2-0-0' as ClientOrderId, action: 'close' } as const;
    book.register(ORDER);
    book.register({ ...ORDER, ...sells, venueOrderId: sale });
    const sides = [aTrade(1, '0.4'), aTrade(1, '0.4', { venueOrderId: sale, side: 'sell' })];

    const fills = [...book.take(sides), ...book.take(sides)];

    expect(fills.map(({ clientOrderId, side }) => `${side} ${clientOrderId}`)).toEqual([
      'buy bot-1-0-0',
      'sell bot-2-0-0',
    ]);
  });

  it('holds trades of an unknown order until the order is registered', () => {
    const book = new FillBook();

    const early = book.take([aTrade(1, '2')]);
    const external = book.external.length;
    const known = book.register(ORDER);

    expect([early, external]).toEqual([[], 1]);
    expect(terms(known)).toEqual(['2 100 0.01']);
    expect(book.external).toEqual([]);
    expect(book.register(ORDER)).toEqual([]);
  });

  it('counts a cumulative quantity without trades as unexplained until its trades arrive', () => {
    const book = new FillBook();
    book.register(ORDER);
    book.take([aTrade(1, '2')]);

    const missing = book.unexplained(anOrder('5'));
    book.take([aTrade(2, '3')]);

    expect(formatFixed(missing)).toBe('3');
    expect(book.unexplained(anOrder('5'))).toBe(0n);
    // An old answer that arrives late.
    expect(book.unexplained(anOrder('2'))).toBe(0n);
  });

  it('books a missing quantity from the sum, at the average price of the new part', () => {
    const book = new FillBook();
    book.register(ORDER);
    book.take([aTrade(1, '2')]);

    const booked = book.book(anOrder('4', '105'), noFee);

    // (4 × 105 − 2 × 100) / 2
    expect(terms(booked)).toEqual(['2 110 0']);
    expect(booked).toMatchObject([{ eventTime: 5, feeAsset: 'USDT', liquidity: 'taker' }]);
    expect(book.book(anOrder('4', '105'), noFee)).toEqual([]);
  });

  it('returns only the part of later trades that exceeds a booked sum', () => {
    const book = new FillBook();
    book.register(ORDER);
    book.book(anOrder('4'), noFee);

    const explained = book.take([aTrade(1, '3')]);
    const exceeding = book.take([aTrade(2, '2')]);

    expect(explained).toEqual([]);
    // One of the 2 was already booked, so half the fee is left.
    expect(terms(exceeding)).toEqual(['1 100 0.005']);
  });

  it('does not repeat the fills of an earlier process, whichever trades are read again', () => {
    const before = new FillBook();
    before.register(ORDER);
    const told = [...before.book(anOrder('4'), noFee), ...before.take([aTrade(1, '5')])];
    const whole = new FillBook();
    const rest = new FillBook();
    const late = new FillBook();
    late.take([aTrade(1, '5'), aTrade(2, '3')]);

    whole.restore(ORDER, told);
    rest.restore(ORDER, told);
    const waited = late.restore(ORDER, told);

    expect(terms(told)).toEqual(['4 100 0', '1 100 0.002']);
    expect(terms(whole.take([aTrade(1, '5'), aTrade(2, '3')]))).toEqual(['3 100 0.01']);
    expect(terms(rest.take([aTrade(2, '3')]))).toEqual(['3 100 0.01']);
    expect(terms(waited)).toEqual(['3 100 0.01']);
    expect(whole.unexplained(anOrder('8'))).toBe(0n);
  });

  it('leaves settled trades out of the external trades, read before or after', () => {
    const book = new FillBook();
    const [read, unread] = [aTrade(1, '1'), aTrade(2, '1')];
    book.take([read]);
    book.settle(read);
    book.settle(unread);

    book.take([read, unread, aTrade(3, '1')]);

    expect(book.external.map(({ venueTradeId }) => venueTradeId)).toEqual([
      aTrade(3, '1').venueTradeId,
    ]);
  });

  it('adds up after a restart at any time, whether the next process reads only new trades or all', () => {
    const quantities = fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), {
      minLength: 1,
      maxLength: 8,
    });
    const reads = fc.array(fc.nat(), { maxLength: 20 });

    fc.assert(
      fc.property(quantities, reads, fc.boolean(), (sizes, order, isReadWhole) => {
        const trades = sizes.map((quantity, index) => aTrade(index + 1, '1', { quantity }));
        const total = sizes.reduce((sum, size) => sum + size, 0n);
        const told: FillRecord[] = [];
        const before = new FillBook();
        before.register(ORDER);
        let next = 0;
        for (const read of order) {
          const trade = trades[next];
          if (read % 3 > 0 && trade !== undefined) {
            told.push(...before.take([trade]));
            next += 1;
          } else {
            // Books a part or all of the missing quantity from the sum.
            const known = told.reduce((sum, { quantity }) => sum + quantity, 0n);
            const filledQuantity = known + ((total - known) * BigInt((read % 4) + 1)) / 4n;
            told.push(...before.book({ ...anOrder('0'), filledQuantity }, noFee));
          }
        }
        const last = told.findLast(({ venueTradeId }) => venueTradeId !== undefined)?.venueTradeId;
        const unread = trades.findIndex(({ venueTradeId }) => venueTradeId === last) + 1;

        const after = new FillBook();
        after.restore(ORDER, told);
        const found = after.take(isReadWhole ? trades : trades.slice(unread));

        const fills = [...told, ...found];
        expect(fills.reduce((sum, { quantity }) => sum + quantity, 0n)).toBe(total);
        expect(new Set(found.map(({ venueTradeId }) => venueTradeId)).size).toBe(found.length);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('forgets the oldest ended orders of the instrument that was read', () => {
    const book = new FillBook();
    const ids = Array.from({ length: 1_500 }, (_, index) =>
      String(8_000_000_000_000_000_000n + BigInt(index)),
    );
    const orders = ids.map((id) => ({ ...ORDER, venueOrderId: parseVenueOrderId(id) }));
    const working = { ...ORDER, venueOrderId: parseVenueOrderId('1') };
    book.register(working);
    for (const order of orders) {
      book.register(order);
      book.end(order);
    }
    const knownOf = () => orders.filter((order) => book.knows(order));
    book.forget(OTHER);
    const before = knownOf().length;

    book.forget(BTC);

    expect(before).toBe(1_500);
    expect(knownOf()).toEqual(orders.slice(500));
    expect(book.knows(working)).toBe(true);
  });

  it('takes the fee asset of the order if a trade has none', () => {
    const book = new FillBook();
    book.register(ORDER);

    expect(book.take([aTrade(1, '1', { feeAsset: undefined })])).toMatchObject([
      { feeAsset: 'USDT' },
    ]);
  });

  it('adds up to the quantity and value at the venue for any order and repetition of trades and sums', () => {
    const quantities = fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), {
      minLength: 1,
      maxLength: 8,
    });
    const reads = fc.array(fc.nat(), { maxLength: 40 });

    fc.assert(
      fc.property(quantities, reads, fc.boolean(), (sizes, order, isKnownFirst) => {
        const book = new FillBook();
        const trades = sizes.map((quantity, index) => aTrade(index + 1, '1', { quantity }));
        const total = sizes.reduce((sum, size) => sum + size, 0n);
        const fills: FillRecord[] = isKnownFirst ? [...book.register(ORDER)] : [];
        for (const read of order) {
          const index = read % (trades.length + 1);
          const trade = trades[index];
          if (trade !== undefined) fills.push(...book.take([trade]));
          else {
            // The filled quantity at the venue: at least the sum of all trades that were read.
            fills.push(...book.book({ ...anOrder('0'), filledQuantity: total }, noFee));
          }
        }
        fills.push(...book.register(ORDER), ...book.take(trades));

        const sum = fills.reduce<Fixed>((filled, { quantity }) => filled + quantity, 0n);
        expect(sum).toBe(total);
        expect(book.unexplained({ ...anOrder('0'), filledQuantity: total })).toBe(0n);
        const money = fills.reduce(
          (spent, { quantity, price }) => spent + multiplyFixed(price, quantity),
          0n,
        );
        const difference = money - multiplyFixed(parseFixed('100'), total);
        expect(difference < 1_000n && difference > -1_000n).toBe(true);
      }),
      { numRuns: lawRuns() },
    );
  });
});
