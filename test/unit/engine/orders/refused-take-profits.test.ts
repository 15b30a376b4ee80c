import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../../src/domain/index.js';
import { cancel, enterLong, exit, protect } from '../../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

const idOf = (line: string): string => line.split(':')[0] ?? '';

describe('a take-profit that risk refused', () => {
  it('is tried again when there is more to sell, or when it is set again', () => {
    const bench = aHolder({ rules: { minOrderMoney: parseFixed('100') } });
    bench.want(protect({ takeProfit: { price: '50' } }));
    bench.want(enterLong({ quantity: '1.5' }, { add: true, limitPrice: '99' }));

    // 1.5 × 50 is below 100, and 2.5 × 50 is not.
    const added = bench.fill('test-4-0-0', '0.5', { price: '100' });
    const refusals = bench.engine.refusals.map(({ count }) => count);
    const [more = ''] = bench.fill('test-4-0-0', '1', { price: '100' });
    bench.want(protect({ takeProfit: { price: '120' } }));
    const anew = bench.end(idOf(more));

    expect(added).toEqual([]);
    expect(refusals).toEqual([2]);
    expect(more).toMatch(/: limit sell close 2.5 base at 50 GTC$/);
    expect(anew).toEqual([expect.stringMatching(/: limit sell close 2.5 base at 120 GTC$/)]);
  });

  it('is not tried again while there is no more to sell', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('100') } });
    bench.want(enterLong({ quantity: '3' }));
    bench.fill('test-1-0-0', '3', { price: '100' });
    bench.want(protect({ takeProfit: { price: '20' } }));

    const [sale = ''] = bench.want(exit({ size: { quantity: '1' } }));
    const after = [bench.fill(idOf(sale), '1', { price: '100' }), bench.candle(100)];

    expect(sale).toMatch(/market sell close 1 base$/);
    expect(after.flat()).toEqual([]);
    expect(bench.engine.refusals.map(({ count }) => count)).toEqual([1]);
  });

  it.each([
    ['in one life', (bench: OrderManagerBench) => bench],
    ['over a restart', (bench: OrderManagerBench) => bench.restart()],
  ])('returns once an exit of a part frees what was too small, %s', (_, goOn) => {
    const before = aHolder({ rules: { minOrderMoney: parseFixed('10') } });
    before.want(exit({ size: { quantity: '0.85' }, limitPrice: '130' }));
    before.accept('test-2-0-0');
    before.want(protect({ takeProfit: { price: '50' } }));
    // 0.15 × 50 is below 10.
    const refusals = before.refusals;
    const bench = goOn(before);
    bench.want(cancel({ intentId: 2 }));

    const then = bench.end('test-2-0-0');

    expect(refusals).toEqual(['min-order-money']);
    expect(then).toEqual([expect.stringMatching(/: limit sell close 1 base at 50 GTC$/)]);
  });
});
