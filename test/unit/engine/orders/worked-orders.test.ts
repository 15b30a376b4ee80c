import { describe, expect, it } from 'vitest';

import { parseFixed, type OrderIntent, type Work } from '../../../../src/domain/index.js';
import {
  cancel,
  enterLong,
  enterShort,
  exit,
  type EntryTerms,
} from '../../../../src/strategy/index.js';
import { START } from '../../../support/engine/engine.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { LINEAR, MARGIN } from '../../../support/risk/builders.js';

const TWO = { quantity: '2' };

function aBench(...intents: readonly OrderIntent[]): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(...intents);
  return bench;
}

function aHolder(quantity: string): OrderManagerBench {
  const bench = aBench(enterLong({ quantity }));
  bench.fill('test-1-0-0', quantity);
  return bench;
}

describe('an order with limitFor', () => {
  const work = { limitFor: '30s', then: 'market' } as const;

  it('sends the rest at the end of its time, under the number of its intent', () => {
    const bench = aBench(enterLong(TWO, { limitPrice: '99', work, label: 'in' }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.5', { price: '99' });

    expect(bench.pass(29_999)).toEqual([]);
    expect(bench.pass(1)).toEqual(['cancel test-1-0-0']);
    expect(bench.end('test-1-0-0')).toEqual(['test-1-1-0: limit buy open 1.5 base at 105 GTC']);
    bench.fill('test-1-1-0', '1.5', { price: '100' });
    expect(bench.held()).toBe('2');
    expect(bench.pass(60_000)).toEqual([]);
    expect(
      new Set(bench.changes.map(({ label, intentId }) => `${String(label)} ${String(intentId)}`)),
    ).toEqual(new Set(['in 1']));
  });

  it('rests at the last price if it has no limit price', () => {
    const bench = new OrderManagerBench();
    bench.candle(101.5);

    expect(bench.want(enterLong(TWO, { work }))).toEqual([
      'test-1-0-0: limit buy open 2 base at 101.5 GTC',
    ]);
  });

  it('closes a position in the same way', () => {
    const bench = aHolder('2');
    bench.want(exit({ limitPrice: '101', work }));
    bench.accept('test-2-0-0');

    expect(bench.pass(30_000)).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual(['test-2-1-0: market sell close 2 base']);
  });

  it('repeats a refused cancel while the order works', () => {
    const bench = aBench(enterLong(TWO, { limitPrice: '99', work }));
    bench.accept('test-1-0-0');
    bench.pass(30_000);
    bench.refuseCancel('test-1-0-0');

    expect(bench.pass(999)).toEqual([]);
    expect(bench.pass(1)).toEqual(['cancel test-1-0-0']);
  });

  it('ends with its cancel', () => {
    const bench = aBench(enterLong(TWO, { limitPrice: '99', work }));
    bench.accept('test-1-0-0');
    bench.want(cancel({ intentId: 1 }));
    bench.end('test-1-0-0');

    expect(bench.pass(60_000)).toEqual([]);
    expect(bench.working).toEqual([]);
  });
});

describe('a chasing order', () => {
  const work = { chase: { every: '5s', maxBps: '50' } } as const;

  it('follows last away from its price, no earlier than its interval and no farther than its bound', () => {
    const bench = aBench(enterLong(TWO, { work }));
    bench.accept('test-1-0-0');

    expect(bench.sample('100.3')).toEqual([]);
    bench.pass(5_000);
    expect(bench.sample('99')).toEqual([]);
    expect(bench.sample('100')).toEqual([]);
    expect(bench.sample('100.3')).toEqual(['cancel test-1-0-0']);
    expect(bench.sample('100.4')).toEqual([]);
    expect(bench.end('test-1-0-0')).toEqual(['test-1-1-0: limit buy open 2 base at 100.3 GTC']);
    bench.accept('test-1-1-0');
    bench.pass(5_000);
    expect(bench.sample('102')).toEqual(['cancel test-1-1-0']);
    expect(bench.end('test-1-1-0')).toEqual(['test-1-2-0: limit buy open 2 base at 100.5 GTC']);
    bench.accept('test-1-2-0');
    bench.pass(5_000);
    expect(bench.sample('103')).toEqual([]);
    expect(bench.engine.stopWatches()).toEqual([]);
  });

  it('watches only the samples that may move it', () => {
    const bench = aBench(enterLong(TWO, { work }));

    expect(bench.engine.watchesLast).toBe(true);
    expect(bench.engine.stopWatches()).toMatchObject([
      { direction: 'short', level: 100_010_000_000_000_000_000n },
    ]);
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '2', { price: '100' });
    expect(bench.engine.watchesLast).toBe(false);
  });

  it('follows last downward when it closes a position', () => {
    const bench = aHolder('2');
    bench.want(exit({ work }));
    bench.accept('test-2-0-0');
    bench.pass(5_000);

    expect(bench.sample('99.7')).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual(['test-2-1-0: limit sell close 2 base at 99.7 GTC']);
  });

  it('does not move while its rest is below the smallest order', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('50') } });
    bench.want(enterLong(TWO, { work }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '1.8', { price: '100' });
    bench.pass(5_000);

    expect(bench.engine.watchesLast).toBe(true);
    expect(bench.engine.stopWatches()).toEqual([]);
    expect(bench.sample('100.3')).toEqual([]);
    expect(bench.working).toEqual(['test-1-0-0 partially-filled']);
    expect(bench.refusals).toEqual([]);
  });

  it('moves only to prices at which its rest is at least the smallest order', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('50.1') } });
    bench.want(enterLong(TWO, { work }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '1.5', { price: '100' });
    bench.pass(5_000);

    expect(bench.engine.stopWatches()).toMatchObject([{ level: parseFixed('100.2') }]);
    expect(bench.sample('100.1')).toEqual([]);
    expect(bench.sample('100.2')).toEqual(['cancel test-1-0-0']);
    expect(bench.end('test-1-0-0')).toEqual(['test-1-1-0: limit buy open 0.5 base at 100.2 GTC']);
  });

  it('moves an exit no lower than the price at which its rest may be sold', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('99.8') } });
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '1', { price: '100' });
    bench.want(exit({ work }));
    bench.accept('test-2-0-0');
    bench.pass(5_000);

    expect(bench.sample('99.7')).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual(['test-2-1-0: limit sell close 1 base at 99.8 GTC']);
    bench.accept('test-2-1-0');
    bench.pass(5_000);
    expect(bench.sample('99.6')).toEqual([]);
    expect(bench.engine.stopWatches()).toEqual([]);
  });

  it('has one lifetime, however often it moves', () => {
    const bench = aBench(enterLong(TWO, { work, expireAfter: '8s' }));
    bench.accept('test-1-0-0');
    bench.pass(5_000);
    bench.sample('100.3');
    bench.end('test-1-0-0');
    bench.accept('test-1-1-0');

    expect(bench.pass(2_999)).toEqual([]);
    expect(bench.pass(1)).toEqual(['cancel test-1-1-0']);
    expect(bench.end('test-1-1-0')).toEqual([]);
  });
});

describe('a worked exit', () => {
  it.each<Work>([{ chase: { every: '5s', maxBps: '50' } }, { limitFor: '5min', then: 'market' }])(
    'continues if an equal exit is raised again (%j)',
    (work) => {
      const bench = aHolder('1');
      bench.want(exit({ work }));
      bench.accept('test-2-0-0');
      bench.pass(60_000);

      expect(bench.want(exit({ work }))).toEqual([]);
      expect(bench.want(exit({ limitPrice: '101' }))).toEqual(['cancel test-2-0-0']);
    },
  );
});

describe('an order in slices', () => {
  const work = { twap: { over: '10min', slices: 4 } } as const;
  const minutes = (count: number): number => count * 60_000;

  it('is sent in slices that add up to the whole, evenly over the time', () => {
    const bench = new OrderManagerBench();
    const sent = [...bench.want(enterLong({ quantity: '0.01' }, { work, label: 'slow' }))];
    for (const [slice, quantity] of ['0.002', '0.002', '0.003', '0.003'].entries()) {
      bench.fill(`test-1-${String(slice)}-0`, quantity);
      sent.push(...bench.pass(minutes(2.5)));
    }

    expect(sent).toEqual([
      'test-1-0-0: limit buy open 0.002 base at 105 GTC',
      'test-1-1-0: limit buy open 0.002 base at 105 GTC',
      'test-1-2-0: limit buy open 0.003 base at 105 GTC',
      'test-1-3-0: limit buy open 0.003 base at 105 GTC',
    ]);
    expect(bench.changes.every(({ label }) => label === 'slow')).toBe(true);
  });

  it('adds the unfilled quantity of a slice to the next slices', () => {
    const bench = aBench(enterLong({ quantity: '4' }, { work }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.4');
    bench.end('test-1-0-0');

    expect(bench.pass(minutes(2.5))).toEqual(['test-1-1-0: limit buy open 1.2 base at 105 GTC']);
  });

  it.each([
    ['in one life', (bench: OrderManagerBench) => bench],
    ['over a restart', (bench: OrderManagerBench) => bench.restart()],
  ])('ends with its lifetime, %s', (_, goOn) => {
    const terms = { work, expireAfter: '5min', label: 'slow' } as const;
    const before = new OrderManagerBench();
    before.want(enterLong({ quantity: '4' }, terms));
    before.fill('test-1-0-0', '1');
    const bench = goOn(before);

    const within = bench.pass(minutes(2.5));
    bench.fill('test-1-1-0', '1');
    const after = bench.pass(minutes(2.5));

    expect(within).toEqual(['test-1-1-0: limit buy open 1 base at 105 GTC']);
    expect([...after, ...bench.pass(minutes(5))]).toEqual([]);
    expect(bench.refusals).toEqual(['canceled']);
    expect(bench.waiting).toEqual([]);
  });

  it.each([
    ['a cancel', cancel({ intentId: 2 })],
    ['an exit of all', exit()],
  ])('leaves no timer behind when %s ends it', (_, ending) => {
    const bench = aHolder('1');
    bench.want(enterLong({ quantity: '4' }, { add: true, work }));
    bench.fill('test-2-0-0', '1');
    expect(bench.engine.nextTimer()).toBe(START + minutes(2.5));

    bench.want(ending);

    expect(bench.engine.nextTimer()).toBe(Infinity);
  });

  it('leaves no timer behind when its first slice is refused', () => {
    const bench = aBench(enterLong({ notional: '100000000' }, { work }));

    expect(bench.refusals).toEqual(['insufficient-balance']);
    expect(bench.engine.nextTimer()).toBe(Infinity);
  });

  it('spends an amount of money in slices', () => {
    const bench = new OrderManagerBench();

    const sent = bench.want(enterLong({ notional: '1000' }, { work }));
    bench.fill('test-1-0-0', '2.5', { price: '100' });

    expect([...sent, ...bench.pass(minutes(2.5))]).toEqual([
      'test-1-0-0: market buy open 250 quote',
      'test-1-1-0: market buy open 250 quote',
    ]);
  });

  it.each([
    ['test-1-1-0: market sell open 3 base', 100, '1'],
    // 1.5 of 2.5 are unsold, 150 at the price of 100. With the other 750, a third is 300.
    ['test-1-1-0: market sell open 3.75 base', 80, '1'],
  ])('adds the unsold amount of a short to the next slices: %s', (next, price, filled) => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
    });
    bench.candle(100);
    bench.want(enterShort({ notional: '1000' }, { work }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', filled, { price: '100' });
    bench.end('test-1-0-0');
    bench.candle(price);

    expect(bench.pass(minutes(2.5))).toEqual([next]);
  });

  it('is given up with a halt that cancels entries, and not continued after it', () => {
    const bench = aBench(enterLong({ quantity: '4' }, { work }));
    bench.fill('test-1-0-0', '1');
    const halt = { action: 'halt', onHalt: 'cancel', text: 'enough' } as const;
    bench.engine.process({ kind: 'operator', time: START, ...halt });
    bench.engine.process({ kind: 'operator', time: START, action: 'resume' });

    expect(bench.waiting).toEqual([]);
    expect(bench.refusals).toEqual(['canceled']);
    expect(bench.pass(minutes(10))).toEqual([]);
  });

  it('goes on to close a position through a halt that cancels entries', () => {
    const bench = aHolder('1');
    bench.want(exit({ work }));
    bench.fill('test-2-0-0', '0.25');
    const halt = { action: 'halt', onHalt: 'cancel', text: 'enough' } as const;
    bench.engine.process({ kind: 'operator', time: START, ...halt });

    expect(bench.pass(minutes(2.5))).toEqual(['test-2-1-0: market sell close 0.25 base']);
  });

  it('closes the whole position in slices', () => {
    const bench = aHolder('1');
    const sent = [...bench.want(exit({ work }))];
    for (let slice = 0; slice < 4; slice += 1) {
      bench.fill(`test-2-${String(slice)}-0`, '0.25');
      sent.push(...bench.pass(minutes(2.5)));
    }

    expect(sent).toEqual(
      [0, 1, 2, 3].map((slice) => `test-2-${String(slice)}-0: market sell close 0.25 base`),
    );
    expect(bench.held()).toBe('0');
  });

  it('is not delayed by an equal exit with every candle', () => {
    const bench = aHolder('1');
    bench.want(exit({ work }));
    bench.fill('test-2-0-0', '0.25');

    expect(bench.want(exit({ work }))).toEqual([]);
    expect(bench.pass(minutes(2.5))).toEqual(['test-2-1-0: market sell close 0.25 base']);
    bench.fill('test-2-1-0', '0.25');
    expect(bench.want(exit())).toEqual(['test-4-0-0: market sell close 0.5 base']);
    bench.fill('test-4-0-0', '0.5');
    expect(bench.pass(minutes(5))).toEqual([]);
  });

  it('buys back the whole short, with the fees in base added', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
      fees: { maker: '0.001', taker: '0.001', paidIn: 'received' },
    });
    bench.candle(100);
    bench.want(enterShort({ quantity: '40' }));
    bench.fill('test-1-0-0', '40', { price: '100' });
    const sent = [...bench.want(exit({ work }))];
    for (let slice = 0; slice < 3; slice += 1) {
      const fee = { price: '100', fee: '0.01', feeAsset: 'BTC' };
      bench.fill(`test-2-${String(slice)}-0`, '10', fee);
      sent.push(...bench.pass(minutes(2.5)));
    }

    expect(sent.at(-1)).toBe('test-2-3-0: limit buy close 10.041 base at 105 GTC');
  });

  it('sells a slice that is too small together with the next slice', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('50') } });
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '1', { price: '100' });
    const sent = [...bench.want(exit({ work }))];
    sent.push(...bench.pass(minutes(2.5)), ...bench.pass(minutes(2.5)));
    bench.fill('test-2-2-0', '0.5');
    sent.push(...bench.pass(minutes(2.5)));

    expect(sent).toEqual([
      'test-2-2-0: market sell close 0.5 base',
      'test-2-3-0: market sell close 0.5 base',
    ]);
  });

  it.each([
    ['while no event came', (bench: OrderManagerBench) => bench],
    ['over a restart', (bench: OrderManagerBench) => bench.restart()],
  ])('goes on at its distance after slices were missed, %s', (_, goOn) => {
    const before = aBench(enterLong({ quantity: '4' }, { work }));
    before.fill('test-1-0-0', '1');
    const bench = goOn(before);

    const back = bench.pass(minutes(9));
    bench.fill('test-1-1-0', '1');
    const early = bench.pass(minutes(2.4));
    const third = bench.pass(minutes(0.1));
    bench.fill('test-1-2-0', '1');

    expect(back).toEqual(['test-1-1-0: limit buy open 1 base at 105 GTC']);
    expect(early).toEqual([]);
    expect(third).toEqual(['test-1-2-0: limit buy open 1 base at 105 GTC']);
    expect(bench.pass(minutes(2.5))).toEqual(['test-1-3-0: limit buy open 1 base at 105 GTC']);
  });

  it('keeps its times after a slice that is late by less than the distance', () => {
    const bench = aHolder('1');
    bench.want(exit({ work }));
    bench.fill('test-2-0-0', '0.25');

    const late = bench.pass(minutes(4));
    bench.fill('test-2-1-0', '0.25');

    expect(late).toEqual(['test-2-1-0: market sell close 0.25 base']);
    expect(bench.pass(minutes(1))).toEqual(['test-2-2-0: market sell close 0.25 base']);
  });

  it('does not start if the first slice of an entry is refused', () => {
    const bench = new OrderManagerBench();
    const operator = (action: 'reduce-only' | 'resume'): void => {
      bench.engine.process({ kind: 'operator', time: bench.engine.now(), action });
    };
    bench.candle(100);
    operator('reduce-only');
    const sent = bench.want(enterLong({ quantity: '4' }, { work }));
    const { waiting } = bench;
    operator('resume');

    expect([...sent, ...bench.pass(minutes(10))]).toEqual([]);
    expect(waiting).toEqual([]);
    expect(bench.want(enterLong({ quantity: '2' }))).toEqual([
      'test-2-0-0: limit buy open 2 base at 105 GTC',
    ]);
  });

  it('yields to an entry on the other side before it holds a position', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
      positionMode: 'oneWay',
      rules: { minOrderQuantity: parseFixed('2') },
    });
    bench.candle(100);

    expect(bench.want(enterLong({ quantity: '4' }, { work }))).toEqual([]);
    expect(bench.want(enterShort({ quantity: '3' }))).toEqual([
      'test-2-0-0: limit sell open 3 contracts at 95 IOC',
    ]);
    expect(bench.waiting).toEqual([]);
    expect(bench.pass(minutes(10))).toEqual([]);
  });

  it('counts as an entry between its slices, and ends with its cancel', () => {
    const bench = aBench(enterLong({ quantity: '4' }, { work }));
    bench.fill('test-1-0-0', '1');

    expect(bench.want(enterLong(TWO))).toEqual([]);
    expect(bench.waiting).toMatchObject([{ intentId: 1, intent: { kind: 'enter' } }]);
    bench.want(cancel({ intentId: 1 }));
    expect(bench.waiting).toEqual([]);
    expect(bench.pass(minutes(10))).toEqual([]);
    expect(bench.held()).toBe('1');
  });

  it('ends when the whole position is closed', () => {
    const bench = aBench(enterLong({ quantity: '4' }, { work }));
    bench.fill('test-1-0-0', '1');

    expect(bench.want(exit())).toEqual(['test-2-0-0: market sell close 1 base']);
    bench.fill('test-2-0-0', '1');
    expect(bench.pass(minutes(10))).toEqual([]);
  });

  it('sends whole contracts', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    bench.candle(100);
    const sent = [...bench.want(enterLong({ quantity: '10' }, { work }))];
    for (const quantity of ['2', '2', '3']) {
      bench.fill(`test-1-${String(sent.length - 1)}-0`, quantity, { price: '100' });
      sent.push(...bench.pass(minutes(2.5)));
    }

    expect(sent.map((line) => line.split(' ').slice(4, 6).join(' '))).toEqual([
      '2 contracts',
      '2 contracts',
      '3 contracts',
      '3 contracts',
    ]);
  });
});

describe('the form of worked orders', () => {
  const worked = (work: unknown, terms: EntryTerms = {}): OrderIntent =>
    enterLong(TWO, { ...terms, work: work as Work });

  it.each<[OrderIntent, string]>([
    [worked('fast'), 'work: expected one of limitFor, chase and twap, received "fast"'],
    [worked({}), 'work: expected one of limitFor, chase and twap, received "none of them"'],
    [worked({ limitFor: '30s', then: 'wait' }), 'work.then: expected market, received "wait"'],
    [
      worked({ limitFor: 30, then: 'market' }),
      'work.limitFor: expected a duration above 0 such as 90s, 15min, 3h or 2d, received 30',
    ],
    [
      worked({ chase: { every: '5s', maxBps: '0' } }),
      'work.chase.maxBps: expected basis points above 0 and below 10000, received "0"',
    ],
    [
      worked({ chase: { evry: '5s', maxBps: '5' } }),
      'work.chase: expected only every and maxBps, received "evry"',
    ],
    [
      worked({ chase: { every: '5s', maxBps: '5' } }, { limitPrice: '99' }),
      'limitPrice: expected none beside work: chase follows last, received "99"',
    ],
    [
      worked({ twap: { over: '10min', slices: 1 } }),
      'work.twap.slices: expected a whole number from 2 to 1000, received 1',
    ],
    [
      enterLong({ equity: '0.5' }, { work: { twap: { over: '10min', slices: 5 } } }),
      'size: expected quantity or notional beside twap, received {"equity":"0.5"}',
    ],
    [
      worked({ limitFor: '30s', then: 'market' }, { limitPrice: '99', timeInForce: 'IOC' }),
      'timeInForce: expected GTC or POST_ONLY beside work, received "IOC"',
    ],
  ])('is refused as %j', (intent, text) => {
    const bench = aBench(intent);

    expect(bench.verdicts.map(({ decision }) => decision)).toMatchObject([
      { refusal: { check: 'invalid-term', text } },
    ]);
  });
});
