import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, type ClientOrderId } from '../../../../src/domain/index.js';
import {
  isClosing,
  isClosingNoMore,
  isGivingWay,
  isLeavingAll,
  isOfExit,
  ocoOf,
} from '../../../../src/engine/orders/working/order-questions.js';
import { WorkingOrder } from '../../../../src/engine/orders/working/working-order.js';
import { WorkingOrderList } from '../../../../src/engine/orders/working/working-order-list.js';
import type {
  OrderAmount,
  OrderQuestion,
} from '../../../../src/engine/orders/working/working-totals.js';

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
      quantity: BigInt(10 + number),
      unit: 'base',
    },
    role: number % 3 === 0 ? 'entry' : number % 5 === 0 ? 'take-profit' : 'exit',
    direction: 'long',
    intent: { kind: 'exit', ...(number % 2 === 0 && { oco: String(number % 8) }) },
    cancelsRest: false,
    createdTime: 0,
  });
}

describe('WorkingOrderList', () => {
  it('adds, removes, finds and lists orders like a map, oldest first', () => {
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
        for (const group of ['0', '2', '4', '6', '8']) {
          const members = [...model.values()].filter((order) => ocoOf(order) === group);
          expect(working.ofGroup(group)).toEqual(members);
        }
      }),
    );
  });

  it('answers questions like a search through all orders, whatever happens to them', () => {
    const step = fc.record({
      what: fc.constantFrom('add', 'add', 'add', 'remove', 'fill', 'cancel', 'refuse', 'give up'),
      which: fc.nat({ max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (script) => {
        const working = new WorkingOrderList();
        const alive = new Set<WorkingOrder>();
        let number = 0;
        for (const { what, which } of script) {
          const order = [...alive][which % Math.max(1, alive.size)];
          if (what === 'add') {
            number += 1;
            const added = anOrder(number);
            alive.add(added);
            working.add(added);
          } else if (order !== undefined) {
            if (what === 'remove') {
              working.remove(order);
              alive.delete(order);
            }
            if (what === 'fill') order.addFill(1n, 3n);
            if (what === 'give up') order.giveUp();
            if (what === 'cancel') order.moveTo('canceling', 1);
            if (what === 'refuse' && order.status === 'canceling') order.moveTo('open', 1);
          }
          expectAnswers(working, [...alive]);
        }
      }),
    );
  });
});

const weigh: OrderAmount = ({ remaining, filledQuantity }) => remaining * 3n + filledQuantity;
const isOdd: OrderQuestion = ({ request }) => request.intentId % 2 === 1;

function expectAnswers(working: WorkingOrderList, alive: readonly WorkingOrder[]): void {
  for (const isMeant of [isClosing, isClosingNoMore, isOfExit, isLeavingAll, isGivingWay]) {
    const meant = alive.filter(isMeant);
    expect(working.some(isMeant)).toBe(meant.length > 0);
    expect(new Set(working.those(isMeant))).toEqual(new Set(meant));
    expect(working.remaining(isMeant)).toBe(
      meant.reduce((sum, { remaining }) => sum + remaining, 0n),
    );
  }
  // Orders are in order of age if their answer to the question never changes.
  expect([...working.those(isClosing)]).toEqual(alive.filter(isClosing));
  expect(working.first(isClosing)).toBe(alive.find(isClosing));
  expect(working.sum(isOdd, weigh)).toBe(
    alive.filter(isOdd).reduce((sum, order) => sum + weigh(order), 0n),
  );
}
