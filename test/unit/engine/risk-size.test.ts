import { describe, expect, it } from 'vitest';

import { decimal, type EnterIntent, type Protection } from '../../../src/domain/index.js';
import { plainIntent } from '../../../src/engine/index.js';
import { enterLong, enterShort, replace, type EntryTerms } from '../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../support/engine/order-manager-bench.js';
import { LINEAR, MARGIN } from '../../support/risk/builders.js';

/** 1 % of 10,000 USDT: an entry at 100 risks 100 USDT. */
const RISK = { risk: '0.01' } as const;

const byRisk = (protection: Protection, terms: EntryTerms = {}): EnterIntent =>
  enterLong(RISK, { ...terms, protection });

function sent(intent: EnterIntent): readonly string[] {
  return new OrderManagerBench().want(intent);
}

/** Buys 1 BTC at 100, then adds at `price`. Returns the orders and refusals of the addition. */
function added(
  terms: EntryTerms,
  { price = 120, guard = {} }: { price?: number; guard?: Protection } = {},
): string[] {
  const bench = aHolder({}, { protection: guard });
  bench.candle(price);
  const orders = bench.want(enterLong({ risk: '0.001' }, { add: true, ...terms }));
  return [...orders, ...bench.refusals];
}

describe('an entry by risk', () => {
  it.each<[string, Protection, string]>([
    ['a price', { stopLoss: { price: '98' } }, '50'],
    ['a ratio of its entry', { stopLoss: { ratio: '0.04' } }, '25'],
    ['a distance', { stopLoss: { distance: '5' } }, '20'],
    ['a trailing ratio', { trailingStop: { ratio: '0.04' } }, '25'],
    ['a trailing distance', { trailingStop: { distance: '5' } }, '20'],
    [
      'a stop nearer than the trailing one',
      { stopLoss: { price: '98' }, trailingStop: { distance: '5' } },
      '50',
    ],
    [
      'a trailing stop nearer than the other',
      { stopLoss: { price: '90' }, trailingStop: { distance: '5' } },
      '20',
    ],
  ])('is sized by a stop at %s', (_, protection, quantity) => {
    expect(sent(byRisk(protection))).toEqual([
      `test-1-0-0: limit buy open ${quantity} base at 105 GTC`,
    ]);
  });

  it('measures a ratio from its limit price', () => {
    // 4 % of 95 is 3.8; 100 ÷ 3.8 = 26.3157…
    expect(sent(byRisk({ stopLoss: { ratio: '0.04' } }, { limitPrice: '95' }))).toEqual([
      'test-1-0-0: limit buy open 26.315 base at 95 GTC',
    ]);
  });

  it.each<[string, Protection | undefined]>([
    ['nothing', undefined],
    ['an empty protection', {}],
    ['a target alone', { takeProfit: { price: '120' } }],
  ])('is refused with %s instead of a stop', (_, protection) => {
    const bench = new OrderManagerBench();

    expect(bench.want(enterLong(RISK, protection && { protection }))).toEqual([]);
    expect(bench.refusals).toEqual(['no-stop']);
  });

  it('is refused for an invalid stop before it is sized', () => {
    const bench = new OrderManagerBench();

    bench.want(byRisk({ stopLoss: { price: '101' } }));
    bench.want(byRisk({ trailingStop: { price: '98' } }));

    expect(bench.refusals).toEqual(['invalid-protection', 'invalid-protection']);
  });

  it('is refused if its trailing stop has no price above 0', () => {
    const bench = new OrderManagerBench();

    bench.want(byRisk({ trailingStop: { distance: '100' } }));

    expect(bench.refusals).toEqual(['invalid-protection']);
  });

  it('is not sized again when its order is replaced', () => {
    const bench = new OrderManagerBench();
    bench.want(byRisk({ stopLoss: { price: '90' } }, { limitPrice: '95', label: 'in' }));

    bench.want(replace({ label: 'in' }, { limitPrice: '94' }));

    expect(bench.end('test-1-0-0')).toEqual(['test-2-0-0: limit buy open 20 base at 94 GTC']);
  });

  it('is written to the journal in its original terms', () => {
    const intent = enterLong(
      { risk: decimal('0.01') },
      { protection: { stopLoss: { ratio: '0.1' } } },
    );

    expect(plainIntent(intent)).toEqual({
      kind: 'enter',
      direction: 'long',
      size: { risk: '0.01' },
      protection: { stopLoss: { ratio: '0.1' } },
    });
  });
});

describe('an entry by risk on another product', () => {
  it('sells contracts short', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });

    // A contract of 0.001 BTC loses 0.002.
    expect(
      bench.want(enterShort({ risk: '0.001' }, { protection: { stopLoss: { ratio: '0.02' } } })),
    ).toEqual(['test-1-0-0: limit sell open 5000 contracts at 95 IOC']);
  });

  it('is sized after the other side is closed if it is a flip', () => {
    const bench = aHolder({ instruments: [{ instrument: MARGIN, intervals: ['1min'] }] });

    const first = bench.want(enterShort(RISK, { protection: { stopLoss: { distance: '2' } } }));
    const then = bench.fill('test-3-0-0', '1', { price: '110' });

    expect(first).toEqual(['test-3-0-0: market sell close 1 base']);
    // The closed side earned 10: 1 % of 10,010 is 100.1, and each unit loses 2.
    expect(then).toEqual(['test-2-0-0: limit sell open 50.05 base at 95 GTC']);
  });
});

describe('an additional entry by risk', () => {
  // Equity is 10,020, and a thousandth of it is 10.02.

  it('risks its own share, whatever the position loses', () => {
    expect(added({ protection: { stopLoss: { price: '118' } } })).toEqual([
      'test-2-0-0: limit buy open 5.01 base at 126 GTC',
    ]);
  });

  it('measures a ratio from the average price of the position if that is farther', () => {
    // 2 % below 100, not below 120: the final stop will be between 98 and 117.6.
    expect(added({ protection: { stopLoss: { ratio: '0.02' } } })).toEqual([
      'test-2-0-0: limit buy open 0.455 base at 126 GTC',
    ]);
    // 2 % below 95, not below 100; equity is 9,995.
    expect(added({ protection: { stopLoss: { ratio: '0.02' } } }, { price: 95 })).toEqual([
      'test-2-0-0: limit buy open 5.26 base at 99.75 GTC',
    ]);
  });

  it('uses the stop of the position if it has none', () => {
    expect(added({}, { guard: { stopLoss: { price: '90' } } })).toEqual([
      'test-2-0-0: limit buy open 0.334 base at 126 GTC',
    ]);
    expect(added({})).toEqual(['no-stop']);
  });

  it('is refused if its protection removes the stop of the position', () => {
    const terms = { protection: { takeProfit: { price: '150' } } };

    expect(added(terms, { guard: { stopLoss: { price: '90' } } })).toEqual(['no-stop']);
  });

  it('is refused if its limit is beyond the stop of the position', () => {
    expect(added({ limitPrice: '89' }, { guard: { stopLoss: { price: '90' } } })).toEqual([
      'no-stop',
    ]);
  });
});
