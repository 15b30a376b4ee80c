import { describe, expect, it } from 'vitest';

import { parseFixed, type EnterIntent } from '../../../../src/domain/index.js';
import { cancel, enterLong, enterShort, exit, protect } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import type { EngineSetup } from '../../../support/engine/engine.js';
import { LINEAR } from '../../../support/risk/builders.js';

const AT_95_AND_110 = { stopLoss: { price: '95' }, takeProfit: { price: '110' } } as const;
const AT_90_AND_120 = { stopLoss: { price: '90' }, takeProfit: { price: '120' } } as const;

const entry = (quantity: string, terms: object): EnterIntent =>
  enterLong({ quantity }, { add: true, limitPrice: '100', ...terms });

/** Two entries of 1 and 2 at 100, each with its own bracket, whose take-profits rest as `test-3-0-0` and `test-4-0-0`. */
function twoEntries(setup: EngineSetup = {}): OrderManagerBench {
  const bench = new OrderManagerBench(setup);
  bench.want(
    entry('1', { bracket: AT_95_AND_110, label: 'first' }),
    entry('2', { bracket: AT_90_AND_120, label: 'second' }),
  );
  bench.fill('test-1-0-0', '1');
  bench.fill('test-2-0-0', '2');
  for (const id of ['test-3-0-0', 'test-4-0-0']) bench.accept(id);
  return bench;
}

describe('a bracket', () => {
  it('guards the filled part of its entry', () => {
    const bench = new OrderManagerBench();
    bench.want(entry('3', { bracket: AT_95_AND_110 }));

    const first = bench.fill('test-1-0-0', '1');
    const more = bench.fill('test-1-0-0', '2');
    const then = bench.end('test-2-0-0');

    expect(first).toEqual(['test-2-0-0: limit sell close 1 base at 110 GTC']);
    expect(more).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual(['test-3-0-0: limit sell close 3 base at 110 GTC']);
  });

  it('offers its take-profit below an own bid, as a position does', () => {
    const bench = new OrderManagerBench();
    bench.want(
      entry('1', { bracket: { stopLoss: { price: '90' }, takeProfit: { price: '105' } } }),
      entry('1', { limitPrice: '108' }),
    );

    expect(bench.fill('test-1-0-0', '1')).toEqual([
      'test-3-0-0: limit sell close 1 base at 105 GTC',
    ]);
    expect(bench.refusals).toEqual([]);
  });

  it('works beside the brackets of other entries', () => {
    const bench = twoEntries();

    expect(bench.working).toEqual(['test-3-0-0 open', 'test-4-0-0 open']);
    expect(bench.engine.stopWatches().map(({ level }) => level)).toEqual([95n * 10n ** 18n]);
  });

  it('measures ratios from the average price of its own entry', () => {
    const bench = new OrderManagerBench();
    const bracket = { takeProfit: { ratio: '0.1' } } as const;
    bench.want(entry('1', { bracket }), entry('2', { bracket, limitPrice: '80' }));

    expect(bench.fill('test-1-0-0', '1')).toEqual([
      'test-3-0-0: limit sell close 1 base at 110 GTC',
    ]);
    bench.fill('test-2-0-0', '1', { price: '80' });
    bench.fill('test-2-0-0', '1', { price: '70' });
    expect(bench.end('test-4-0-0')).toEqual(['test-5-0-0: limit sell close 2 base at 82.5 GTC']);
  });

  it('guards only the quantity that a fee in base has left of its entry', () => {
    const bench = new OrderManagerBench();
    bench.want(entry('1', { bracket: AT_95_AND_110 }));

    expect(bench.fill('test-1-0-0', '1', { fee: '0.001', feeAsset: 'BTC' })).toEqual([
      'test-2-0-0: limit sell close 0.999 base at 110 GTC',
    ]);
  });

  it('sells only its own quantity when its stop fires, after its take-profit has ended', () => {
    const bench = twoEntries();

    const fired = bench.sample('95');
    const then = bench.end('test-3-0-0');
    bench.fill('test-5-0-0', '1', { price: '94' });

    expect(fired).toEqual(['cancel test-3-0-0']);
    expect(then).toEqual([expect.stringMatching(/^test-5-0-0: .* sell close 1 base/)]);
    expect(bench.held()).toBe('2');
    expect(bench.working).toEqual(['test-4-0-0 open']);
    expect(bench.engine.stopWatches().map(({ level }) => level)).toEqual([90n * 10n ** 18n]);
  });

  it('sells the unfilled part of a take-profit that fills during its cancel', () => {
    const bench = twoEntries();
    bench.sample('95');
    bench.fill('test-3-0-0', '0.4', { isFilled: false });

    expect(bench.end('test-3-0-0')).toEqual([
      expect.stringMatching(/^test-5-0-0: .* sell close 0.6 base/),
    ]);
  });

  it('ends when its take-profit is filled', () => {
    const bench = twoEntries();

    bench.fill('test-3-0-0', '1');

    expect(bench.sample('94')).toEqual([]);
    expect(bench.working).toEqual(['test-4-0-0 open']);
  });

  it('fires each stop separately if last passes several stops', () => {
    const bench = twoEntries();

    expect(bench.sample('80')).toEqual(['cancel test-3-0-0', 'cancel test-4-0-0']);
    expect(bench.end('test-4-0-0')).toEqual([
      expect.stringMatching(/^test-5-0-0: .* sell close 2 base/),
    ]);
    expect(bench.end('test-3-0-0')).toEqual([
      expect.stringMatching(/^test-6-0-0: .* sell close 1 base/),
    ]);
  });

  it('marks its orders with the label of its entry and their cause', () => {
    const bench = twoEntries();
    bench.fill('test-3-0-0', '1');
    bench.sample('90');
    bench.end('test-4-0-0');

    const said = [...bench.engine.orders].map(({ label, cause }) => [label, cause]);

    expect(said).toEqual([
      ['first', 'signal'],
      ['second', 'signal'],
      ['first', 'take-profit'],
      ['second', 'take-profit'],
      ['second', 'stop-loss'],
    ]);
  });

  it('cancels the rest of its entry when its stop fires, and guards later fills', () => {
    const bench = new OrderManagerBench();
    bench.want(entry('3', { bracket: { stopLoss: { price: '95' } } }));
    bench.fill('test-1-0-0', '1');

    const fired = bench.sample('95');
    bench.fill('test-1-0-0', '1');
    bench.fill('test-2-0-0', '1');
    bench.end('test-1-0-0');

    expect(fired).toEqual([
      'cancel test-1-0-0',
      expect.stringMatching(/^test-2-0-0: .* sell close 1 base/),
    ]);
    expect(bench.held()).toBe('1');
    expect(bench.sample('95')).toEqual([
      expect.stringMatching(/^test-3-0-0: .* sell close 1 base/),
    ]);
  });

  it('is not affected by a cancel of its entry', () => {
    const bench = twoEntries();

    expect(bench.want(cancel({ label: 'first' }), cancel({ intentId: 1 }))).toEqual([]);
  });

  it('guards a short', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    const bracket = { stopLoss: { price: '105' }, takeProfit: { price: '90' } } as const;
    bench.want(enterShort({ quantity: '5' }, { bracket, limitPrice: '100' }));

    expect(bench.fill('test-1-0-0', '5')).toEqual([
      'test-2-0-0: limit buy close 5 contracts at 90 GTC',
    ]);
    expect(bench.sample('105')).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual([
      expect.stringMatching(/^test-3-0-0: .* buy close 5 contracts/),
    ]);
  });

  it('tries a stop that sold nothing again with the next candle', () => {
    const bench = new OrderManagerBench();
    bench.want(entry('1', { bracket: { stopLoss: { price: '95' } } }));
    bench.fill('test-1-0-0', '1');
    bench.sample('95');
    bench.end('test-2-0-0', 'rejected');

    expect(bench.sample('94')).toEqual([]);
    bench.candle(94);
    expect(bench.sample('94')).toEqual([
      expect.stringMatching(/^test-3-0-0: .* sell close 1 base/),
    ]);
  });

  it('repeats a refused cancel that its stop waits for', () => {
    const bench = twoEntries();
    bench.sample('95');
    bench.refuseCancel('test-3-0-0');

    expect(bench.candle(95)).toEqual(['cancel test-3-0-0']);
  });

  it('does not send a take-profit again that the venue rejected', () => {
    const bench = new OrderManagerBench();
    bench.want(entry('1', { bracket: AT_95_AND_110 }));
    bench.fill('test-1-0-0', '1');

    expect(bench.end('test-2-0-0', 'rejected')).toEqual([]);
    expect(bench.sample('95')).toEqual([
      expect.stringMatching(/^test-3-0-0: .* sell close 1 base/),
    ]);
  });

  it('also guards the fills of an order that replaces its entry', () => {
    const bench = new OrderManagerBench();
    bench.want(entry('2', { bracket: { takeProfit: { ratio: '0.1' } }, label: 'bid' }));
    const first = bench.fill('test-1-0-0', '1');
    bench.want({ kind: 'replace', target: { label: 'bid' }, limitPrice: '98', quantity: '4' });
    bench.end('test-1-0-0');
    bench.fill('test-3-0-0', '3');

    expect(first).toEqual(['test-2-0-0: limit sell close 1 base at 110 GTC']);
    // (100 + 3 × 98) ÷ 4 × 1.1
    expect(bench.end('test-2-0-0')).toEqual(['test-4-0-0: limit sell close 4 base at 108.35 GTC']);
  });
});

describe('exits beside brackets', () => {
  it('end all brackets if they close the whole position', () => {
    const bench = twoEntries();

    const wanted = bench.want(exit());
    bench.end('test-3-0-0');
    const then = bench.end('test-4-0-0');
    bench.fill('test-5-0-0', '3');

    expect(wanted).toEqual(['cancel test-3-0-0', 'cancel test-4-0-0']);
    expect(then).toEqual([expect.stringMatching(/^test-5-0-0: .* sell close 3 base/)]);
    expect(bench.engine.watchesLast).toBe(false);
    expect(bench.working).toEqual([]);
  });

  it('reduce the oldest bracket first once they have filled', () => {
    const bench = twoEntries();

    const wanted = bench.want(exit({ size: { quantity: '1.5' } }));
    bench.end('test-3-0-0');
    const sent = bench.end('test-4-0-0');
    const then = bench.fill('test-5-0-0', '1.5');

    expect(wanted).toEqual(['cancel test-3-0-0', 'cancel test-4-0-0']);
    expect(sent).toEqual([expect.stringMatching(/^test-5-0-0: .* sell close 1.5 base/)]);
    expect(then).toEqual(['test-6-0-0: limit sell close 1.5 base at 120 GTC']);
    expect(bench.sample('95')).toEqual([]);
  });

  it('cancel only as many take-profits as they need', () => {
    const bench = twoEntries();

    expect(bench.want(exit({ size: { quantity: '0.5' }, limitPrice: '130' }))).toEqual([
      'cancel test-3-0-0',
    ]);
    expect(bench.end('test-3-0-0')).toEqual([
      'test-5-0-0: limit sell close 0.5 base at 130 GTC',
      'test-6-0-0: limit sell close 0.5 base at 110 GTC',
    ]);
  });

  it('are canceled by a stop that sells their quantity', () => {
    const bench = twoEntries();
    bench.want(exit({ size: { quantity: '1' }, limitPrice: '130' }));
    bench.end('test-3-0-0');

    expect(bench.sample('95')).toEqual(['cancel test-5-0-0']);
    expect(bench.end('test-5-0-0')).toEqual([
      expect.stringMatching(/^test-6-0-0: .* sell close 1 base/),
    ]);
  });

  it('reduce other brackets while a stop sells the oldest one', () => {
    const bench = new OrderManagerBench();
    bench.want(
      entry('1', { bracket: { stopLoss: { price: '95' } } }),
      entry('2', { bracket: { stopLoss: { price: '90' } } }),
    );
    bench.fill('test-1-0-0', '1');
    bench.fill('test-2-0-0', '2');
    bench.want(exit({ size: { quantity: '0.5' } }));
    bench.sample('95');
    bench.fill('test-3-0-0', '0.5');

    expect(bench.engine.checkpoint().sides[0]?.brackets).toMatchObject([
      { intentId: 1, state: 'stopping', quantity: 10n ** 18n },
      { intentId: 2, state: 'guarding', quantity: 15n * 10n ** 17n },
    ]);
  });

  it('reduce a take-profit that rests for more than its bracket guards', () => {
    const bench = twoEntries();
    bench.want(enterLong({ quantity: '1' }, { add: true, limitPrice: '100' }));
    bench.fill('test-5-0-0', '1');
    bench.want(exit({ size: { quantity: '0.5' } }));

    expect(bench.fill('test-6-0-0', '0.5')).toEqual(['cancel test-3-0-0']);
    expect(bench.end('test-3-0-0')).toEqual(['test-7-0-0: limit sell close 0.5 base at 110 GTC']);
  });
});

describe('a protected position beside brackets', () => {
  it('has a take-profit only for the quantity that no bracket guards', () => {
    const bench = new OrderManagerBench();
    bench.want(
      entry('1', { protection: AT_90_AND_120, label: 'plain' }),
      entry('2', { bracket: AT_95_AND_110 }),
    );
    bench.fill('test-1-0-0', '1');
    const both = bench.fill('test-2-0-0', '2');
    bench.fill('test-3-0-0', '1');

    expect(both).toEqual(['test-4-0-0: limit sell close 2 base at 110 GTC']);
    expect(bench.held()).toBe('2');
    expect(bench.working).toEqual(['test-4-0-0 submitting']);
  });

  it('is closed as a whole by its stop', () => {
    const bench = twoEntries();
    bench.want(protect({ stopLoss: { price: '97' } }));

    const fired = bench.sample('94');
    bench.end('test-3-0-0');
    const then = bench.end('test-4-0-0');

    expect(fired).toEqual(['cancel test-3-0-0', 'cancel test-4-0-0']);
    expect(then).toEqual([expect.stringMatching(/ sell close 3 base/)]);
  });
});

describe('a liquidation', () => {
  it('reduces the oldest bracket first', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    const bracket = (price: string): object => ({ bracket: { takeProfit: { price } } });
    bench.want(entry('2', bracket('110')), entry('3', bracket('120')));
    bench.fill('test-1-0-0', '2');
    bench.fill('test-2-0-0', '3');
    for (const id of ['test-3-0-0', 'test-4-0-0']) bench.accept(id);

    expect(bench.force('long', '3')).toEqual(['cancel test-3-0-0', 'cancel test-4-0-0']);
    expect(bench.end('test-4-0-0')).toEqual([]);
    expect(bench.end('test-3-0-0')).toEqual([
      'test-5-0-0: limit sell close 2 contracts at 120 GTC',
    ]);
  });
});

describe('a bracket that is too small to be sold', () => {
  /** Holds 1 without a bracket, and 0.03 with one. The 0.03 are worth 3 USDT, but an order must be worth 10. */
  function aCrumb(): OrderManagerBench {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('10') } });
    bench.want(entry('1', {}), entry('1', { bracket: AT_95_AND_110 }));
    bench.fill('test-1-0-0', '1');
    bench.fill('test-2-0-0', '0.03');
    bench.end('test-2-0-0');
    return bench;
  }

  it('is refused once, and its stop is not tried', () => {
    const bench = aCrumb();

    const sent = Array.from({ length: 10 }, () => [bench.sample('90'), bench.candle(90)]);

    expect(sent.flat(2)).toEqual([]);
    expect(bench.refusals).toEqual(['min-order-money']);
  });

  it('is guarded once the price makes it large enough', () => {
    const bench = aCrumb();
    bench.candle(400);

    expect(bench.engine.stopWatches()).toHaveLength(1);
  });

  it('is guarded once more of its entry has filled', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('10') } });
    bench.want(entry('1', {}), entry('1', { bracket: AT_95_AND_110 }));
    bench.fill('test-1-0-0', '1');
    bench.fill('test-2-0-0', '0.03');

    expect(bench.fill('test-2-0-0', '0.97')).toEqual([
      'test-4-0-0: limit sell close 1 base at 110 GTC',
    ]);
  });

  it('ends below one step', () => {
    const bench = new OrderManagerBench();
    bench.want(entry('1', {}), entry('1', { bracket: AT_95_AND_110 }));
    bench.fill('test-1-0-0', '1');
    bench.fill('test-2-0-0', '1', { fee: '0.0015', feeAsset: 'BTC' });
    bench.fill('test-3-0-0', '0.998');

    expect(bench.held()).toBe('1.0005');
    expect(bench.engine.watchesLast).toBe(false);
  });
});

describe('a size by risk', () => {
  it('uses the stop of the bracket, measured from the price of this entry', () => {
    const bench = new OrderManagerBench();
    const bracket = { stopLoss: { distance: '2' } } as const;

    // The risk is a thousandth of 10,000, and each unit loses 2.
    expect(bench.want(enterLong({ risk: '0.001' }, { bracket, limitPrice: '100' }))).toEqual([
      'test-1-0-0: limit buy open 5 base at 100 GTC',
    ]);
  });
});

describe('the unsold part of a stop', () => {
  it('is sold with the next sample', () => {
    const bench = twoEntries();
    bench.sample('95');
    bench.end('test-3-0-0');
    bench.fill('test-5-0-0', '0.4', { isFilled: false });

    const left = bench.end('test-5-0-0');
    const then = bench.sample('95');

    expect(left).toEqual(['test-6-0-0: limit sell close 0.6 base at 110 GTC']);
    expect(then).toEqual(['cancel test-6-0-0']);
  });

  it('is sold with the next candle if remainders are sent again', () => {
    const bench = twoEntries({ remainder: 'resend' });
    bench.sample('95');
    bench.end('test-3-0-0');
    bench.fill('test-5-0-0', '0.4', { isFilled: false });

    const left = bench.end('test-5-0-0');

    expect(left).toEqual([]);
    expect(bench.candle(99)).toEqual([
      expect.stringMatching(/^test-6-0-0: .* sell close 0.6 base/),
    ]);
  });
});

describe('invalid terms of a bracket', () => {
  const refusalOf = (terms: object): string | undefined => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ quantity: '1' }, terms));
    const decision = bench.verdicts.at(-1)?.decision;
    return decision?.kind === 'refused' ? decision.refusal.text : undefined;
  };

  it.each([
    [
      { bracket: AT_95_AND_110, protection: AT_95_AND_110 },
      /^bracket: expected no protection beside it, received \{"stopLoss"/,
    ],
    [
      { bracket: { trailingStop: { ratio: '0.01' } } },
      /^bracket.trailingStop: expected none: a trailing stop guards the whole position, by protection, received/,
    ],
    [
      { bracket: { stoploss: { price: '95' } } },
      /^bracket has no key "stoploss": did you mean "stopLoss"/,
    ],
    [{ bracket: '95' }, /^bracket: expected \{ stopLoss, takeProfit \}, received "95"/],
    [{ bracket: { stopLoss: { price: '101' } } }, /^stopLoss: expected a price below 100/],
    [{ bracket: { takeProfit: { price: '99' } } }, /^takeProfit: expected a price above 100/],
    [
      { bracket: { stopLoss: { ratio: 'x' } } },
      /^stopLoss: expected a ratio in decimal text such as "0.02", received \{"ratio":"x"\}$/,
    ],
  ])('are refused: %j', (terms, text) => {
    expect(refusalOf(terms)).toMatch(text);
  });
});

describe('a restarted bot', () => {
  it('keeps its brackets', () => {
    const before = twoEntries();
    const bench = new OrderManagerBench({ checkpoint: before.engine.checkpoint() });

    expect(bench.sample('95')).toEqual(['cancel test-3-0-0']);
    expect(bench.end('test-3-0-0')).toEqual([
      expect.stringMatching(/^test-5-0-0: .* sell close 1 base/),
    ]);
    expect(before.engine.checkpoint().sides[0]?.brackets).toMatchObject([
      { intentId: 1, state: 'guarding', quantity: 10n ** 18n },
      { intentId: 2, state: 'guarding', quantity: 2n * 10n ** 18n },
    ]);
  });
});
