import { describe, expect, it } from 'vitest';

import { enterLong, exit } from '../../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

const TEN = { quantity: '10' };

describe('an order with an unknown outcome', () => {
  it('may still fill: it keeps its money, counts as working, and is not sent again', () => {
    const bench = new OrderManagerBench({ rules: { maxWorkingOrders: 1 }, remainder: 'resend' });
    bench.want(enterLong(TEN, { limitPrice: '90' }));

    const lost = bench.lose('test-1-0-0');
    const wanted = bench.want(enterLong({ quantity: '1' }, { add: true, limitPrice: '80' }));

    expect(lost).toEqual([]);
    expect(wanted).toEqual([]);
    expect(bench.verdict).toBe('max-working-orders');
    expect(bench.working).toEqual(['test-1-0-0 unknown']);
    // 10,000 − 10 × 90
    expect(bench.free('USDT')).toBe('9100');
  });

  it('continues when the venue reports its state', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(TEN, { limitPrice: '90' }));
    bench.lose('test-1-0-0');

    bench.accept('test-1-0-0');
    const accepted = bench.status('test-1-0-0');
    bench.fill('test-1-0-0', '4');
    bench.lose('test-1-0-0');
    bench.fill('test-1-0-0', '6');

    expect(accepted).toBe('open');
    expect(bench.status('test-1-0-0')).toBe('filled');
    expect(bench.held()).toBe('10');
  });

  it('releases its money if it never arrived', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(TEN, { limitPrice: '90' }));
    bench.lose('test-1-0-0');

    bench.end('test-1-0-0', 'rejected');

    expect(bench.status('test-1-0-0')).toBe('rejected');
    expect(bench.free('USDT')).toBe('10000');
  });

  it('is canceled again by the waiting exit, and keeps working if that cancel is refused', () => {
    const bench = aHolder({ remainder: 'resend' });
    bench.want(enterLong(TEN, { add: true, limitPrice: '80' }));
    bench.accept('test-2-0-0');
    bench.want(exit({ cancelEntries: true }));

    bench.lose('test-2-0-0');
    const nextCandle = bench.candle(100);
    bench.lose('test-2-0-0');
    bench.refuseCancel('test-2-0-0');
    const status = bench.status('test-2-0-0');
    bench.want(exit());
    const then = bench.end('test-2-0-0');

    expect(nextCandle).toEqual(['cancel test-2-0-0']);
    expect(status).toBe('open');
    expect(then).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it('keeps its final status after a late report', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(TEN, { limitPrice: '90' }));
    bench.end('test-1-0-0', 'canceled');

    expect(bench.lose('test-1-0-0')).toEqual([]);
    expect(bench.status('test-1-0-0')).toBe('canceled');
  });
});
