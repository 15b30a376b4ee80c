import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, type ClientOrderId } from '../../../src/domain/index.js';
import { WorkingOrder } from '../../../src/engine/orders/working-order.js';
import { WorkingOrderList } from '../../../src/engine/orders/working-order-list.js';

const INSTRUMENT = createInstrumentId('spot', 'BTCUSDT');

function anOrder(number: number): WorkingOrder {
  return new WorkingOrder({
    request: {
      type: 'market',
      clientOrderId: `bot-${String(number)}` as ClientOrderId,
      intentId: number,
      instrumentId: INSTRUMENT,
      side: 'sell',
      action: number % 3 === 0 ? 'open' : 'close',
      quantity: 1n,
      unit: 'base',
    },
    role: 'exit',
    direction: 'long',
    intent: { kind: 'exit' },
    cancelsRest: false,
    createdTime: 0,
  });
}

describe('WorkingOrders', () => {
  it('holds, finds and lists what a map would, few or many, oldest first', () => {
    const steps = fc.oneof(
      { weight: 3, arbitrary: fc.constant('add' as const) },
      { weight: 2, arbitrary: fc.nat({ max: 40 }) },
    );
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 120 }), (script) => {
        const working = new WorkingOrderList();
        const model = new Map<ClientOrderId, WorkingOrder>();
        const all: WorkingOrder[] = [];
        for (const step of script) {
          if (step === 'add') {
            const order = anOrder(all.length);
            all.push(order);
            working.add(order);
            model.set(order.request.clientOrderId, order);
          } else {
            const order = all[step % Math.max(1, all.length)];
            if (order === undefined) continue;
            working.remove(order);
            model.delete(order.request.clientOrderId);
          }
          expect(working.size).toBe(model.size);
          const closing = [...model.values()].filter(({ request }) => request.action === 'close');
          expect(working.closing).toBe(closing.length);
          if (all.length % 5 === 0) expect(working.all).toEqual([...model.values()]);
        }

        expect(working.all).toEqual([...model.values()]);
        for (const order of all) {
          const id = order.request.clientOrderId;
          expect(working.find(id)).toBe(model.get(id));
          const own = [...working.ofIntent(order.request.intentId)];
          expect(own.includes(order)).toBe(model.has(id));
          if (working.size > 40) expect(own.length).toBeLessThan(2);
        }
      }),
    );
  });
});
