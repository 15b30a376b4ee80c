import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseFixed, type VenueOrderId } from '../../../../src/domain/index.js';
import { WorkingOrder } from '../../../../src/engine/orders/working/working-order.js';
import type { RecordedOrder } from '../../../../src/engine/index.js';
import { OrderLog } from '../../../../src/engine/history/order-log.js';
import { WorkingOrderList } from '../../../../src/engine/orders/working/working-order-list.js';
import { OrderIds } from '../../../../src/engine/order-ids.js';
import { SPOT } from '../../../support/risk/builders.js';

const START = 1_700_000_000_000;
const ids = new OrderIds('bot');

function anOrder(number: number): WorkingOrder {
  const order = new WorkingOrder({
    request: {
      type: 'market',
      clientOrderId: ids.of(number, number % 3 === 0 ? 1 : 0, 0),
      intentId: number,
      instrumentId: SPOT.id,
      side: 'sell',
      action: 'close',
      quantity: parseFixed('2'),
      unit: 'base',
    },
    role: 'exit',
    direction: 'long',
    // Every third order has a label, and some labels are equal.
    intent: { kind: 'exit', ...(number % 3 === 0 && { label: `level-${String(number % 2)}` }) },
    cancelsRest: false,
    createdTime: START + number,
  });
  return order;
}

/** The members of an order that a log must return. They no longer change once the order has ended. */
function viewOf(order: RecordedOrder): unknown {
  const { request, status, venueOrderId, filledQuantity, filledNotional, reason } = order;
  const { createdTime, updatedTime, isFinal, cause, label } = order;
  const known = { status, venueOrderId, filledQuantity, filledNotional, reason };
  return { request, isFinal, ...known, createdTime, updatedTime, cause, label };
}

const ends = fc.array(
  fc.record({
    at: fc.nat(),
    filled: fc.bigInt(0n, 2n),
    status: fc.constantFrom('filled', 'canceled', 'rejected', 'expired'),
    reason: fc.option(fc.constant({ code: '2010', text: 'no' }), { nil: undefined }),
  }),
  { maxLength: 20 },
);

describe('OrderLog', () => {
  it('lists all orders in the order in which they were sent, whichever ends first', () => {
    fc.assert(
      fc.property(fc.nat(20), ends, (count, steps) => {
        const working = new WorkingOrderList();
        const log = new OrderLog(ids, working);
        const orders = Array.from({ length: count }, (_, number) => anOrder(number));
        for (const order of orders) {
          working.add(order);
          log.add(order);
        }
        const left = [...orders];
        for (const { at, filled, status, reason } of steps) {
          const [order] = left.splice(at % Math.max(1, left.length), 1);
          if (order === undefined) continue;
          order.venueOrderId = String(at) as VenueOrderId;
          order.filledQuantity = filled;
          order.filledNotional = filled * 90n;
          order.reason = reason;
          order.moveTo(status, START + 60_000 + at);
          // As if the order ended before the next one was sent.
          if (at % 2 === 0) ids.first(order.request.intentId);
          working.remove(order);
          log.end(order);
        }

        expect(log.length).toBe(count);
        for (const { venueOrderId } of orders)
          if (venueOrderId !== undefined) expect(log.has(venueOrderId)).toBe(true);
        expect(log.has('none' as VenueOrderId)).toBe(false);
        expect(Array.from(log, viewOf)).toStrictEqual(orders.map(viewOf));
        expect(Array.from(log, ({ state }) => state.status)).toEqual(
          orders.map(({ status }) => status),
        );
      }),
    );
  });

  it('drops the oldest ended orders, and no working order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (kept, steps) => {
          const inBook = new WorkingOrderList();
          const log = new OrderLog(ids, inBook, { kept });
          const orders: WorkingOrder[] = [];
          const ended: WorkingOrder[] = [];
          for (const step of steps) {
            const working = orders.filter(({ isFinal }) => !isFinal);
            const order = step % 3 === 0 ? working[step % Math.max(1, working.length)] : undefined;
            if (order === undefined) {
              const added = anOrder(orders.length);
              orders.push(added);
              inBook.add(added);
              log.add(added);
              continue;
            }
            order.moveTo('canceled', START + 60_000 + step);
            inBook.remove(order);
            log.end(order);
            ended.push(order);
          }

          const there = Array.from(log, ({ request }) => request.clientOrderId);
          const idOf = ({ request }: WorkingOrder) => request.clientOrderId;
          const working = orders.filter(({ isFinal }) => !isFinal).map(idOf);
          // The log keeps the order of sending, all working orders, and at least `kept` of the ended ones.
          expect(there).toEqual(orders.map(idOf).filter((id) => there.includes(id)));
          expect(there).toEqual(expect.arrayContaining(working));
          expect(log.length - working.length).toBeGreaterThanOrEqual(Math.min(kept, ended.length));
          expect(log.length - working.length).toBeLessThan(2 * kept);
          expect(log.added).toBe(orders.length);
          for (const order of log)
            expect(viewOf(order)).toStrictEqual(
              viewOf(orders[order.request.intentId] as RecordedOrder),
            );
        },
      ),
    );
  });

  it('lists a working order with its current state', () => {
    const working = new WorkingOrderList();
    const log = new OrderLog(ids, working);
    const order = anOrder(1);
    working.add(order);
    log.add(order);

    order.moveTo('open', START + 5);

    expect([...log]).toEqual([order]);
    expect(log).not.toEqual(new OrderLog(ids, new WorkingOrderList()));
  });
});
