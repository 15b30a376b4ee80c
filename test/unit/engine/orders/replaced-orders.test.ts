import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../../src/domain/index.js';
import {
  enterLong,
  enterShort,
  exit,
  replace,
  type EntryTerms,
} from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { MARGIN } from '../../../support/risk/builders.js';

const TEN = { quantity: '10' };
const SPLIT = {
  rules: { maxLimitQuantity: parseFixed('5') },
  tooLarge: { entries: 'split', exits: 'split' },
} as const;
const LIVES: readonly (readonly [string, (bench: OrderManagerBench) => OrderManagerBench])[] = [
  ['in one life', (bench) => bench],
  ['over a restart', (bench) => bench.restart()],
];

/** A bench whose order for 10 rests at 90. */
function resting(terms: Partial<EntryTerms> = {}): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(enterLong(TEN, { limitPrice: '90', ...terms }));
  bench.accept('test-1-0-0');
  return bench;
}

describe('the new quantity of a replaced order', () => {
  it.each(LIVES)('counts the fills of all orders before it, %s', (_, goOn) => {
    const before = resting();
    before.fill('test-1-0-0', '3');
    const first = before.want(replace({ intentId: 1 }, TEN));
    first.concat(before.end('test-1-0-0'));
    before.accept('test-2-0-0');
    const bench = goOn(before);

    bench.want(replace({ intentId: 1 }, TEN));
    const second = bench.end('test-2-0-0');
    bench.fill(bench.working[0]?.split(' ')[0] ?? '', '2');
    bench.want(replace({ intentId: 1 }, { quantity: '12' }));
    const third = bench.end(bench.working[0]?.split(' ')[0] ?? '');

    // 10 − 3, and 12 − 3 − 2
    expect([second, third]).toEqual([
      [expect.stringMatching(/: limit buy open 7 base at 90 GTC$/)],
      [expect.stringMatching(/: limit buy open 7 base at 90 GTC$/)],
    ]);
  });

  it('counts the fills of an order that its work has moved', () => {
    const bench = resting({
      limitPrice: undefined,
      work: { chase: { every: '5s', maxBps: '50' } },
    });
    bench.fill('test-1-0-0', '3');
    bench.pass(5_000);
    bench.sample('100.3');
    bench.end('test-1-0-0');
    bench.accept('test-1-1-0');

    bench.want(replace({ intentId: 1 }, TEN));

    expect(bench.end('test-1-1-0')).toEqual(['test-2-0-0: limit buy open 7 base at 100.3 GTC']);
  });

  it.each(LIVES)('counts the fills of a part that has ended, %s', (_, goOn) => {
    const before = new OrderManagerBench(SPLIT);
    before.want(enterLong(TEN, { limitPrice: '90' }));
    before.accept('test-1-0-1');
    before.fill('test-1-0-0', '5');
    const bench = goOn(before);

    bench.want(replace({ intentId: 1 }, TEN));

    expect(bench.end('test-1-0-1')).toEqual(['test-2-0-0: limit buy open 5 base at 90 GTC']);
  });
});

describe('the new quantity of an order that is not the first of its intent', () => {
  const AT_99 = { quantity: '10', limitPrice: '99' };

  it.each(LIVES)('counts the fills before a rest that was sent again, %s', (_, goOn) => {
    const before = new OrderManagerBench({ remainder: 'resend' });
    before.want(enterLong(TEN));
    before.fill('test-1-0-0', '4', { price: '100' });
    before.end('test-1-0-0');
    const bench = goOn(before);
    const again = bench.candle(100);

    bench.want(replace({ intentId: 1 }, AT_99));

    expect(again).toEqual(['test-1-1-0: limit buy open 6 base at 105 GTC']);
    expect(bench.end('test-1-1-0')).toEqual(['test-2-0-0: limit buy open 6 base at 99 GTC']);
  });

  it.each(LIVES)('counts them for an exit, too, %s', (_, goOn) => {
    const before = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
      remainder: 'resend',
    });
    before.want(enterShort({ quantity: '20' }));
    before.fill('test-1-0-0', '20', { price: '100' });
    before.want(exit({ size: TEN }));
    before.fill('test-2-0-0', '4', { price: '100' });
    before.end('test-2-0-0');
    const bench = goOn(before);
    const again = bench.candle(100);

    bench.want(replace({ intentId: 2 }, AT_99));

    expect(again).toEqual(['test-2-1-0: limit buy close 6 base at 105 GTC']);
    expect(bench.end('test-2-1-0')).toEqual(['test-3-0-0: limit buy close 6 base at 99 GTC']);
  });

  it.each(LIVES)('counts the parts of twap before it and after it, %s', (_, goOn) => {
    const before = new OrderManagerBench();
    before.want(enterLong(TEN, { work: { twap: { over: '10min', slices: 5 } } }));
    before.fill('test-1-0-0', '2', { price: '100' });
    const bench = goOn(before);
    bench.pass(120_000);
    bench.fill('test-1-1-0', '1', { price: '100' });

    bench.want(replace({ intentId: 1 }, AT_99));

    // 10 − 3 filled − 6 still to be sent
    expect(bench.end('test-1-1-0')).toEqual(['test-2-0-0: limit buy open 1 base at 99 GTC']);
  });
});

describe('the new quantity of two orders of one intent', () => {
  it.each(LIVES)('is divided among them, %s', (_, goOn) => {
    const before = new OrderManagerBench();
    before.want(enterLong(TEN, { work: { twap: { over: '10min', slices: 5 } } }));
    before.want(replace({ intentId: 1 }, { limitPrice: '99' }));
    before.end('test-1-0-0');
    before.accept('test-2-0-0');
    const bench = goOn(before);
    bench.fill('test-2-0-0', '1');
    bench.pass(120_000);

    bench.want(replace({ intentId: 1 }, { quantity: '10', limitPrice: '98' }));
    const sent = [bench.end('test-2-0-0'), bench.end('test-1-1-0')].flat();

    // 10 − 1 filled − 6 still to be sent
    expect(sent.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'limit buy open 1.5 base at 98 GTC',
      'limit buy open 1.5 base at 98 GTC',
    ]);
  });
});

describe('the time of an order with limitFor', () => {
  const work = { limitFor: '30s', then: 'market' } as const;

  it.each(LIVES)('counts from its first order, %s', (_, goOn) => {
    const before = resting({ work });
    before.pass(20_000);
    before.want(replace({ intentId: 1 }, { limitPrice: '91' }));
    before.end('test-1-0-0');
    before.accept('test-2-0-0');
    const bench = goOn(before);

    expect(bench.pass(9_999)).toEqual([]);
    expect(bench.pass(1)).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual(['test-2-1-0: limit buy open 10 base at 105 GTC']);
  });

  it('may end while a replacement waits for the end of its order', () => {
    const bench = resting({ work });
    bench.pass(29_000);
    bench.want(replace({ intentId: 1 }, { limitPrice: '91' }));
    bench.pass(2_000);

    expect(bench.end('test-1-0-0')).toEqual(['test-2-0-0: limit buy open 10 base at 105 GTC']);
  });
});

describe('the expiry of an order', () => {
  it.each(LIVES)('counts from the first order of its intent, %s', (_, goOn) => {
    const before = resting({ expireAfter: '30s' });
    before.pass(20_000);
    before.want(replace({ intentId: 1 }, { limitPrice: '91' }));
    before.end('test-1-0-0');
    before.accept('test-2-0-0');
    before.want(replace({ intentId: 1 }, { limitPrice: '92' }));
    before.end('test-2-0-0');
    before.accept('test-3-0-0');
    const bench = goOn(before);

    expect(bench.pass(9_999)).toEqual([]);
    expect(bench.pass(1)).toEqual(['cancel test-3-0-0']);
    expect(bench.end('test-3-0-0')).toEqual([]);
  });
});

describe('a stop that is split into several orders', () => {
  const holder = (): OrderManagerBench => {
    const bench = new OrderManagerBench({
      rules: { maxMarketQuantity: parseFixed('5') },
      tooLarge: { entries: 'split', exits: 'split' },
    });
    bench.want(enterLong(TEN, { limitPrice: '100', protection: { stopLoss: { price: '95' } } }));
    bench.fill('test-1-0-0', '10');
    return bench;
  };

  it.each([
    ['before', ['end', 'fill']],
    ['after', ['fill', 'end']],
  ] as const)('fires again if one of them ended without a fill, %s another filled', (_, order) => {
    const bench = holder();
    const fired = bench.sample('95');
    for (const what of order)
      if (what === 'fill') bench.fill('test-2-0-0', '5');
      else bench.end('test-2-0-1');

    expect(fired).toHaveLength(2);
    expect(bench.sample('95')).toEqual(['test-3-0-0: market sell close 5 base']);
  });

  it('waits for the next candle if none of them filled', () => {
    const bench = holder();
    bench.sample('95');
    bench.end('test-2-0-0');
    bench.end('test-2-0-1');

    expect(bench.sample('95')).toEqual([]);
  });
});
