import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../../src/domain/index.js';
import {
  cancel,
  enterLong,
  exit,
  flatten,
  protect,
  replace,
} from '../../../../src/strategy/index.js';
import { failureOf } from '../../../support/failure.js';
import { SPOT } from '../../../support/risk/builders.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { aSpot } from '../../../support/engine/engine.js';

const ONE = { quantity: '1' };

describe('an entry', () => {
  it('is sent as LIMIT at the band, and its rest is canceled once it is accepted', () => {
    const bench = new OrderManagerBench();

    const sent = bench.want(enterLong(ONE));
    const afterAcceptance = bench.accept('test-1-0-0');

    // 100 × 1.05
    expect(sent).toEqual(['test-1-0-0: limit buy open 1 base at 105 GTC']);
    expect(afterAcceptance).toEqual(['cancel test-1-0-0']);
  });

  it('ends if it fills at once', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE));

    const after = bench.fill('test-1-0-0', '1', { price: '100' });

    expect(after).toEqual([]);
    expect(bench.status('test-1-0-0')).toBe('filled');
    expect(bench.free('USDT')).toBe('9900');
  });

  it('is sent as MARKET if its size is money, and the venue ends its rest', () => {
    const bench = new OrderManagerBench();

    const sent = bench.want(enterLong({ notional: '1000' }));
    const after = [
      bench.accept('test-1-0-0'),
      bench.fill('test-1-0-0', '4'),
      bench.end('test-1-0-0'),
    ];

    expect(sent).toEqual(['test-1-0-0: market buy open 1000 quote']);
    expect(after).toEqual([[], [], []]);
    // 10,000 − 4 × 100
    expect(bench.free('USDT')).toBe('9600');
  });

  it('rests if it has a limit price', () => {
    const bench = new OrderManagerBench();

    const sent = bench.want(enterLong(ONE, { limitPrice: '90' }));
    const afterAcceptance = bench.accept('test-1-0-0');

    expect(sent).toEqual(['test-1-0-0: limit buy open 1 base at 90 GTC']);
    expect(afterAcceptance).toEqual([]);
    expect(bench.working).toEqual(['test-1-0-0 open']);
    expect(bench.free('USDT')).toBe('9910');
  });

  it('does nothing while an entry works, or while a position is held', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));

    const whileWorking = bench.want(enterLong(ONE));
    bench.fill('test-1-0-0', '1');
    const whileHeld = bench.want(enterLong(ONE));

    expect([whileWorking, whileHeld]).toEqual([[], []]);
    expect(bench.verdicts).toHaveLength(1);
  });

  it('is sent if the entry before it was rejected', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE));
    bench.end('test-1-0-0', 'rejected');

    const sent = bench.want(enterLong(ONE));

    expect(sent).toEqual(['test-2-0-0: limit buy open 1 base at 105 GTC']);
    expect(bench.free('USDT')).toBe('9895');
  });

  it('adds to a position if it has the term add', () => {
    const bench = aHolder();

    const sent = bench.want(enterLong({ quantity: '2' }, { add: true }));
    bench.fill('test-2-0-0', '2', { price: '106' });

    expect(sent).toEqual(['test-2-0-0: limit buy open 2 base at 105 GTC']);
    expect(bench.held()).toBe('3');
  });

  it('does not add to a position that is being closed', () => {
    const bench = aHolder({}, { protection: { stopLoss: { price: '90' } } });
    bench.sample('90');

    const sent = bench.want(enterLong(ONE, { add: true, limitPrice: '80' }));

    expect(sent).toEqual([]);
    expect(bench.verdict).toBe('leaving-position');
  });

  it('is refused with an invalid protection', () => {
    const bench = new OrderManagerBench();

    const sent = bench.want(enterLong(ONE, { protection: { stopLoss: { ratio: '1.5' } } }));

    expect(sent).toEqual([]);
    expect(bench.verdict).toBe('invalid-protection');
  });

  it.each([0, -5, Number.NaN])('is refused with a lifetime of %s ms', (goodForMs) => {
    const bench = new OrderManagerBench();

    const sent = bench.want(enterLong(ONE, { limitPrice: '90', goodForMs }));

    expect(sent).toEqual([]);
    expect(bench.verdict).toBe('invalid-good-for');
  });

  it('is canceled at the end of its lifetime', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90', goodForMs: 5_000 }));
    bench.accept('test-1-0-0');

    const before = bench.pass(4_999);
    const then = bench.pass(1);
    const end = bench.end('test-1-0-0');

    expect([before, then, end]).toEqual([[], ['cancel test-1-0-0'], []]);
    expect(bench.engine.nextTimer()).toBe(Infinity);
  });

  it('leaves no timer if it ends before its lifetime', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90', goodForMs: 5_000 }));

    bench.fill('test-1-0-0', '1');

    expect(bench.engine.nextTimer()).toBe(Infinity);
  });
});

describe('an exit', () => {
  it('does nothing without a position and without working orders', () => {
    const bench = new OrderManagerBench();

    expect(bench.want(exit())).toEqual([]);
    expect(bench.verdicts).toEqual([]);
  });

  it('is sent as MARKET in quantity', () => {
    const bench = aHolder();

    expect(bench.want(exit())).toEqual(['test-2-0-0: market sell close 1 base']);
  });

  it('cancels working entries first, and waits for their end', () => {
    const bench = aHolder();
    bench.want(enterLong(ONE, { add: true, limitPrice: '90' }));
    bench.accept('test-2-0-0');

    const first = bench.want(exit({ cancelEntries: true }));
    const partly = bench.fill('test-2-0-0', '0.4');
    const then = bench.end('test-2-0-0');

    expect(first).toEqual(['cancel test-2-0-0']);
    expect(partly).toEqual([]);
    // 1 + 0.4
    expect(then).toEqual(['test-3-0-0: market sell close 1.4 base']);
  });

  it('leaves resting entries and their later fills alone', () => {
    const bench = aHolder();
    bench.want(enterLong(ONE, { add: true, limitPrice: '90' }));
    bench.accept('test-2-0-0');

    const first = bench.want(exit());
    const then = bench.fill('test-3-0-0', '1');
    const again = bench.want(exit());
    const filled = bench.fill('test-2-0-0', '1');

    expect(first).toEqual(['test-3-0-0: market sell close 1 base']);
    expect([then, again, filled]).toEqual([[], [], []]);
    expect(bench.held('long')).toBe('1');
  });

  it('cancels an entry without a limit price first, and waits for its end', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE));

    const first = bench.want(exit());
    const then = bench.fill('test-1-0-0', '1');

    expect(first).toEqual(['cancel test-1-0-0']);
    expect(then).toEqual(['test-2-0-0: market sell close 1 base']);
  });

  it('only cancels an entry that has not filled', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    bench.accept('test-1-0-0');

    const first = bench.want(exit({ cancelEntries: true }));
    const then = bench.end('test-1-0-0');

    expect(first).toEqual(['cancel test-1-0-0']);
    expect(then).toEqual([]);
    expect(bench.want(enterLong(ONE))).toEqual(['test-3-0-0: limit buy open 1 base at 105 GTC']);
  });

  it('sells the fill of an entry whose cancel came too late', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    bench.accept('test-1-0-0');
    bench.want(exit({ cancelEntries: true }));

    const refused = bench.refuseCancel('test-1-0-0');
    const filled = bench.fill('test-1-0-0', '1');

    expect(refused).toEqual([]);
    expect(filled).toEqual(['test-2-0-0: market sell close 1 base']);
  });

  it('repeats the cancel of an entry after a refused cancel', () => {
    const bench = aHolder({}, { protection: { stopLoss: { price: '90' } } });
    bench.want(enterLong(ONE, { add: true, limitPrice: '80' }));
    bench.sample('90');
    const refused = bench.refuseCancel('test-2-0-0');

    const nextCandle = bench.candle(89);
    bench.refuseCancel('test-2-0-0');
    const wantedAgain = bench.want(exit());
    const then = bench.end('test-2-0-0');

    expect(refused).toEqual([]);
    expect(nextCandle).toEqual(['cancel test-2-0-0']);
    expect(wantedAgain).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it('does nothing while the position is being closed', () => {
    const bench = aHolder();
    bench.want(exit());

    expect(bench.want(exit())).toEqual([]);
    expect(bench.want(exit({ size: { quantity: '0.5' } }))).toEqual([]);
    expect(bench.want(flatten())).toEqual([]);
  });

  it('replaces a waiting exit of a part if it closes the whole position', () => {
    const bench = aHolder({}, { protection: { takeProfit: { price: '120' } } });
    bench.want(exit({ size: { quantity: '0.5' } }), exit());

    const then = bench.end('test-2-0-0');

    expect(bench.refusals).toContain('superseded');
    expect(then).toEqual(['test-4-0-0: market sell close 1 base']);
  });

  it('closes the rest of the position after a working exit of a part', () => {
    const bench = aHolder();
    bench.want(exit({ size: { quantity: '0.4' } }));

    const wanted = bench.want(exit());
    bench.refuseCancel('test-2-0-0');
    const then = bench.fill('test-2-0-0', '0.4');

    expect(wanted).toEqual(['cancel test-2-0-0']);
    // 1 − 0.4
    expect(then).toEqual(['test-3-0-0: market sell close 0.6 base']);
  });

  it('is sent if an expired exit before it ends without a fill', () => {
    const bench = aHolder();
    bench.want(exit({ goodForMs: 1_000 }));
    bench.pass(1_000);

    const wanted = bench.want(exit());
    const then = bench.end('test-2-0-0');

    expect(wanted).toEqual([]);
    expect(then).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it('rests at a limit, and is replaced by an exit at any price', () => {
    const bench = aHolder();

    const resting = bench.want(exit({ limitPrice: '120' }));
    bench.accept('test-2-0-0');
    const wanted = bench.want(exit());
    const then = bench.end('test-2-0-0');

    expect(resting).toEqual(['test-2-0-0: limit sell close 1 base at 120 GTC']);
    expect(wanted).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it('makes the position flat if less than a step is left', () => {
    const bench = new OrderManagerBench({ fees: { taker: '0.001' } });
    bench.want(enterLong(ONE));
    bench.fill('test-1-0-0', '1', { price: '100', fee: '0.0015', feeAsset: 'BTC' });

    const sent = bench.want(exit());
    bench.fill('test-2-0-0', '0.998', { price: '100' });

    // 1 − 0.0015 = 0.9985, of which 0.998 are on the step
    expect(sent).toEqual(['test-2-0-0: market sell close 0.998 base']);
    expect(bench.want(exit())).toEqual([]);
    expect(bench.free('BTC')).toBe('0.0005');
    expect(bench.want(enterLong(ONE))).toEqual(['test-4-0-0: limit buy open 1 base at 105 GTC']);
  });
});

describe('cancel', () => {
  it('cancels the order of an intent by its number', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));

    expect(bench.want(cancel({ intentId: 1 }))).toEqual(['cancel test-1-0-0']);
    expect(bench.want(cancel({ intentId: 1 }))).toEqual([]);
  });

  it('cancels all orders with a label', () => {
    const bench = new OrderManagerBench();
    bench.want(
      enterLong(ONE, { limitPrice: '90', label: 'grid', add: true }),
      enterLong(ONE, { limitPrice: '80', label: 'grid', add: true }),
      enterLong(ONE, { limitPrice: '70', label: 'other', add: true }),
    );

    expect(bench.want(cancel({ label: 'grid' }))).toEqual([
      'cancel test-1-0-0',
      'cancel test-2-0-0',
    ]);
  });

  it('cancels an order of the same event after it is sent', () => {
    const bench = new OrderManagerBench();

    const sent = bench.wantInTurn(
      () => enterLong(ONE, { limitPrice: '90' }),
      ([intentId = 0]) => cancel({ intentId }),
    );

    expect(sent).toEqual(['test-1-0-0: limit buy open 1 base at 90 GTC', 'cancel test-1-0-0']);
  });

  it('leaves the order working if it comes too late', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.4');
    bench.want(cancel({ intentId: 1 }));
    const canceling = bench.status('test-1-0-0');

    bench.refuseCancel('test-1-0-0');
    const refused = bench.status('test-1-0-0');
    bench.fill('test-1-0-0', '0.6');

    expect([canceling, refused, bench.status('test-1-0-0')]).toEqual([
      'canceling',
      'partially-filled',
      'filled',
    ]);
    expect(bench.held()).toBe('1');
  });

  it('is sent again when the order arrives after it', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    const first = bench.want(cancel({ intentId: 1 }));

    const refused = bench.refuseCancel('test-1-0-0');
    const arrived = bench.accept('test-1-0-0');

    expect([first, refused, arrived]).toEqual([['cancel test-1-0-0'], [], ['cancel test-1-0-0']]);
  });

  it('of a take-profit that moves is sent again when the take-profit arrives after it', () => {
    const bench = aHolder({}, { protection: { takeProfit: { price: '120' } } });
    bench.want(protect({ takeProfit: { price: '130' } }));
    bench.refuseCancel('test-2-0-0');

    const arrived = bench.accept('test-2-0-0');

    expect(arrived).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual([
      expect.stringMatching(/: limit sell close 1 base at 130 GTC$/),
    ]);
  });

  it('of an exit is sent again when the exit arrives after it, also if the position was closed by force', () => {
    const bench = aHolder({}, { protection: { takeProfit: { price: '120' } } });
    const first = bench.force('long', '1');
    bench.refuseCancel('test-2-0-0');

    const arrived = bench.accept('test-2-0-0');
    bench.refuseCancel('test-2-0-0');

    expect([first, arrived]).toEqual([['cancel test-2-0-0'], ['cancel test-2-0-0']]);
    // Live, the event that tries again repeats it.
    expect(bench.retry()).toEqual(['cancel test-2-0-0']);
  });

  it('for an exit of a part is sent again when the take-profit in its way arrives after it', () => {
    const bench = aHolder({}, { protection: { takeProfit: { price: '120' } } });
    const first = bench.want(exit({ size: { quantity: '0.5' } }));
    bench.refuseCancel('test-2-0-0');

    const arrived = bench.accept('test-2-0-0');

    expect([first, arrived]).toEqual([['cancel test-2-0-0'], ['cancel test-2-0-0']]);
    expect(bench.end('test-2-0-0')).toEqual(['test-3-0-0: market sell close 0.5 base']);
  });

  it('is dropped if it is refused after the end of the order', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    bench.want(cancel({ intentId: 1 }));
    bench.fill('test-1-0-0', '1');

    expect(bench.refuseCancel('test-1-0-0')).toEqual([]);
  });

  it('an update of an unknown order is rejected with E_MISSING', () => {
    const bench = new OrderManagerBench();

    expect(failureOf(() => bench.end('test-9-0-0'))).toMatchObject({ code: 'E_MISSING' });
  });
});

describe('replace', () => {
  const resting = (terms: object = {}): OrderManagerBench => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90', label: 'rest', ...terms }));
    bench.accept('test-1-0-0');
    return bench;
  };

  it('cancels the order, and sends the rest at the new price after its end', () => {
    const bench = resting();

    const first = bench.want(replace({ intentId: 1 }, { limitPrice: '95' }));
    bench.fill('test-1-0-0', '0.4');
    const then = bench.end('test-1-0-0');

    expect(first).toEqual(['cancel test-1-0-0']);
    expect(then).toEqual(['test-2-0-0: limit buy open 0.6 base at 95 GTC']);
    expect(bench.want(cancel({ label: 'rest' }))).toEqual(['cancel test-2-0-0']);
  });

  it('counts the filled quantity toward a new quantity', () => {
    const bench = resting();
    bench.fill('test-1-0-0', '0.4');

    bench.want(replace({ intentId: 1 }, { quantity: '2' }));
    const then = bench.end('test-1-0-0');

    // 2 − 0.4
    expect(then).toEqual(['test-2-0-0: limit buy open 1.6 base at 90 GTC']);
  });

  it('shares a new quantity between the orders that one was split into', () => {
    const bench = new OrderManagerBench({
      rules: { maxLimitQuantity: parseFixed('0.4') },
      tooLarge: { entries: 'split', exits: 'split' },
    });
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    for (const leg of ['0', '1', '2']) bench.accept(`test-1-0-${leg}`);
    bench.fill('test-1-0-0', '0.2');

    bench.want(replace({ intentId: 1 }, { quantity: '1.1' }));
    bench.fill('test-1-0-1', '0.1');
    const then = ['0', '1', '2'].flatMap((leg) => bench.end(`test-1-0-${leg}`));

    // 1.1 − 0.2 in three parts, and of the second part 0.1 has filled meanwhile.
    expect(then).toEqual([
      'test-2-0-0: limit buy open 0.3 base at 90 GTC',
      'test-2-1-0: limit buy open 0.2 base at 90 GTC',
      'test-2-2-0: limit buy open 0.3 base at 90 GTC',
    ]);
  });

  it('sends nothing if the new quantity is already filled', () => {
    const bench = resting();
    bench.fill('test-1-0-0', '0.4');

    bench.want(replace({ intentId: 1 }, { quantity: '0.4' }));

    expect(bench.end('test-1-0-0')).toEqual([]);
  });

  it('sends nothing if the order fills before its cancel', () => {
    const bench = resting();
    bench.want(replace({ intentId: 1 }, { limitPrice: '95' }));

    bench.refuseCancel('test-1-0-0');

    expect(bench.fill('test-1-0-0', '1')).toEqual([]);
  });

  it('ends if its cancel is refused', () => {
    const bench = resting();
    bench.want(replace({ intentId: 1 }, { limitPrice: '95' }));
    bench.refuseCancel('test-1-0-0');

    expect(bench.end('test-1-0-0')).toEqual([]);
  });

  it('keeps the terms of an earlier replacement that a later one does not set', () => {
    const bench = resting();

    bench.want(
      replace({ intentId: 1 }, { limitPrice: '95' }),
      replace({ intentId: 1 }, { quantity: '2' }),
    );

    expect(bench.end('test-1-0-0')).toEqual(['test-3-0-0: limit buy open 2 base at 95 GTC']);
  });

  it('can be canceled before it is sent', () => {
    const old = resting();
    const replacement = resting();

    old.want(replace({ intentId: 1 }, { limitPrice: '95' }), cancel({ intentId: 1 }));
    replacement.want(replace({ intentId: 1 }, { limitPrice: '95' }), cancel({ intentId: 2 }));

    expect([old.end('test-1-0-0'), replacement.end('test-1-0-0')]).toEqual([[], []]);
  });

  it('does not revive an order that is withdrawn', () => {
    const canceled = resting();
    const expired = resting({ expireAfter: '30s' });
    const again = replace({ intentId: 1 }, { limitPrice: '95' });

    canceled.want(cancel({ intentId: 1 }), again);
    expired.pass(30_000);
    expired.want(again);

    expect([canceled.verdict, expired.verdict]).toEqual(['canceled', 'canceled']);
    expect([canceled.end('test-1-0-0'), expired.end('test-1-0-0')]).toEqual([[], []]);
  });

  it.each([
    { terms: { limitPrice: 'ninety' }, check: 'invalid-price' },
    { terms: { limitPrice: '-90' }, check: 'invalid-price' },
    // As a plugin in JavaScript may write it.
    { terms: { limitPrice: 95.5 as never }, check: 'invalid-price' },
    { terms: { quantity: 5 as never }, check: 'invalid-size' },
    { terms: { quantity: '0' }, check: 'invalid-size' },
    { terms: { quantity: 'all' }, check: 'invalid-size' },
  ])('is refused with the terms $terms, and leaves the order', ({ terms, check }) => {
    const bench = resting();

    const sent = bench.want(replace({ intentId: 1 }, terms));

    expect(sent).toEqual([]);
    expect(bench.verdict).toBe(check);
    expect(bench.working).toEqual(['test-1-0-0 open']);
  });
});

describe('flatten', () => {
  const ETH = aSpot('ETH');
  const two = {
    instruments: [
      { instrument: SPOT, intervals: ['1min'] as const },
      { instrument: ETH, intervals: ['1min'] as const },
    ],
    balances: { USDT: '10000', ETH: '3' },
  };

  it('closes every position, also initial holdings', () => {
    const bench = aHolder(two);
    bench.candle(10, { instrumentId: ETH.id });

    const sent = bench.want(flatten());

    expect(sent.map((command) => command.replace(/^\S+ /, ''))).toEqual([
      'market sell close 1 base',
      'market sell close 3 base',
    ]);
  });

  it('closes only the position of a given instrument', () => {
    const bench = aHolder(two);
    bench.candle(10, { instrumentId: ETH.id });

    expect(bench.want(flatten('ETHUSDT'))).toEqual(['test-2-0-0: market sell close 3 base']);
  });
});

describe('a stop-loss', () => {
  const protection = { stopLoss: { ratio: '0.1' } };

  it('fires when last reaches its level', () => {
    const bench = aHolder({}, { protection });

    const above = bench.sample('90.01');
    const at = bench.sample('90');

    expect(above).toEqual([]);
    expect(at).toEqual(['test-2-0-0: market sell close 1 base']);
    expect(bench.engine.workingOrders.at(-1)?.intent).toMatchObject({ label: 'stop-loss' });
  });

  it('fires once', () => {
    const bench = aHolder({}, { protection });
    bench.sample('90');

    const again = bench.sample('80');
    bench.fill('test-2-0-0', '1', { price: '80' });

    expect(again).toEqual([]);
    expect(bench.sample('70')).toEqual([]);
    expect(bench.engine.watchesLast).toBe(false);
  });

  it('fires while its entry still works', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '100', protection }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.4');

    const fired = bench.sample('90');
    bench.fill('test-1-0-0', '0.1');
    const then = bench.end('test-1-0-0');

    expect(fired).toEqual(['cancel test-1-0-0']);
    expect(then).toEqual(['test-2-0-0: market sell close 0.5 base']);
  });

  it('measures from the average price of the entries', () => {
    const bench = aHolder({}, { protection });
    bench.want(enterLong(ONE, { add: true, protection }));
    bench.fill('test-2-0-0', '1', { price: '104' });

    // (100 + 104) / 2 × 0.9
    expect(bench.sample('91.81')).toEqual([]);
    expect(bench.sample('91.8')).toEqual(['test-3-0-0: market sell close 2 base']);
  });

  it('takes precedence over an exit of a part', () => {
    const bench = aHolder({}, { protection });
    bench.want(exit({ size: { quantity: '0.5' }, limitPrice: '110' }));
    bench.accept('test-2-0-0');

    expect(bench.sample('90')).toEqual(['cancel test-2-0-0']);

    expect(bench.end('test-2-0-0')).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it('sells the unsold rest with the next sample', () => {
    const bench = aHolder({}, { protection });
    bench.sample('90');
    bench.fill('test-2-0-0', '0.4', { price: '90' });
    bench.end('test-2-0-0');

    expect(bench.sample('89')).toEqual(['test-3-0-0: market sell close 0.6 base']);
  });

  it.each(['canceled', 'rejected'] as const)(
    'is tried again with the next candle if it is %s by the venue without a fill',
    (status) => {
      const bench = aHolder({}, { protection });
      bench.sample('90');
      bench.end('test-2-0-0', status);

      const sameCandle = [bench.sample('89'), bench.engine.stopWatches()];
      bench.candle(89);
      const nextCandle = bench.sample('89');

      expect(sameCandle).toEqual([[], []]);
      expect(nextCandle).toEqual(['test-3-0-0: market sell close 1 base']);
    },
  );

  it('is tried again with the next candle if risk refuses it', () => {
    const bench = aHolder({ rules: { minOrderMoney: 95n * 10n ** 18n } }, { protection });
    bench.candle(90);

    const fired = [bench.sample('90'), bench.sample('89')];
    const refusals = bench.engine.refusals.map(({ count }) => count);
    bench.candle(96);
    const after = bench.sample('90');

    expect(fired).toEqual([[], []]);
    expect(refusals).toEqual([1]);
    expect(after).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it('measures from the first price for an initial holding', () => {
    const bench = new OrderManagerBench({ balances: { USDT: '0', BTC: '2' } });
    bench.candle(100);
    bench.engine.portfolio.openInitialHoldings(() => 0n);
    bench.candle(120);

    bench.want(protect({ stopLoss: { ratio: '0.1' } }));

    // 100 × 0.9
    expect(bench.sample('90.01')).toEqual([]);
    expect(bench.sample('90')).toEqual(['test-2-0-0: market sell close 2 base']);
  });
});

describe('a trailing stop', () => {
  it('follows the best sample at a ratio', () => {
    const bench = aHolder({}, { protection: { trailingStop: { ratio: '0.1' } } });

    const quiet = ['100', '120', '110', '108.01'].map((price) => bench.sample(price));
    // 120 × 0.9
    const fired = bench.sample('108');

    expect(quiet.flat()).toEqual([]);
    expect(fired).toEqual(['test-2-0-0: market sell close 1 base']);
    expect(bench.engine.workingOrders.at(-1)?.intent).toMatchObject({ label: 'trailing-stop' });
  });

  it('follows the best sample at a distance', () => {
    const bench = aHolder({}, { protection: { trailingStop: { distance: '5' } } });

    bench.sample('120');

    expect(bench.sample('115.01')).toEqual([]);
    expect(bench.sample('115')).toEqual(['test-2-0-0: market sell close 1 base']);
  });

  it.each([{ ratio: '1' }, { ratio: '5' }, { distance: '100' }])(
    'is refused for a long where it would never fire (%o)',
    (trailingStop) => {
      const bench = new OrderManagerBench();

      const sent = bench.want(enterLong(ONE, { protection: { trailingStop } }));

      expect(sent).toEqual([]);
      expect(bench.verdict).toBe('invalid-protection');
    },
  );

  it('yields to a tighter stop-loss', () => {
    const bench = aHolder(
      {},
      { protection: { trailingStop: { distance: '20' }, stopLoss: { price: '95' } } },
    );

    expect(bench.sample('95')).toEqual(['test-2-0-0: market sell close 1 base']);
    expect(bench.engine.workingOrders.at(-1)?.intent).toMatchObject({ label: 'stop-loss' });
  });

  it('keeps its best price when it is set again', () => {
    const bench = aHolder({}, { protection: { trailingStop: { distance: '20' } } });
    bench.sample('120');

    bench.want(protect({ trailingStop: { distance: '10' } }));

    // 120 − 10
    expect(bench.sample('110')).toEqual(['test-3-0-0: market sell close 1 base']);
  });

  it('accepts a late best price, also after it was replaced', () => {
    const bench = aHolder({}, { protection: { trailingStop: { distance: '20' } } });
    const watched = bench.engine.stopWatches();
    bench.want(protect({ trailingStop: { distance: '10' } }));

    for (const watch of watched) bench.engine.trailingStops.improve(watch, parseFixed('130'));

    expect(bench.engine.stopWatches()).toMatchObject([{ level: parseFixed('120') }]);
  });

  it('does not take over the best price of a removed trailing stop', () => {
    const bench = aHolder({}, { protection: { trailingStop: { distance: '20' } } });
    const watched = bench.engine.stopWatches();
    bench.want(protect({}));
    bench.want(protect({ trailingStop: { distance: '20' } }));

    for (const watch of watched) bench.engine.trailingStops.improve(watch, parseFixed('130'));

    expect(bench.engine.stopWatches()).toMatchObject([{ level: parseFixed('80') }]);
  });
});

describe('a take-profit', () => {
  const protection = { takeProfit: { ratio: '0.2' } };

  it('rests as LIMIT once the entry has ended', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { protection }));

    const sent = bench.fill('test-1-0-0', '1', { price: '100' });

    expect(sent).toEqual(['test-2-0-0: limit sell close 1 base at 120 GTC']);
    expect(bench.free('BTC')).toBe('0');
  });

  it('removes the stop when it fills', () => {
    const bench = aHolder({}, { protection: { ...protection, stopLoss: { ratio: '0.1' } } });
    bench.fill('test-2-0-0', '1');

    expect(bench.engine.watchesLast).toBe(false);
    expect(bench.sample('80')).toEqual([]);
    expect(bench.held()).toBe('0');
  });

  it('is canceled when the stop fires, which then waits for its end', () => {
    const bench = aHolder({}, { protection: { ...protection, stopLoss: { ratio: '0.1' } } });
    bench.fill('test-2-0-0', '0.3');

    const fired = bench.sample('90');
    const then = bench.end('test-2-0-0');

    expect(fired).toEqual(['cancel test-2-0-0']);
    // 1 − 0.3
    expect(then).toEqual(['test-3-0-0: market sell close 0.7 base']);
  });

  it('leaves nothing to sell if it fills during its cancel', () => {
    const bench = aHolder({}, { protection: { ...protection, stopLoss: { ratio: '0.1' } } });
    bench.sample('90');
    bench.refuseCancel('test-2-0-0');

    const filled = bench.fill('test-2-0-0', '1');

    expect(filled).toEqual([]);
    expect(bench.working).toEqual([]);
    expect(bench.want(enterLong(ONE))).toHaveLength(1);
  });

  it('is enlarged after an addition', () => {
    const bench = aHolder({}, { protection });
    bench.want(enterLong(ONE, { add: true, protection }));

    const added = bench.fill('test-3-0-0', '1', { price: '100' });
    const then = bench.end('test-2-0-0');

    expect(added).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual(['test-4-0-0: limit sell close 2 base at 120 GTC']);
  });

  it('rests for the held quantity while an entry still rests', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ quantity: '2' }, { limitPrice: '90', protection }));
    bench.accept('test-1-0-0');

    const first = bench.fill('test-1-0-0', '0.5');
    const more = bench.fill('test-1-0-0', '0.5');
    const then = bench.end('test-2-0-0');

    // 90 × 1.2
    expect(first).toEqual(['test-2-0-0: limit sell close 0.5 base at 108 GTC']);
    expect(more).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual(['test-3-0-0: limit sell close 1 base at 108 GTC']);
  });

  it('is not tried again if the venue rejects it, until it is set again', () => {
    const bench = aHolder({}, { protection });

    const rejected = bench.end('test-2-0-0', 'rejected');
    const later = bench.candle(100);
    const anew = bench.want(protect(protection));

    expect([rejected, later]).toEqual([[], []]);
    expect(anew).toEqual(['test-4-0-0: limit sell close 1 base at 120 GTC']);
  });

  it('rests again after a refused exit', () => {
    const bench = aHolder({}, { protection });
    bench.want(exit({ limitPrice: 'dear' }));

    const then = bench.end('test-2-0-0');

    expect(bench.engine.refusals).toHaveLength(1);
    expect(then).toEqual(['test-4-0-0: limit sell close 1 base at 120 GTC']);
  });

  it('rests again for the rest after an exit of a part', () => {
    const bench = aHolder({}, { protection });
    bench.want(exit({ size: { quantity: '0.4' } }));
    bench.end('test-2-0-0');

    const then = bench.fill('test-3-0-0', '0.4');

    expect(then).toEqual(['test-4-0-0: limit sell close 0.6 base at 120 GTC']);
  });

  it('waits while an exit of the strategy rests, and returns after it', () => {
    const bench = aHolder({}, { protection });
    bench.want(exit({ limitPrice: '110' }));
    bench.end('test-2-0-0');
    bench.accept('test-3-0-0');

    const meanwhile = bench.want(protect(protection));
    bench.want(cancel({ intentId: 3 }));
    const then = bench.end('test-3-0-0');

    expect(meanwhile).toEqual([]);
    expect(bench.engine.refusals).toEqual([]);
    expect(then).toEqual(['test-6-0-0: limit sell close 1 base at 120 GTC']);
  });
});

describe('protect', () => {
  it('sets new levels', () => {
    const bench = aHolder();

    const sent = bench.want(protect({ takeProfit: { price: '130' }, stopLoss: { price: '95' } }));
    bench.accept('test-3-0-0');

    expect(sent).toEqual(['test-3-0-0: limit sell close 1 base at 130 GTC']);
    expect(bench.sample('95')).toEqual(['cancel test-3-0-0']);
  });

  it.each([
    ['in one life', (bench: OrderManagerBench) => bench],
    ['over a restart', (bench: OrderManagerBench) => bench.restart()],
  ])('is not undone by a later fill of an entry before it, %s', (_, goOn) => {
    const before = new OrderManagerBench();
    const protection = { stopLoss: { price: '90' } };
    before.want(enterLong({ quantity: '3' }, { limitPrice: '100', protection }));
    before.accept('test-1-0-0');
    before.fill('test-1-0-0', '1');
    before.want(protect({ stopLoss: { price: '98' } }));
    const bench = goOn(before);
    bench.want(replace({ intentId: 1 }, { limitPrice: '99' }));
    bench.fill('test-1-0-0', '1');
    bench.end('test-1-0-0');
    bench.fill('test-3-0-0', '1');

    expect(bench.sample('98')).toEqual(['test-4-0-0: market sell close 3 base']);
  });

  it('counts until the position is closed, and an entry under way guards the next one', () => {
    const bench = new OrderManagerBench();
    const protection = { stopLoss: { price: '90' } };
    bench.want(enterLong({ quantity: '2' }, { limitPrice: '100', protection }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '1');
    bench.want(protect({ stopLoss: { price: '98' } }));
    bench.want(exit());
    bench.fill('test-3-0-0', '1', { price: '101' });
    bench.fill('test-1-0-0', '1');

    expect([bench.sample('98'), bench.sample('90')]).toEqual([
      [],
      ['test-4-0-0: market sell close 1 base'],
    ]);
  });

  it('moves an existing take-profit', () => {
    const bench = aHolder({}, { protection: { takeProfit: { price: '130' } } });

    const moved = bench.want(protect({ takeProfit: { price: '125' } }));
    const then = bench.end('test-2-0-0');

    expect(moved).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual(['test-4-0-0: limit sell close 1 base at 125 GTC']);
  });

  it('leaves a take-profit whose price does not change', () => {
    const bench = aHolder({}, { protection: { takeProfit: { price: '130' } } });

    expect(bench.want(protect({ takeProfit: { price: '130.00' } }))).toEqual([]);
  });

  it('removes levels that it does not name', () => {
    const bench = aHolder(
      {},
      { protection: { takeProfit: { price: '130' }, stopLoss: { price: '95' } } },
    );

    const removed = bench.want(protect({}));
    const then = bench.end('test-2-0-0');

    expect(removed).toEqual(['cancel test-2-0-0']);
    expect(then).toEqual([]);
    expect(bench.sample('1')).toEqual([]);
    expect(bench.engine.watchesLast).toBe(false);
  });

  it('is refused without a position', () => {
    const bench = new OrderManagerBench();

    bench.want(protect({ stopLoss: { price: '95' } }));

    expect(bench.verdict).toBe('no-position');
  });

  it.each([
    { stopLoss: { price: 'low' } },
    { stopLoss: { distance: '100' } },
    { takeProfit: { price: '0' } },
    { trailingStop: { price: '90' } },
    { trailingStop: { ratio: '0' } },
  ])('is refused with %o, and changes nothing', (protection) => {
    const bench = aHolder({}, { protection: { stopLoss: { price: '95' } } });

    bench.want(protect(protection));

    expect(bench.verdict).toBe('invalid-protection');
    expect(bench.sample('95')).toEqual(['test-3-0-0: market sell close 1 base']);
  });
});

describe('a rest that is sent again', () => {
  const resend = { remainder: 'resend' } as const;

  it('is sent with the next candle', () => {
    const bench = new OrderManagerBench(resend);
    bench.want(enterLong({ notional: '1000' }));
    bench.fill('test-1-0-0', '4');
    const end = bench.end('test-1-0-0');

    const next = bench.candle(100);

    expect(end).toEqual([]);
    expect(next).toEqual(['test-1-1-0: market buy open 600 quote']);
  });

  it('is sent again until nothing is left', () => {
    const bench = new OrderManagerBench(resend);
    bench.want(enterLong(ONE));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.4');
    bench.end('test-1-0-0');
    const second = bench.candle(100);
    bench.fill('test-1-1-0', '0.6');

    const third = bench.candle(100);

    expect(second).toEqual(['test-1-1-0: limit buy open 0.6 base at 105 GTC']);
    expect(third).toEqual([]);
  });

  it('counts as an existing entry', () => {
    const bench = new OrderManagerBench(resend);
    bench.want(enterLong({ notional: '1000' }));
    bench.end('test-1-0-0');

    const next = bench.want(enterLong({ notional: '1000' }));

    expect(next).toEqual(['test-1-1-0: market buy open 1000 quote']);
  });

  it('is the sum of several legs', () => {
    const bench = new OrderManagerBench({
      ...resend,
      rules: { maxMarketMoney: 600n * 10n ** 18n },
      tooLarge: { entries: 'split', exits: 'split' },
    });
    bench.want(enterLong({ notional: '1000' }));
    bench.fill('test-1-0-0', '1');
    bench.end('test-1-0-0');
    bench.fill('test-1-0-1', '2');
    bench.end('test-1-0-1');

    // 1,000 − 100 − 200, in two legs again
    expect(bench.candle(100)).toEqual([
      'test-1-1-0: market buy open 350 quote',
      'test-1-1-1: market buy open 350 quote',
    ]);
  });

  it.each([
    { name: 'an exit', intent: exit() },
    { name: 'its cancel', intent: cancel({ intentId: 1 }) },
    { name: 'the cancel of its label', intent: cancel({ label: 'a' }) },
    { name: 'flatten', intent: flatten() },
  ])('is withdrawn by $name', ({ intent }) => {
    const bench = new OrderManagerBench(resend);
    bench.want(enterLong(ONE, { label: 'a' }));
    bench.want(intent);

    const end = bench.end('test-1-0-0');

    expect(end).toEqual([]);
    expect(bench.candle(100)).toEqual([]);
  });

  it('is not sent after the lifetime of its order', () => {
    const bench = new OrderManagerBench(resend);
    bench.want(enterLong(ONE, { goodForMs: 5_000 }));
    bench.pass(5_000);
    bench.end('test-1-0-0');

    expect(bench.candle(100)).toEqual([]);
  });

  it('is not sent after the lifetime of its intent, which is not longer because it is sent again', () => {
    const bench = new OrderManagerBench(resend);
    bench.want(enterLong({ notional: '1000' }, { expireAfter: '2min' }));
    bench.end('test-1-0-0');
    bench.pass(60_000);
    const within = bench.candle(100);
    bench.end('test-1-1-0');
    bench.pass(60_000);

    expect(within).toEqual(['test-1-1-0: market buy open 1000 quote']);
    expect(bench.restart().candle(100)).toEqual([]);
    expect(bench.candle(100)).toEqual([]);
  });

  it('is the held quantity if the order is an exit', () => {
    const bench = aHolder(resend);
    bench.want(exit());
    bench.fill('test-2-0-0', '0.4', { price: '100' });
    bench.end('test-2-0-0');

    expect(bench.candle(100)).toEqual(['test-2-1-0: market sell close 0.6 base']);
  });
});

describe('the rest of an exit', () => {
  const resend = { remainder: 'resend' } as const;
  const protection = { takeProfit: { price: '120' } };

  it('never exceeds the part that the exit closes', () => {
    const bench = aHolder(resend);
    bench.want(exit({ size: { quantity: '0.5' } }));
    bench.fill('test-2-0-0', '0.2');
    bench.end('test-2-0-0');

    expect(bench.candle(100)).toEqual(['test-2-1-0: market sell close 0.3 base']);
  });

  it('is sent with the next candle despite a take-profit', () => {
    const bench = aHolder(resend, { protection });
    bench.want(exit());
    bench.end('test-2-0-0');
    bench.fill('test-3-0-0', '0.4', { price: '100' });

    const end = bench.end('test-3-0-0');
    const next = bench.candle(100);

    expect(end).toEqual([]);
    expect(next).toEqual(['test-3-1-0: market sell close 0.6 base']);
  });

  it('blocks additions to the position', () => {
    const bench = aHolder(resend);
    bench.want(exit());
    bench.end('test-2-0-0');

    const sent = bench.wantInTurn(() => enterLong(ONE, { add: true }));

    expect(sent).toEqual(['test-2-1-0: market sell close 1 base']);
    expect(bench.verdict).toBe('leaving-position');
  });

  it('yields to a stop', () => {
    const bench = aHolder(resend, { protection: { stopLoss: { price: '90' } } });
    bench.want(exit());
    bench.end('test-2-0-0');

    const fired = bench.sample('90');
    bench.fill('test-3-0-0', '1', { price: '90' });

    expect(fired).toEqual(['test-3-0-0: market sell close 1 base']);
    expect(bench.candle(100)).toEqual([]);
  });
});

describe('order updates of a strategy', () => {
  it('come in the order in which they happen', () => {
    const bench = new OrderManagerBench();

    bench.want(enterLong(ONE));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.25', { price: '100' });
    bench.end('test-1-0-0');

    expect(
      bench.changes.map(({ status, filledQuantity }) => [status, filledQuantity.toFixed()]),
    ).toEqual([
      ['submitting', '0'],
      ['canceling', '0'],
      ['canceling', '0'],
      ['canceling', '0.25'],
      ['canceled', '0.25'],
    ]);
    expect(bench.changes.at(-1)?.reason).toEqual({ code: '0', text: 'as scripted' });
    expect(bench.changes.at(-1)?.averagePrice?.toFixed()).toBe('100');
  });
});
