import { describe, expect, it } from 'vitest';

import {
  parseFixed,
  RuleBook,
  type OrderIntent,
  type TargetIntent,
  type TargetSize,
} from '../../../../src/domain/index.js';
import {
  CandleStrategy,
  cancel,
  enterLong,
  enterShort,
  exit,
  flatten,
  protect,
  rebalance,
  replace,
  target,
  type Verdict,
} from '../../../../src/strategy/index.js';
import { Engine, NO_JOURNAL } from '../../../../src/engine/index.js';
import { aMinute, aSpot, closing, someOptions, START } from '../../../support/engine/engine.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { LINEAR, MARGIN, SPOT } from '../../../support/risk/builders.js';

/** Holds `quantity`, bought at 100. */
function aHolder(quantity: string, ...intents: readonly OrderIntent[]): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(enterLong({ quantity }));
  bench.fill('test-1-0-0', quantity);
  if (intents.length > 0) bench.want(...intents);
  return bench;
}

/** Without a journal, an intent that changes nothing is not kept to be judged. */
const UNRECORDED = { journal: NO_JOURNAL };

const anyTarget = (intent: object): TargetIntent => ({ kind: 'target', ...intent }) as TargetIntent;

describe('a target', () => {
  it('buys the missing quantity, and does nothing once it is reached', () => {
    const bench = new OrderManagerBench();

    expect(bench.want(target(undefined, { quantity: '2' }, { label: 'base' }))).toEqual([
      'test-1-0-0: limit buy open 2 base at 105 GTC',
    ]);
    bench.fill('test-1-0-0', '2');
    expect(bench.want(target(undefined, { quantity: '2' }))).toEqual([]);
    expect(bench.changes.every(({ label }) => label === 'base')).toBe(true);
  });

  it('is refused while the rules of its instrument are not known', () => {
    const refused: unknown[] = [];
    class Wants extends CandleStrategy() {
      override onCandle(): void {
        this.target(undefined, { quantity: '2' });
      }
      override onVerdict({ decision }: Verdict): void {
        if (decision.kind === 'refused') refused.push(decision.refusal);
      }
    }
    const engine = new Engine({ ...someOptions(Wants), rules: new RuleBook() });
    engine.construct();
    engine.start(START);

    expect(engine.process(closing(aMinute(1)))).toEqual([]);
    expect(refused).toMatchObject([
      {
        check: 'no-rules',
        text: `no trading rules of ${SPOT.id} are known: give them under simulation.rules, or load the venue's records`,
      },
    ]);
  });

  it('sells the excess, and the whole position for 0', () => {
    const bench = aHolder('3');

    expect(bench.want(target(undefined, { quantity: '1.2345' }))).toEqual([
      'test-2-0-0: market sell close 1.765 base',
    ]);
    bench.fill('test-2-0-0', '1.765');
    expect(bench.want(target(undefined, { quantity: '0' }))).toEqual([
      'test-3-0-0: market sell close 1.235 base',
    ]);
  });

  it('counts a resting entry as held', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ quantity: '1.5' }, { limitPrice: '90' }));

    expect(bench.want(target(undefined, { quantity: '2' }))).toEqual([
      'test-2-0-0: limit buy open 0.5 base at 105 GTC',
    ]);
  });

  it.each([
    ['no position is wanted', SPOT, '0'],
    ['the other side is wanted', LINEAR, '-2'],
  ])('withdraws the entries of a side that holds nothing if %s', (_, instrument, quantity) => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument, intervals: ['1min'] }],
    });
    bench.candle(100);
    bench.want(enterLong({ quantity: '3' }, { limitPrice: '90' }));
    bench.accept('test-1-0-0');

    expect(bench.want(target(undefined, { quantity }))[0]).toBe('cancel test-1-0-0');
    bench.fill('test-1-0-0', '1', { price: '90' });
    expect(bench.end('test-1-0-0')[0]).toMatch(/^test-2-0-0: market sell close 1 /);
  });

  it('leaves a resting entry alone that is worth no more than the tolerance', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ quantity: '1' }, { limitPrice: '90' }));
    bench.accept('test-1-0-0');

    expect(bench.want(target(undefined, { quantity: '0' }, { tolerance: '0.02' }))).toEqual([]);
  });

  it('counts the slices of an entry that are still to be sent', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ notional: '300' }, { work: { twap: { over: '3min', slices: 3 } } }));
    bench.fill('test-1-0-0', '1');

    expect(bench.want(target(undefined, { quantity: '4' }))).toEqual([
      'test-2-0-0: limit buy open 1 base at 105 GTC',
    ]);
  });

  it('counts the rest of an entry that the next candle sends', () => {
    const bench = new OrderManagerBench({ remainder: 'resend' });
    const wanted = target(undefined, { quantity: '4' });
    bench.want(wanted);
    bench.fill('test-1-0-0', '1');
    bench.raiseOnNextOrder(wanted);

    expect(bench.end('test-1-0-0')).toEqual([]);
    expect(bench.candle(100)).toEqual(['test-1-1-0: limit buy open 3 base at 105 GTC']);
  });

  it('counts the rest of an exit that the next candle sends', () => {
    const bench = new OrderManagerBench({ remainder: 'resend' });
    const wanted = target(undefined, { quantity: '1' });
    bench.want(enterLong({ quantity: '4' }));
    bench.fill('test-1-0-0', '4');
    bench.want(wanted);
    bench.fill('test-2-0-0', '1');
    bench.raiseOnNextOrder(wanted);

    expect(bench.end('test-2-0-0')).toEqual([]);
    expect(bench.candle(100)).toEqual(['test-2-1-0: market sell close 2 base']);
  });

  it('counts the quantity of a resting exit as sold', () => {
    const bench = aHolder('3', exit({ size: { quantity: '1' }, limitPrice: '110' }));
    bench.accept('test-2-0-0');

    expect(bench.want(target(undefined, { quantity: '2' }))).toEqual([]);
    expect(bench.want(target(undefined, { quantity: '2.5' }))).toEqual([
      'test-4-0-0: limit buy open 0.5 base at 105 GTC',
    ]);
  });

  it.each(['protection', 'bracket'])('counts no take-profit of a %s as sold', (guards) => {
    const levels = { stopLoss: { price: '90' }, takeProfit: { price: '120' } };
    const guarded = (): OrderManagerBench => {
      const bench = new OrderManagerBench();
      bench.want(enterLong({ quantity: '3' }, { [guards]: levels }));
      bench.fill('test-1-0-0', '3', { price: '100' });
      bench.accept('test-2-0-0');
      return bench;
    };
    const lower = guarded();
    const zero = guarded();

    expect(guarded().want(target(undefined, { quantity: '3' }))).toEqual([]);
    expect(lower.want(target(undefined, { quantity: '2' }))).toEqual(['cancel test-2-0-0']);
    expect(lower.end('test-2-0-0')).toContain('test-3-0-0: market sell close 1 base');
    expect(zero.want(target(undefined, { quantity: '0' }))).toEqual(['cancel test-2-0-0']);
    expect(zero.end('test-2-0-0')).toEqual(['test-3-0-0: market sell close 3 base']);
  });

  it('counts the quantity of an exit that waits for a take-profit', () => {
    const bench = aHolder('10', protect({ takeProfit: { price: '120' } }));
    bench.accept('test-3-0-0');
    const part = exit({ size: { share: '0.4' } });

    expect(bench.want(part, target(undefined, { quantity: '6' }))).toEqual(['cancel test-3-0-0']);
    expect(bench.end('test-3-0-0')).toEqual(['test-4-0-0: market sell close 4 base']);
  });

  it('buys only after the rest of a sale that the next candle sends', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
      remainder: 'resend',
    });
    bench.candle(100);
    bench.want(enterLong({ quantity: '5' }));
    bench.fill('test-1-0-0', '5', { price: '100' });
    bench.want(target(undefined, { quantity: '-5' }));
    bench.fill('test-2-0-0', '3', { price: '100' });

    expect(bench.end('test-2-0-0')).toEqual([]);
    expect(bench.candle(100)).toEqual(['test-2-1-0: market sell close 2 contracts']);
    expect(bench.fill('test-2-1-0', '2', { price: '100' })).toEqual([
      'test-2-2-0: limit sell open 5 contracts at 95 IOC',
    ]);
  });

  it('counts an exit that waits for one that is being canceled once', () => {
    const bench = aHolder('10', exit({ size: { quantity: '8' }, limitPrice: '110', label: 'a' }));
    bench.accept('test-2-0-0');
    const part = exit({ size: { quantity: '4' } });

    const sent = bench.want(cancel({ label: 'a' }), part, target(undefined, { quantity: '2' }));

    expect(sent).toEqual(['cancel test-2-0-0']);
  });

  it('of 0 withdraws the entries beside an exit that offers all that is held', () => {
    const bench = aHolder('3', exit({ limitPrice: '110' }));
    bench.accept('test-2-0-0');
    bench.want(enterLong({ quantity: '1' }, { limitPrice: '90', add: true }));
    bench.accept('test-3-0-0');

    expect(bench.want(target(undefined, { quantity: '0' }))).toEqual([
      'cancel test-2-0-0',
      'cancel test-3-0-0',
    ]);
    bench.end('test-3-0-0');
    expect(bench.end('test-2-0-0')).toEqual(['test-4-0-0: market sell close 3 base']);
  });

  describe('below what is held and what entries may add', () => {
    /** Holds `held`; a bid of `entering` rests. */
    const aBidder = (held: string, entering: string): OrderManagerBench => {
      const bench = aHolder(
        held,
        enterLong({ quantity: entering }, { limitPrice: '90', add: true }),
      );
      bench.accept('test-2-0-0');
      return bench;
    };

    it('withdraws the entries, and buys what is then missing', () => {
      const bench = aBidder('2', '10');

      expect(bench.want(target(undefined, { quantity: '4' }))).toEqual(['cancel test-2-0-0']);
      expect(bench.end('test-2-0-0')).toEqual(['test-3-0-0: limit buy open 2 base at 105 GTC']);
    });

    it('withdraws the entries, and sells what is then too much', () => {
      const bench = aBidder('3', '2');

      expect(bench.want(target(undefined, { quantity: '1' }))).toEqual(['cancel test-2-0-0']);
      expect(bench.end('test-2-0-0')).toEqual(['test-3-0-0: market sell close 2 base']);
    });

    it('sells what a withdrawn entry has filled on the way', () => {
      const bench = aBidder('2', '10');

      bench.want(target(undefined, { quantity: '4' }));
      expect(bench.fill('test-2-0-0', '10', { price: '90' })).toEqual([
        'test-3-0-0: market sell close 8 base',
      ]);
    });

    it('leaves entries alone that lead to the target', () => {
      expect(aBidder('2', '2').want(target(undefined, { quantity: '4' }))).toEqual([]);
    });

    it('waits for the end of the entries also after a restart', () => {
      const bench = aBidder('2', '10');
      bench.want(target(undefined, { quantity: '4' }));

      const restored = bench.restart();

      expect(restored.end('test-2-0-0')).toEqual(['test-3-0-0: limit buy open 2 base at 105 GTC']);
    });
  });

  describe('while orders are being canceled', () => {
    const REFERENCE = { label: 'a' } as const;
    const bid = enterLong({ quantity: '2' }, { limitPrice: '90', add: true, label: 'a' });
    const offer = exit({ size: { quantity: '2' }, limitPrice: '110', label: 'a' });
    const wanted = (quantity: string): TargetIntent => target(undefined, { quantity });

    it('does not count an entry that then ends unfilled', () => {
      const bench = aHolder('3', bid);
      bench.accept('test-2-0-0');

      expect(bench.want(cancel(REFERENCE), wanted('5'))).toEqual(['cancel test-2-0-0']);
      expect(bench.restart().end('test-2-0-0')).toEqual([
        'test-4-0-0: limit buy open 2 base at 105 GTC',
      ]);
      expect(bench.end('test-2-0-0')).toEqual(['test-4-0-0: limit buy open 2 base at 105 GTC']);
    });

    it('is not taken for reached, if a canceled entry may still reach it', () => {
      const bench = new OrderManagerBench(UNRECORDED);
      bench.want(bid);
      bench.accept('test-1-0-0');
      bench.want(cancel(REFERENCE));

      expect(bench.want(wanted('2'))).toEqual([]);
      expect(bench.end('test-1-0-0')).toEqual(['test-3-0-0: limit buy open 2 base at 105 GTC']);
    });

    it('counts what the entry has filled on the way', () => {
      const bench = aHolder('3', bid);
      bench.accept('test-2-0-0');
      bench.want(cancel(REFERENCE), wanted('5'));
      bench.fill('test-2-0-0', '0.5', { price: '90' });

      expect(bench.end('test-2-0-0')).toEqual(['test-4-0-0: limit buy open 1.5 base at 105 GTC']);
    });

    it('does not count an exit that then ends unfilled', () => {
      const bench = aHolder('3', offer);
      bench.accept('test-2-0-0');

      expect(bench.want(cancel(REFERENCE), wanted('3'))).toEqual(['cancel test-2-0-0']);
      expect(bench.end('test-2-0-0')).toEqual([]);
      expect(bench.held()).toBe('3');
    });

    it('does not count the rest of an entry that is canceled because it did not fill at once', () => {
      const bench = new OrderManagerBench();
      bench.want(enterLong({ quantity: '5' }));
      bench.fill('test-1-0-0', '3');

      expect(bench.accept('test-1-0-0')).toEqual(['cancel test-1-0-0']);
      expect(bench.want(wanted('5'))).toEqual([]);
      expect(bench.end('test-1-0-0')).toEqual(['test-2-0-0: limit buy open 2 base at 105 GTC']);
    });

    it('withdraws an entry that leads beyond it once the others have ended', () => {
      const other = enterLong({ quantity: '4' }, { limitPrice: '91', add: true });
      const bench = aHolder('3', bid, other);
      bench.accept('test-2-0-0');
      bench.accept('test-3-0-0');

      expect(bench.want(cancel(REFERENCE), wanted('6'))).toEqual(['cancel test-2-0-0']);
      expect(bench.end('test-2-0-0')).toEqual(['cancel test-3-0-0']);
      expect(bench.end('test-3-0-0')).toEqual(['test-5-0-0: limit buy open 3 base at 105 GTC']);
    });

    it('counts an order that is being replaced', () => {
      const bench = aHolder('3', bid);
      bench.accept('test-2-0-0');

      expect(bench.want(replace(REFERENCE, { limitPrice: '91' }), wanted('6'))).toEqual([
        'cancel test-2-0-0',
        'test-4-0-0: limit buy open 1 base at 105 GTC',
      ]);
    });
  });

  it('never exceeds its amount', () => {
    const bench = new OrderManagerBench();

    expect(bench.want(target(undefined, { notional: '99.99' }))).toEqual([
      'test-1-0-0: limit buy open 0.999 base at 105 GTC',
    ]);
  });

  it('does not trade a difference below the tolerance or the minimum trade', () => {
    const bench = aHolder('2');

    expect(bench.want(target(undefined, { quantity: '2.1' }, { tolerance: '0.5' }))).toEqual([]);
    expect(bench.want(target(undefined, { quantity: '2.1' }, { minimumTrade: '11' }))).toEqual([]);
    expect(bench.want(target(undefined, { quantity: '2.1' }, { minimumTrade: '10' }))).toHaveLength(
      1,
    );
  });

  it('is refused if it names an instrument twice', () => {
    const bench = new OrderManagerBench();

    const sent = bench.want(rebalance({ BTCUSDT: '0.2', 'spot:BTCUSDT': '0.3' }));

    expect(sent).toEqual([]);
    expect(bench.verdicts.at(-1)?.decision).toMatchObject({
      refusal: {
        check: 'invalid-term',
        text: 'targets: expected one target for each instrument, received two for spot:BTCUSDT',
      },
    });
  });

  it.each([
    ['1.5', ['invalid-term'], []],
    ['1.000000002', ['invalid-term'], []],
    // 0.7 + 0.1 + 0.2, as numbers
    ['1.0000000000000002', [], ['test-1-0-0: market buy open 10000 quote']],
    ['1', [], ['test-1-0-0: market buy open 10000 quote']],
  ])('with a weight of %s on spot is refused for %j', (weight, refusals, sent) => {
    const bench = new OrderManagerBench();

    expect(bench.want(rebalance({ BTCUSDT: weight }))).toEqual(sent);
    expect(bench.refusals).toEqual(refusals);
  });

  it('is refused below 0 on spot', () => {
    const bench = new OrderManagerBench();

    expect(bench.want(target(undefined, { quantity: '-1' }))).toEqual([]);
    expect(bench.refusals).toEqual(['spot-short']);
  });

  it.each<[object, string]>([
    [{ targets: [] }, 'targets: expected at least one instrument, received []'],
    [
      { targets: [{ to: { quantity: '1', weight: '0.5' } }] },
      'to: expected one of quantity, notional and weight, received quantity and weight',
    ],
    [
      { targets: [{ to: { weight: 'half' } }] },
      'to: expected decimal text, below 0 for short, received "half"',
    ],
    [
      { targets: [{ to: { weight: '0.5' } }], tolerance: '-1' },
      'tolerance: expected decimal text of at least 0, received "-1"',
    ],
    [
      { targets: [{ to: { weight: '0.5' } }], tolerence: '0.1' },
      'target has no key "tolerence": did you mean "tolerance"?',
    ],
  ])('is refused as %j', (intent, text) => {
    const bench = new OrderManagerBench();
    bench.want(anyTarget(intent));

    expect(bench.verdicts.map(({ decision }) => decision)).toMatchObject([{ refusal: { text } }]);
  });
});

describe('a target on the other side of a contract', () => {
  const aContract = (): OrderManagerBench => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    bench.candle(100);
    bench.want(enterLong({ quantity: '10' }));
    bench.fill('test-1-0-0', '10', { price: '100' });
    return bench;
  };

  it('closes the position, and enters once that order has ended', () => {
    const bench = aContract();

    expect(bench.want(target(undefined, { quantity: '-4' }))).toEqual([
      'test-2-0-0: market sell close 10 contracts',
    ]);
    expect(bench.fill('test-2-0-0', '10', { price: '100' })).toEqual([
      'test-2-1-0: limit sell open 4 contracts at 95 IOC',
    ]);
  });

  it('takes the place of an entry that waits for the other side to be left', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
      positionMode: 'oneWay',
    });
    bench.candle(100);
    bench.want(enterLong({ quantity: '10' }));
    bench.fill('test-1-0-0', '10', { price: '100' });
    bench.want(enterShort({ quantity: '4' }));

    expect(bench.want(target(undefined, { quantity: '0' }))).toEqual([]);
    expect(bench.refusals).toEqual(['superseded']);
    expect(bench.fill('test-3-0-0', '10', { price: '100' })).toEqual([]);
  });

  it.each<[string, OrderIntent, string]>([
    ['its cancel', cancel({ label: 'turn' }), 'canceled'],
    ['a newer target', target(undefined, { quantity: '0' }), 'superseded'],
    ['a flatten', flatten(), 'superseded'],
  ])('is given up after %s', (_what, intent, check) => {
    const bench = aContract();
    bench.want(target(undefined, { quantity: '-4' }, { label: 'turn' }));
    bench.accept('test-2-0-0');

    bench.want(intent);

    expect(bench.refusals).toContain(check);
    expect(bench.fill('test-2-0-0', '10', { price: '100' })).toEqual([]);
  });

  it.each<[string, TargetSize, 'long' | 'short', string]>([
    ['a quantity below 0', { quantity: '-4' }, 'short', '0'],
    ['a weight below 0', { weight: '-0.1' }, 'short', '0'],
    ['a notional below 0', { notional: '-400' }, 'short', '0'],
    ['a quantity above 0, after a short', { quantity: '4' }, 'long', '-10'],
  ])('shows the side of %s while it waits', (_what, to, direction, held) => {
    const bench = aContract();
    if (held !== '0') {
      bench.want(target(undefined, { quantity: held }));
      bench.fill('test-2-0-0', '10', { price: '100' });
      bench.fill('test-2-1-0', '10', { price: '100' });
    }
    bench.want(target(undefined, to));

    expect(bench.waiting).toMatchObject([{ intent: { kind: 'target' }, direction }]);
  });

  it('is stored in the checkpoint while it waits, and enters after a restart', () => {
    const bench = aContract();
    bench.want(target(undefined, { quantity: '-4' }));

    expect(bench.waiting).toMatchObject([{ intentId: 2, intent: { kind: 'target' } }]);
    expect(bench.engine.checkpoint()).toMatchObject({
      targets: [{ intentId: 2, intent: { targets: [{ to: { quantity: '-4' } }] } }],
    });
    expect(bench.restart().fill('test-2-0-0', '10', { price: '100' })).toEqual([
      'test-2-1-0: limit sell open 4 contracts at 95 IOC',
    ]);
  });
});

describe('a target of another instrument than the sale it waited for', () => {
  it('is given up if a newer one is reached already', () => {
    const bench = new OrderManagerBench({
      ...UNRECORDED,
      instruments: [SPOT, MARGIN].map((instrument) => ({ instrument, intervals: ['1min'] })),
    });
    bench.candle(100, { instrumentId: MARGIN.id });
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '1');
    const targets = [
      { instrument: SPOT.id, to: { quantity: '0' } },
      { instrument: MARGIN.id, to: { quantity: '1' } },
    ];
    expect(bench.want(anyTarget({ targets }))).toEqual(['test-2-0-0: market sell close 1 base']);

    expect(bench.want(target(MARGIN.id, { quantity: '0' }))).toEqual([]);
    expect(bench.refusals).toEqual(['superseded']);
    expect(bench.fill('test-2-0-0', '1')).toEqual([]);
  });
});

describe('purchases whose sale the venue has rejected', () => {
  /** Holds 5 contracts; the sale of a target of -5 was rejected. */
  const aRejected = (reaction?: OrderIntent): OrderManagerBench => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    bench.candle(100);
    bench.want(enterLong({ quantity: '5' }));
    bench.fill('test-1-0-0', '5', { price: '100' });
    bench.want(target(undefined, { quantity: '-5' }));
    if (reaction !== undefined) bench.raiseOnNextOrder(reaction);

    expect(bench.end('test-2-0-0', 'rejected')).not.toContainEqual(expect.stringMatching(/ open /));
    return bench;
  };

  it.each([
    ['in one life', (bench: OrderManagerBench): OrderManagerBench => bench],
    ['over a restart', (bench: OrderManagerBench): OrderManagerBench => bench.restart()],
  ])('wait for the sale that is sent again, %s', (_, goOn) => {
    const bench = goOn(aRejected());

    expect(bench.candle(100)).toEqual(['test-2-1-0: market sell close 5 contracts']);
    expect(bench.fill('test-2-1-0', '5', { price: '100' })).toEqual([
      'test-2-2-0: limit sell open 5 contracts at 95 IOC',
    ]);
  });

  it('go on with the next candle if another exit took the place of the sale', () => {
    const bench = aRejected(exit({ limitPrice: '110', direction: 'long' }));

    expect(bench.candle(100)).toEqual(['test-2-1-0: limit sell open 5 contracts at 95 IOC']);
  });
});

describe('rebalance', () => {
  it.each([
    ['0.5', 'limit buy close 15 base at 189 GTC'],
    ['-0.5', 'limit buy close 15 base at 189 GTC'],
  ])('to %s leaves the position if equity is below 0', (weight, order) => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
      balances: { USDT: '1000' },
    });
    bench.candle(100);
    bench.want(enterShort({ quantity: '15' }));
    bench.fill('test-1-0-0', '15', { price: '100' });
    bench.candle(180);

    expect(bench.want(rebalance({ [MARGIN.id]: weight }))).toEqual([`test-2-0-0: ${order}`]);
  });

  it('takes the costs off a weight, and not off a quantity beside it', () => {
    const bench = new OrderManagerBench({
      instruments: [SPOT, MARGIN].map((instrument) => ({ instrument, intervals: ['1min'] })),
    });
    bench.candle(100);
    bench.candle(100, { instrumentId: MARGIN.id });
    const targets = [
      { instrument: SPOT.id, to: { quantity: '1' } },
      { instrument: MARGIN.id, to: { weight: '0' } },
    ];

    expect(bench.want(anyTarget({ targets }))).toEqual([
      'test-1-0-0: limit buy open 1 base at 105 GTC',
    ]);
  });

  it.each([
    ['the minimum of the venue', { minOrderMoney: parseFixed('5') }, {}],
    ['its smallest trade', {}, { minimumTrade: '5' }],
  ])('is refused a purchase of which the free money leaves less than %s', (_, rules, terms) => {
    const other = aSpot('ETH');
    const bench = new OrderManagerBench({
      instruments: [SPOT, other].map((instrument) => ({ instrument, intervals: ['1min'] })),
      rules,
    });
    bench.candle(10, { instrumentId: other.id });
    bench.want(enterLong({ quantity: '99.96' }, { limitPrice: '100' }));
    bench.accept('test-1-0-0');

    expect(bench.want(rebalance({ [other.id]: '0.5' }, terms))).toEqual([]);
    expect(bench.verdicts.at(-1)).toMatchObject({
      intent: { kind: 'enter', instrument: other.id },
      decision: {
        kind: 'refused',
        refusal: {
          check: 'insufficient-balance',
          text: 'needs 5000 USDT, and 4 USDT can be used, which is less than the smallest trade',
        },
      },
    });
  });

  it('makes a target of shares of equity', () => {
    expect(rebalance({ BTCUSDT: '0.4', ETHUSDT: '0' }, { tolerance: '0.01' })).toEqual({
      kind: 'target',
      targets: [
        { instrument: 'BTCUSDT', to: { weight: '0.4' } },
        { instrument: 'ETHUSDT', to: { weight: '0' } },
      ],
      tolerance: '0.01',
    });
  });
});
