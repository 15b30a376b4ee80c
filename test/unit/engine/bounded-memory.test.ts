import { describe, expect, it } from 'vitest';

import { AttemptCounter } from '../../../src/engine/orders/attempt-counter.js';
import { HOUR_MS, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import { createEngineParts } from '../../../src/engine/engine-parts.js';
import { CandleStrategy, enterLong, enterShort, replace } from '../../../src/strategy/index.js';
import { someOptions, START } from '../../support/engine/engine.js';
import { OrderManagerBench } from '../../support/engine/order-manager-bench.js';
import { MARGIN, SPOT } from '../../support/risk/builders.js';

class Idle extends CandleStrategy({}) {
  override onCandle(): void {
    // The test asks the order manager itself.
  }
}

describe('the numbers of proposals', () => {
  it('of intents that have ended are forgotten', () => {
    const { orderManager, portfolio, run, intents } = createEngineParts(someOptions(Idle));
    const { attempts } = orderManager.ownOrders;
    portfolio.instrument(SPOT.id).lastNumber = 100;
    run.isWarm = true;
    const work = { limitFor: '30s', then: 'market' } as const;
    for (let turn = 0; turn < 300; turn += 1) {
      const intentId = intents.nextId();
      orderManager.handle(intentId, enterLong({ quantity: '1' }, { work, add: true }));
      for (;;) {
        const [order] = orderManager.ownOrders.list();
        if (order === undefined) break;
        const { clientOrderId, quantity } = order.request;
        if (attempts.count(intentId) < 2)
          order.replacement = { intentId, limitPrice: '99', quantity };
        orderManager.onUpdate({
          kind: 'ended',
          clientOrderId,
          status: 'canceled',
          reason: { code: '0', text: 'as scripted' },
          eventTime: START,
        });
      }
    }

    expect(attempts.count(300)).toBe(2);
    expect(attempts.size).toBeLessThan(70);
  });

  it('of living intents are kept', () => {
    const counter = new AttemptCounter();
    const living = [3, 64];
    for (let intentId = 1; intentId <= 100; intentId += 1)
      for (let turn = 0; turn < 3; turn += 1) counter.next(intentId);

    counter.tidy(() => living);

    expect(counter.size).toBe(2);
    expect(living.map((intentId) => counter.next(intentId))).toEqual([3, 3]);
  });
});

describe('the timer of an order with limitFor', () => {
  const bench = new OrderManagerBench();
  it('ends with the order', () => {
    const work = { limitFor: '30d', then: 'market' } as const;
    bench.want(enterLong({ quantity: '1' }, { limitPrice: '99', work }));
    const [due] = [bench.engine.nextTimer()];
    bench.accept('test-1-0-0');
    bench.want(replace({ intentId: 1 }, { limitPrice: '98' }));
    bench.end('test-1-0-0');
    bench.fill('test-2-0-0', '1');

    expect([due, bench.engine.nextTimer()]).toEqual([START + 30 * 24 * HOUR_MS, Infinity]);
  });
});

describe('the timers of an order in slices with an expiry', () => {
  it.each([
    ['in one life', (bench: OrderManagerBench) => bench],
    ['over a restart', (bench: OrderManagerBench) => bench.restart()],
  ])('end with its last slice, %s', (_, goOn) => {
    const before = new OrderManagerBench();
    const work = { twap: { over: '2min', slices: 2 } } as const;
    before.want(enterLong({ quantity: '2' }, { work, expireAfter: '30d' }));
    before.fill('test-1-0-0', '1');
    const bench = goOn(before);
    const [due] = [bench.engine.nextTimer()];
    bench.pass(MINUTE_MS);
    bench.fill('test-1-1-0', '1');

    expect([due, bench.engine.nextTimer()]).toEqual([START + MINUTE_MS, Infinity]);
  });
});

describe('interest on a debt without a position', () => {
  it('is kept as one sum, apart from that of the last hour', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
      balances: { USDT: '10000', BTC: '-1' },
    });
    for (let hour = 1; hour <= 100; hour += 1) {
      bench.pass(HOUR_MS);
      bench.account({ kind: 'interest', asset: 'BTC', amount: parseFixed('0.001'), of: 'hour' });
    }
    const { interest } = bench.engine.checkpoint();

    expect(interest).toEqual([
      { asset: 'BTC', amount: parseFixed('0.099'), eventTime: START + 99 * HOUR_MS },
      { asset: 'BTC', amount: parseFixed('0.001'), eventTime: START + 100 * HOUR_MS },
    ]);

    bench.want(enterShort({ quantity: '1' }, { limitPrice: '100' }));
    bench.fill('test-1-0-0', '1');
    expect(bench.held('short')).toBe('1.1');
  });
});
