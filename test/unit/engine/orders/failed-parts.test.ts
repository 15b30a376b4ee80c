import { describe, expect, it } from 'vitest';

import { MINUTE_MS, parseFixed, type Work } from '../../../../src/domain/index.js';
import { enterLong, exit, target } from '../../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

/** A holder of 2 whose partial exits the venue has rejected: one of half, and one of 0.5. */
function failedParts(): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(enterLong({ quantity: '2' }));
  bench.fill('test-1-0-0', '2');
  bench.want(exit({ size: { share: '0.5' } }), exit({ size: { quantity: '0.5' } }));
  bench.end('test-2-0-0', 'rejected');
  bench.end('test-3-0-0', 'rejected');
  return bench;
}

describe('a partial exit that the venue rejected', () => {
  it('is sent again before the next candle, with the quantity of its order', () => {
    const bench = failedParts();
    const waiting = bench.waiting.map(({ intentId }) => intentId);

    const again = bench.retry();
    bench.fill('test-3-1-0', '0.5');
    bench.end('test-2-1-0', 'rejected');
    const onceMore = bench.retry();
    bench.fill('test-2-2-0', '1');

    expect(waiting).toEqual([2, 3]);
    expect(again).toEqual([
      'test-2-1-0: market sell close 1 base',
      'test-3-1-0: market sell close 0.5 base',
    ]);
    // Half of 2, not of the 1.5 that are still held.
    expect(onceMore).toEqual(['test-2-2-0: market sell close 1 base']);
    expect(bench.held()).toBe('0.5');
    expect(bench.waiting).toEqual([]);
  });

  it('is dropped at the next candle, at which the strategy decides again', () => {
    const bench = failedParts();
    bench.pass(MINUTE_MS);

    const sent = bench.want(exit({ size: { quantity: '0.75' } }));

    expect(sent).toEqual(['test-4-0-0: market sell close 0.75 base']);
    expect(bench.waiting).toEqual([]);
    expect(bench.retry()).toEqual([]);
  });

  it('is dropped if the second try is rejected after the next candle', () => {
    const bench = failedParts();
    bench.retry();
    bench.pass(MINUTE_MS);
    bench.candle(97);

    bench.end('test-2-1-0', 'rejected');

    expect(bench.waiting).toEqual([]);
    expect(bench.retry()).toEqual([]);
  });

  it.each([
    ['a partial exit', exit({ size: { quantity: '0.25' } })],
    ['an exit', exit()],
    ['an entry', enterLong({ quantity: '1' }, { add: true, limitPrice: '90' })],
    ['a target', target(undefined, { quantity: '2' })],
  ])('is not sent again after %s in the same event as the rejection', (_, intent) => {
    const bench = failedParts();
    bench.want(exit({ size: { quantity: '0.5' } }));
    bench.raiseOnNextOrder(intent);
    bench.end('test-4-0-0', 'rejected');

    expect(bench.waiting).toEqual([]);
    expect(bench.retry()).toEqual([]);
  });

  it('is sent again by the next process', () => {
    expect(failedParts().restart().retry()).toEqual([
      'test-2-1-0: market sell close 1 base',
      'test-3-1-0: market sell close 0.5 base',
    ]);
  });

  it('is sent as one order if risk had split it', () => {
    const bench = aHolder({ rules: { maxMarketQuantity: parseFixed('0.4') } });
    const legs = bench.want(exit({ size: { quantity: '0.8' } }));
    bench.fill('test-2-0-0', '0.1', { isFilled: false });
    bench.end('test-2-0-0', 'canceled');
    bench.end('test-2-0-1', 'rejected');

    expect(legs).toHaveLength(2);
    expect(bench.retry()).toEqual(['test-2-1-0: market sell close 0.4 base']);
  });

  it('keeps the quantity of all its legs', () => {
    const bench = aHolder({ rules: { maxMarketQuantity: parseFixed('0.4') } });
    bench.want(exit({ size: { quantity: '0.8' } }));
    bench.end('test-2-0-0', 'rejected');
    bench.end('test-2-0-1', 'rejected');

    expect(bench.waiting).toMatchObject([{ intentId: 2, intent: { size: { quantity: '0.8' } } }]);
    expect(bench.retry()).toHaveLength(2);
  });

  it('is added to the next slice if it is a slice of a twap exit', () => {
    const bench = aHolder();
    bench.want(exit({ size: { quantity: '0.8' }, work: { twap: { over: '2min', slices: 2 } } }));
    bench.end('test-2-0-0', 'rejected');

    expect(bench.retry()).toEqual([]);
    expect(bench.pass(MINUTE_MS)).toEqual(['test-2-1-0: market sell close 0.8 base']);
  });

  it('is not sent again if it has a limit price', () => {
    const bench = aHolder();
    bench.want(exit({ size: { quantity: '0.5' }, limitPrice: '110' }));
    bench.end('test-2-0-0', 'rejected');

    expect(bench.waiting).toEqual([]);
    expect(bench.retry()).toEqual([]);
  });

  it.each<Work>([{ chase: { every: '5s', maxBps: '50' } }, { limitFor: '30s', then: 'market' }])(
    'is sent again at last if it is worked (%o)',
    (work) => {
      const bench = aHolder();
      bench.want(exit({ size: { quantity: '0.5' }, work }));
      bench.end('test-2-0-0', 'rejected');

      expect(bench.retry()).toEqual(['test-2-1-0: limit sell close 0.5 base at 100 GTC']);
    },
  );
});
