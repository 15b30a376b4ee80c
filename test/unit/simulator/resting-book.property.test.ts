import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  parseFixed,
  type ClientOrderId,
  type Side,
} from '../../../src/domain/index.js';
import type { InstrumentMarket } from '../../../src/simulator/instrument-market.js';
import { RestingBook } from '../../../src/simulator/orders/resting-book.js';
import { RestingOrder } from '../../../src/simulator/orders/resting-order.js';
import type { TradingAccount } from '../../../src/simulator/accounts/trading-account.js';

/** A market that only answers `mayReach`, from the range of one candle. */
function aMarket(low: number, high: number): InstrumentMarket {
  const mayReach: InstrumentMarket['mayReach'] = (level, side) =>
    side === 'below' ? low <= level : high >= level;
  const source = {} as InstrumentMarket['source'];
  return { mayReach, source } as Partial<InstrumentMarket> as InstrumentMarket;
}

const MARKETS = [aMarket(95, 105), aMarket(40, 60)] as const;
const IDS = ['BTCUSDT', 'ETHUSDT'].map((symbol) => createInstrumentId('spot', symbol));

const anOrder = fc
  .record({
    place: fc.constantFrom(0, 1),
    side: fc.constantFrom<Side>('buy', 'sell'),
    price: fc.integer({ min: 30, max: 130 }),
    takes: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
    name: fc.integer({ min: 0, max: 40 }),
  })
  .map(
    ({ place, side, price, takes, name }) =>
      new RestingOrder({
        request: {
          type: 'limit',
          clientOrderId: `bot-${String(name)}` as ClientOrderId,
          intentId: name,
          instrumentId: IDS[place] ?? createInstrumentId('spot', 'NONE'),
          side,
          action: 'open',
          quantity: 1n,
          unit: 'base',
          limitPrice: parseFixed(String(price)),
          timeInForce: 'GTC',
        },
        market: MARKETS[place],
        account: {} as TradingAccount,
        sequence: 0,
        since: 0,
        takes,
        halfSpread: 0n,
        beyond: 0n,
      }),
  );

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: anOrder },
    { weight: 3, arbitrary: fc.nat({ max: 400 }) },
    // The path meets each order and leaves behind those that take.
    { weight: 1, arbitrary: fc.constant('meet' as const) },
  ),
  { minLength: 20, maxLength: 120 },
);

/** Checks the answers of the book against a scan of all orders. */
function checkAgainst(book: RestingBook, model: readonly RestingOrder[]): void {
  expect([...book.all]).toEqual(model);
  expect(book.takes).toBe(model.some(({ takes }) => takes));
  for (const id of IDS) {
    const own = model.filter(({ request }) => request.instrumentId === id);
    expect(book.of(id)).toEqual(own);
    expect(book.countOf(id)).toBe(own.length);
  }
  for (const market of MARKETS) {
    const own = model.filter((order) => order.market === market);
    const levels = (side: string): number[] =>
      own.filter(({ reachSide }) => reachSide === side).map(({ levelNumber }) => levelNumber);
    expect(book.nearest(market)).toEqual({
      low: Math.max(...levels('below')),
      high: Math.min(...levels('above')),
    });
    if (own.some(({ mayBeReached }) => mayBeReached)) expect(book.mayReach(market)).toBe(true);
  }
  if (model.some(({ mayBeReached, takes }) => mayBeReached || takes))
    expect(book.mayAct).toBe(true);
  for (const order of model) {
    const { clientOrderId } = order.request;
    expect(book.find(clientOrderId)).toBe(
      model.findLast(({ request }) => request.clientOrderId === clientOrderId),
    );
  }
}

describe('RestingBook', () => {
  it('gives the same answers as a scan of all orders, for few and many orders', () => {
    let many = 0;
    fc.assert(
      fc.property(steps, (script) => {
        const book = new RestingBook();
        let model: readonly RestingOrder[] = [];
        const all: RestingOrder[] = [];
        for (const [index, step] of script.entries()) {
          if (step === 'meet')
            for (const order of model)
              order.meet({
                numerator: order.request.side === 'buy' ? 10n ** 30n : 1n,
                denominator: 1n,
              });
          else if (typeof step === 'number') {
            const order = all[step % Math.max(1, all.length)];
            if (order === undefined) continue;
            book.delete(order);
            model = model.filter((one) => one !== order);
          } else {
            all.push(step);
            book.add(step);
            model = [...model, step];
          }
          if (index % 8 === 0) checkAgainst(book, model);
        }
        checkAgainst(book, model);
        if (model.length > 16) many += 1;
      }),
    );
    expect(many).toBeGreaterThan(10);
  });

  it('mayAct is false if the candle is far from all of many orders', () => {
    const book = new RestingBook();
    for (const order of fc.sample(anOrder, 100))
      if (!order.mayBeReached && !order.takes) book.add(order);

    expect(book.all.size).toBeGreaterThan(16);
    expect(book.mayAct).toBe(false);
  });
});
