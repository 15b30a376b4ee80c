import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../../src/domain/index.js';
import { enterLong } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

/** A holder of 1 whose take-profit is three orders, because an order may be for 0.4 at most. */
function threeOrders(terms: object): {
  readonly bench: OrderManagerBench;
  readonly sent: readonly string[];
} {
  const bench = new OrderManagerBench({ rules: { maxLimitQuantity: parseFixed('0.4') } });
  bench.want(enterLong({ notional: '100' }, terms));
  const sent = bench.fill('test-1-0-0', '1', { price: '100' });
  for (const leg of ['0', '1', '2']) bench.accept(`test-2-0-${leg}`);
  return { bench, sent };
}

const protection = { takeProfit: { price: '110' } };

describe('a take-profit that is split into several orders', () => {
  it('stays while its orders fill', () => {
    const { bench, sent } = threeOrders({ protection });

    const part = bench.fill('test-2-0-0', '0.1');
    const one = bench.fill('test-2-0-0', '0.234');
    const two = bench.fill('test-2-0-1', '0.333');

    expect(sent).toEqual([
      'test-2-0-0: limit sell close 0.334 base at 110 GTC',
      'test-2-0-1: limit sell close 0.333 base at 110 GTC',
      'test-2-0-2: limit sell close 0.333 base at 110 GTC',
    ]);
    expect([part, one, two]).toEqual([[], [], []]);
    expect(bench.working).toEqual(['test-2-0-2 open']);
  });

  it('stays when another order ends', () => {
    const { bench } = threeOrders({ protection });
    bench.want(enterLong({ notional: '10' }, { add: true }));

    expect(bench.end('test-3-0-0', 'rejected')).toEqual([]);
  });

  it('is sent anew as a whole when there is more to sell', () => {
    const { bench } = threeOrders({ protection });
    bench.want(enterLong({ notional: '20' }, { add: true }));

    const more = bench.fill('test-3-0-0', '0.2', { price: '100' });
    const ends = ['0', '1', '2'].map((leg) => bench.end(`test-2-0-${leg}`));

    expect(more).toEqual(['cancel test-2-0-0', 'cancel test-2-0-1', 'cancel test-2-0-2']);
    expect(ends).toEqual([
      [],
      [],
      [
        'test-4-0-0: limit sell close 0.4 base at 110 GTC',
        'test-4-0-1: limit sell close 0.4 base at 110 GTC',
        'test-4-0-2: limit sell close 0.4 base at 110 GTC',
      ],
    ]);
  });

  it('stays beside the bracket of another entry', () => {
    const { bench } = threeOrders({ protection });
    const bracket = { stopLoss: { price: '90' } };
    bench.want(enterLong({ notional: '20' }, { add: true, bracket }));

    const bracketed = bench.fill('test-3-0-0', '0.2', { price: '100' });
    const filled = [bench.fill('test-2-0-0', '0.334'), bench.fill('test-2-0-1', '0.3')];

    expect([bracketed, ...filled]).toEqual([[], [], []]);
  });
});
