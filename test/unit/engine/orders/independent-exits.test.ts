import { describe, expect, it } from 'vitest';

import { parseFixed, type OrderIntent, type Protection } from '../../../../src/domain/index.js';
import { cancel, enterLong, exit, flatten, replace } from '../../../../src/strategy/index.js';
import { aMinute, closing, START, type EngineSetup } from '../../../support/engine/engine.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { SPOT } from '../../../support/risk/builders.js';

const TAKE_PROFIT = { takeProfit: { price: '120' } } as const;

function aHolder(
  quantity: string,
  protection?: Protection,
  setup?: EngineSetup,
): OrderManagerBench {
  const bench = new OrderManagerBench(setup);
  bench.want(enterLong({ quantity }, protection && { protection }));
  bench.fill('test-1-0-0', quantity);
  return bench;
}

const part = (quantity: string, limitPrice: string): ReturnType<typeof exit> =>
  exit({ size: { quantity }, limitPrice });

describe('exits of parts', () => {
  it('rest at the venue at the same time', () => {
    const bench = aHolder('3');

    const sent = bench.want(part('1', '110'), part('1', '120'), part('1', '130'));

    expect(sent).toEqual([
      'test-2-0-0: limit sell close 1 base at 110 GTC',
      'test-3-0-0: limit sell close 1 base at 120 GTC',
      'test-4-0-0: limit sell close 1 base at 130 GTC',
    ]);
  });

  it('never exceed the position: the last is cut, and one more is refused', () => {
    const bench = aHolder('3');

    const sent = bench.want(part('2', '110'), part('2', '120'), part('1', '130'));

    expect(sent).toEqual([
      'test-2-0-0: limit sell close 2 base at 110 GTC',
      'test-3-0-0: limit sell close 1 base at 120 GTC',
    ]);
    expect(bench.refusals).toEqual(['nothing-to-close']);
  });

  it('reduce the take-profit to the quantity that they do not offer', () => {
    const bench = aHolder('3', TAKE_PROFIT);

    const first = bench.want(part('1', '110'));
    const then = bench.end('test-2-0-0');

    expect(first).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual([
      'test-3-0-0: limit sell close 1 base at 110 GTC',
      'test-4-0-0: limit sell close 2 base at 120 GTC',
    ]);
  });

  it('do not wait for an exit that is being canceled if enough is left', () => {
    const bench = aHolder('3');
    bench.want(part('1', '110'));

    const sent = bench.want(cancel({ intentId: 2 }), part('2', '120'));

    expect(sent).toEqual(['cancel test-2-0-0', 'test-4-0-0: limit sell close 2 base at 120 GTC']);
  });

  it('rest beside entries', () => {
    const bench = aHolder('1');

    const sent = bench.want(
      enterLong({ quantity: '1' }, { add: true, limitPrice: '90' }),
      part('1', '110'),
      enterLong({ quantity: '1' }, { add: true, limitPrice: '80' }),
    );

    expect(sent).toEqual([
      'test-2-0-0: limit buy open 1 base at 90 GTC',
      'test-3-0-0: limit sell close 1 base at 110 GTC',
      'test-4-0-0: limit buy open 1 base at 80 GTC',
    ]);
  });

  it('are refused while the whole position is being closed', () => {
    const bench = aHolder('1');

    expect(bench.want(exit(), part('1', '110'))).toHaveLength(1);
    expect(bench.refusals).toEqual(['leaving-position']);
  });
});

describe('a waiting exit with a limit', () => {
  /** A bench with an exit that waits for the end of the exit before it. */
  const waiting = (...more: readonly OrderIntent[]): OrderManagerBench => {
    const bench = aHolder('1');
    bench.want(exit({ limitPrice: '110' }));
    bench.accept('test-2-0-0');
    bench.want(exit({ limitPrice: '111', label: 'ask' }), ...more);
    return bench;
  };

  it('is visible, and is sent when the exit before it has ended', () => {
    const bench = waiting();

    const seen = bench.waiting;
    const then = bench.end('test-2-0-0');

    expect(seen).toMatchObject([{ intentId: 3, intent: { kind: 'exit', limitPrice: '111' } }]);
    expect(then).toEqual(['test-3-0-0: limit sell close 1 base at 111 GTC']);
    expect(bench.waiting).toEqual([]);
  });

  it('is replaced by a newer exit', () => {
    const bench = waiting(exit({ limitPrice: '112' }));

    expect(bench.refusals).toEqual(['superseded']);
    expect(bench.end('test-2-0-0')).toEqual(['test-4-0-0: limit sell close 1 base at 112 GTC']);
  });

  it('is canceled by its label', () => {
    const bench = waiting(cancel({ label: 'ask' }));

    expect(bench.refusals).toEqual(['canceled']);
    expect(bench.end('test-2-0-0')).toEqual([]);
  });

  it('ends with its candle', () => {
    const bench = waiting();

    bench.candle(100);

    expect(bench.refusals).toEqual(['outdated']);
    expect(bench.waiting).toEqual([]);
    expect(bench.end('test-2-0-0')).toEqual([]);
  });

  it('does not hold back entries', () => {
    const bench = aHolder('1');
    bench.want(exit({ limitPrice: '110' }));

    const sent = bench.want(
      exit({ limitPrice: '111' }),
      enterLong({ quantity: '1' }, { add: true, limitPrice: '90' }),
    );
    const then = bench.end('test-2-0-0');

    expect(sent).toEqual(['cancel test-2-0-0', 'test-4-0-0: limit buy open 1 base at 90 GTC']);
    expect(then).toEqual(['test-3-0-0: limit sell close 1 base at 111 GTC']);
  });
});

describe('exits at any price', () => {
  it('also sell what was bought while another exit works', () => {
    const bench = aHolder('1');
    bench.want(enterLong({ quantity: '1' }, { add: true, limitPrice: '90' }));
    bench.want(exit());
    bench.fill('test-2-0-0', '1');

    const again = bench.want(exit());

    expect(again).toEqual(['test-4-0-0: market sell close 1 base']);
  });

  it('are sent by flatten, which also cancels resting entries', () => {
    const bench = aHolder('1');
    bench.want(enterLong({ quantity: '1' }, { add: true, limitPrice: '90' }));

    const first = bench.want(flatten());
    const then = bench.end('test-2-0-0');

    expect(first).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it.each([
    { what: 'an exit', leave: exit() },
    { what: 'another flatten', leave: flatten() },
  ])('are sent by a flatten after $what that the venue ends unfilled', ({ leave }) => {
    const bench = aHolder('1');
    bench.want(leave);

    const meanwhile = bench.want(flatten());
    const waiting = bench.waiting.length;
    const then = bench.end('test-2-0-0', 'canceled');

    expect(meanwhile).toEqual([]);
    expect(waiting).toBe(1);
    expect(then).toEqual(['test-3-0-0: market sell close 1 base']);
    expect(bench.waiting).toEqual([]);
    expect(bench.refusals).toEqual([]);
  });

  it('leave nothing to do for a waiting flatten if they fill', () => {
    const bench = aHolder('1');
    bench.want(exit());
    bench.want(flatten());

    expect(bench.fill('test-2-0-0', '1')).toEqual([]);
    expect(bench.waiting).toEqual([]);
    expect(bench.refusals).toEqual([]);
  });

  it('are sent once by a waiting flatten for the rest of a partly filled exit', () => {
    const bench = aHolder('3', undefined, { remainder: 'resend' });
    bench.want(exit());
    bench.want(flatten());

    bench.fill('test-2-0-0', '1', { isFilled: false });
    const then = bench.end('test-2-0-0', 'canceled');

    expect(then).toEqual(['test-3-0-0: market sell close 2 base']);
    expect(bench.candle(100)).toEqual([]);
  });

  it('of a part withdraw entries as well, if they are to', () => {
    const bench = new OrderManagerBench();
    const twap = { over: '4min', slices: 2 };
    bench.want(enterLong({ quantity: '2' }, { work: { twap } }));
    bench.fill('test-1-0-0', '1');
    bench.want(enterLong({ quantity: '1' }, { add: true, limitPrice: '90' }));
    bench.accept('test-2-0-0');

    const sent = bench.want(exit({ size: { quantity: '0.5' }, cancelEntries: true }));

    expect(sent).toEqual(['cancel test-2-0-0', 'test-3-0-0: market sell close 0.5 base']);
    expect(bench.end('test-2-0-0')).toEqual([]);
    expect(bench.pass(240_000)).toEqual([]);
  });

  it('find no replacement of an expired entry', () => {
    const bench = new OrderManagerBench();
    const terms = { limitPrice: '90', expireAfter: '1s', label: 'bid' } as const;
    bench.want(enterLong({ quantity: '1' }, terms));
    bench.pass(1_000);

    bench.want(replace({ label: 'bid' }, { limitPrice: '91' }), exit({ cancelEntries: true }));
    const then = bench.end('test-1-0-0');

    expect(then).toEqual([]);
    expect(bench.refusals).toEqual(['canceled']);
  });

  it('keep waiting with their rest through a slice that has candles of two intervals', () => {
    const instruments = [{ instrument: SPOT, intervals: ['1min', '5min'] as const }];
    const bench = aHolder('3', undefined, { remainder: 'resend', instruments });
    bench.want(exit({ size: { quantity: '3' } }));
    bench.fill('test-2-0-0', '1', { isFilled: false });
    bench.raiseOnNextOrder(exit({ size: { quantity: '2' }, limitPrice: '110', label: 'limit' }));
    bench.end('test-2-0-0');
    bench.raiseOnNextOrder(cancel({ label: 'limit' }));
    expect(bench.accept('test-3-0-0')).toEqual(['cancel test-3-0-0']);

    // The rest of the first exit has to wait for the end of the second.
    const minute = { ...aMinute(0, { close: 100 }), closeTime: START };
    bench.engine.process(closing(minute, { ...minute, interval: '5min' }));
    expect(bench.refusals).toEqual([]);
    bench.end('test-3-0-0');

    const [rest] = bench.engine.workingOrders;
    expect(rest?.request).toMatchObject({ intentId: 2, quantity: parseFixed('2') });
  });
});
