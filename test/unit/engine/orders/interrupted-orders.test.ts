import { describe, expect, it } from 'vitest';

import { cancel, enterLong, exit } from '../../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

const LEVELS = { stopLoss: { price: '90' }, takeProfit: { price: '120' } } as const;

/** Id of the only working order. */
function theOrder(bench: OrderManagerBench): string {
  const [order, ...others] = bench.engine.workingOrders;
  if (order === undefined || others.length > 0) throw new Error('expected one working order');
  return order.request.clientOrderId;
}

describe('what was ordered and is not done when the process ends', () => {
  it.each<{ what: string; holds: object; leave: (bench: OrderManagerBench) => unknown }>([
    {
      what: 'an exit that waits for the end of the take-profit',
      holds: { protection: LEVELS },
      leave: (bench) => bench.want(exit()),
    },
    {
      what: 'a stop of the position that waits for the end of the take-profit',
      holds: { protection: LEVELS },
      leave: (bench) => bench.sample('89'),
    },
    {
      what: 'a stop of a bracket that waits for the end of its take-profit',
      holds: { bracket: LEVELS },
      leave: (bench) => bench.sample('89'),
    },
  ])('is $what', ({ holds, leave }) => {
    const before = aHolder({}, holds);
    const takeProfit = theOrder(before);
    before.accept(takeProfit);
    const canceled = leave(before);
    const bench = before.restart();

    const sent = bench.end(takeProfit);

    expect(canceled).toEqual([`cancel ${takeProfit}`]);
    expect(sent).toEqual([expect.stringMatching(/: market sell close 1 base$/)]);
  });

  it('is the new quantity of a take-profit', () => {
    const before = aHolder({}, { protection: LEVELS });
    const takeProfit = theOrder(before);
    before.accept(takeProfit);
    before.want(enterLong({ quantity: '0.5' }, { add: true }));
    const entry = before.engine.workingOrders
      .map(({ request }) => request.clientOrderId)
      .find((id) => id !== takeProfit);
    const canceled = before.fill(String(entry), '0.5');
    const bench = before.restart();

    const sent = bench.end(takeProfit);

    expect(canceled).toEqual([`cancel ${takeProfit}`]);
    expect(sent).toEqual([expect.stringMatching(/: limit sell close 1.5 base at 120 GTC$/)]);
  });

  it('is the end of an entry whose cancel the venue refused', () => {
    const before = new OrderManagerBench();
    before.want(enterLong({ quantity: '1' }, { limitPrice: '90', label: 'dip' }));
    before.accept('test-1-0-0');
    before.want(cancel({ label: 'dip' }));
    before.refuseCancel('test-1-0-0');
    const bench = before.restart();

    expect(bench.retry()).toEqual(['cancel test-1-0-0']);
  });
});
