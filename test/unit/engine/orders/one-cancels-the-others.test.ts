import { describe, expect, it } from 'vitest';

import { enterLong, exit, replace } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

const ONE = { quantity: '1' };

describe('orders of one OCO group', () => {
  const bids = (): OrderManagerBench => {
    const bench = new OrderManagerBench();
    bench.want(
      enterLong(ONE, { limitPrice: '95', oco: 'first' }),
      enterLong(ONE, { limitPrice: '90', add: true, oco: 'first' }),
      enterLong(ONE, { limitPrice: '85', add: true, oco: 'second' }),
      enterLong(ONE, { limitPrice: '80', add: true }),
    );
    for (const id of ['1', '2', '3', '4']) bench.accept(`test-${id}-0-0`);
    return bench;
  };

  it('are canceled by the first fill of one order, which keeps working', () => {
    const bench = bids();

    expect(bench.fill('test-1-0-0', '0.5', { price: '95' })).toEqual(['cancel test-2-0-0']);
    expect(bench.fill('test-1-0-0', '0.5', { price: '95' })).toEqual([]);
    expect(bench.status('test-3-0-0')).toBe('open');
  });

  it('are canceled by a fill of the replacement of one order', () => {
    const bench = bids();
    bench.want(replace({ intentId: 1 }, { limitPrice: '94' }));
    bench.end('test-1-0-0');
    bench.accept('test-5-0-0');

    expect(bench.fill('test-5-0-0', '1', { price: '94' })).toEqual(['cancel test-2-0-0']);
  });

  it('do not cancel the replacement of the order that was filled', () => {
    const bench = bids();
    bench.want(replace({ intentId: 1 }, { limitPrice: '94' }));

    expect(bench.fill('test-1-0-0', '0.5', { price: '95' })).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-1-0-0')).toEqual(['test-5-0-0: limit buy open 0.5 base at 94 GTC']);
  });

  it('are not revived by a replacement', () => {
    const bench = bids();
    bench.fill('test-1-0-0', '1', { price: '95' });

    bench.want(replace({ intentId: 2 }, { limitPrice: '89' }));

    expect(bench.verdict).toBe('canceled');
    expect(bench.end('test-2-0-0')).toEqual([]);
  });

  it('may both fill if the cancel comes too late', () => {
    const bench = bids();
    bench.fill('test-1-0-0', '1', { price: '95' });

    expect(bench.fill('test-2-0-0', '1', { price: '90' })).toEqual([]);
    expect(bench.held()).toBe('2');
  });

  it('are canceled while they wait to be sent', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ quantity: '2' }));
    bench.fill('test-1-0-0', '2');
    bench.want(exit({ limitPrice: '110', label: 'ask' }));
    bench.accept('test-2-0-0');
    bench.want(
      enterLong(ONE, { limitPrice: '90', add: true, oco: 'way' }),
      exit({ limitPrice: '111', oco: 'way' }),
    );
    bench.accept('test-3-0-0');
    bench.fill('test-3-0-0', '1', { price: '90' });

    expect(bench.waiting).toEqual([]);
    expect(bench.refusals).toEqual(['canceled']);
  });
});

describe('a replaced order', () => {
  it('still belongs to its first intent after several replacements', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '95' }));
    bench.accept('test-1-0-0');
    for (const [id, price] of [
      ['test-1-0-0', '94'],
      ['test-2-0-0', '93'],
    ] as const) {
      bench.want(replace({ intentId: 1 }, { limitPrice: price }));
      bench.end(id);
    }

    expect(bench.working).toEqual(['test-3-0-0 submitting']);
    expect(bench.want(replace({ intentId: 1 }, { limitPrice: '92' }))).toEqual([
      'cancel test-3-0-0',
    ]);
  });
});

describe('an order with a lifetime', () => {
  it('is canceled after its duration', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '95', expireAfter: '30s' }));
    bench.accept('test-1-0-0');

    expect(bench.pass(29_999)).toEqual([]);
    expect(bench.pass(1)).toEqual(['cancel test-1-0-0']);
  });
});
