import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, type ClientOrderId, type Side } from '../../../../src/domain/index.js';
import { OwnQuotes } from '../../../../src/engine/orders/working/own-quotes.js';
import { WorkingOrder } from '../../../../src/engine/orders/working/working-order.js';

function aQuote(number: number, side: Side, limitPrice: bigint): WorkingOrder {
  return new WorkingOrder({
    request: {
      type: 'limit',
      clientOrderId: `bot-${String(number)}` as ClientOrderId,
      intentId: number,
      instrumentId: createInstrumentId('spot', 'BTCUSDT'),
      side,
      action: side === 'buy' ? 'open' : 'close',
      quantity: 1n,
      unit: 'base',
      limitPrice,
      timeInForce: 'GTC',
    },
    role: side === 'buy' ? 'entry' : 'exit',
    direction: 'long',
    intent: { kind: 'exit' },
    cancelsRest: false,
    createdTime: 0,
  });
}

/** Looks through all of them. */
function bestOf(orders: readonly WorkingOrder[], side: Side): bigint | undefined {
  return orders
    .filter(({ request, status, isFinal }) => {
      return request.side === side && status !== 'canceling' && !isFinal;
    })
    .map(({ request }) => (request.type === 'limit' ? request.limitPrice : 0n))
    .toSorted((one, other) => (one < other === (side === 'sell') ? -1 : 1))[0];
}

describe('OwnQuotes', () => {
  it('returns the best working price of each side, like a search through all orders', () => {
    const step = fc.record({
      what: fc.constantFrom('add', 'add', 'end', 'cancel', 'refuse', 'ask'),
      side: fc.constantFrom<Side>('buy', 'sell'),
      price: fc.bigInt({ min: 1n, max: 20n }),
      which: fc.nat({ max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (script) => {
        const quotes = new OwnQuotes();
        const orders: WorkingOrder[] = [];
        for (const { what, side, price, which } of script) {
          const order = orders[which % Math.max(1, orders.length)];
          if (what === 'add') {
            const added = aQuote(orders.length, side, price);
            orders.push(added);
            quotes.add(added);
          } else if (what === 'ask') {
            expect(quotes.best(side)).toBe(bestOf(orders, side));
          } else if (order !== undefined && !order.isFinal) {
            if (what === 'end') order.moveTo('canceled', 1);
            if (what === 'cancel') order.moveTo('canceling', 1);
            if (what === 'refuse' && order.status === 'canceling') {
              order.moveTo('open', 1);
              quotes.add(order);
            }
          }
        }

        for (const side of ['buy', 'sell'] as const)
          expect(quotes.best(side)).toBe(bestOf(orders, side));
      }),
    );
  });

  it('drops ended orders behind an order that stays the best', () => {
    const quotes = new OwnQuotes();
    quotes.add(aQuote(0, 'buy', 1_000n));

    for (let number = 1; number <= 10_000; number += 1) {
      const order = aQuote(number, 'buy', 1n);
      quotes.add(order);
      order.moveTo('canceled', 1);
    }

    expect(quotes.best('buy')).toBe(1_000n);
    expect(quotes.held('buy')).toBeLessThan(200);
  });
});
