import { describe, expect, it } from 'vitest';

import { parseFixed, type InstrumentRules } from '../../../../src/domain/index.js';
import { cancel, enterLong, enterShort, protect } from '../../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { LINEAR, MARGIN } from '../../../support/risk/builders.js';

const RULES: InstrumentRules = { tradable: true, pricePrecision: 2, quantityPrecision: 3 };
const TAKE_PROFIT = { takeProfit: { price: '120' } };

/** The venue changes the rules. Returns the commands up to the next candle. */
function change(bench: OrderManagerBench, rules: Partial<InstrumentRules>): readonly string[] {
  bench.pass(1);
  const { id: instrumentId } = bench.instrument;
  const time = bench.engine.now();
  bench.engine.process({ kind: 'rules', time, instrumentId, rules: { ...RULES, ...rules } });
  return bench.candle(100);
}

describe('a take-profit that the rules did not allow', () => {
  it.each([
    ['in one life', (bench: OrderManagerBench) => bench],
    ['over a restart', (bench: OrderManagerBench) => bench.restart()],
  ])('is sent with the next candle after they have changed, %s', (_, goOn) => {
    const before = aHolder();
    change(before, { tradable: false });
    const refused = before.want(protect(TAKE_PROFIT));
    const bench = goOn(before);
    const same = bench.candle(100);

    const sent = change(bench, {});

    expect(refused).toEqual([]);
    expect(same).toEqual([]);
    expect(sent).toEqual([expect.stringMatching(/: limit sell close 1 base at 120 GTC$/)]);
    expect(bench.candle(100)).toEqual([]);
  });

  it('is tried once for each change, and not with each candle', () => {
    const bench = aHolder();
    change(bench, { minOrderMoney: parseFixed('200') });
    bench.want(protect(TAKE_PROFIT));

    const sent = [
      ...change(bench, { minOrderMoney: parseFixed('150') }),
      ...bench.candle(100),
      ...bench.candle(100),
    ];

    expect(sent).toEqual([]);
    expect(bench.refusals).toEqual(['min-order-money', 'min-order-money']);
  });

  it('is sent for an entry with a bracket, too', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ quantity: '1' }, { bracket: TAKE_PROFIT }));
    bench.accept('test-1-0-0');
    change(bench, { tradable: false });
    const early = bench.fill('test-1-0-0', '1', { price: '100' });
    const same = bench.candle(100);

    const sent = change(bench, {});

    expect([...early, ...same]).toEqual([]);
    expect(sent).toEqual([expect.stringMatching(/: limit sell close 1 base at 120 GTC$/)]);
  });
});

describe('a position that is too small by the rules', () => {
  it('is guarded once the rules allow to sell it', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('10') } });
    bench.want(enterLong({ quantity: '1' }, { protection: { stopLoss: { price: '95' } } }));
    bench.fill('test-1-0-0', '0.03', { price: '100' });
    bench.end('test-1-0-0');
    const before = bench.sample('94');

    const sent = change(bench, { minOrderMoney: parseFixed('1') });

    expect([...before, ...sent]).toEqual([]);
    expect(bench.engine.dust.held).toEqual([]);
    expect(bench.sample('94')).toEqual([expect.stringMatching(/: market sell close 0.03 base$/)]);
  });
});

describe('a take-profit for which no order was left', () => {
  it('is sent when one of the orders has ended', () => {
    const bench = aHolder({ rules: { maxWorkingOrders: 2 } });
    bench.want(
      enterLong({ quantity: '1' }, { add: true, limitPrice: '90' }),
      enterLong({ quantity: '1' }, { add: true, limitPrice: '91' }),
    );
    bench.accept('test-2-0-0');
    bench.accept('test-3-0-0');
    bench.want(protect(TAKE_PROFIT));
    bench.want(cancel({ intentId: 2 }));

    const sent = bench.end('test-2-0-0');

    expect(bench.refusals).toEqual(['max-working-orders']);
    expect(sent).toEqual([expect.stringMatching(/: limit sell close 1 base at 120 GTC$/)]);
  });

  it('is also sent when an order of the other side has ended', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
      rules: { maxWorkingOrders: 1 },
    });
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '1', { price: '100' });
    bench.want(enterShort({ quantity: '1' }, { limitPrice: '130' }));
    bench.accept('test-2-0-0');
    bench.want(protect(TAKE_PROFIT, undefined, 'long'));
    bench.want(cancel({ intentId: 2 }));

    expect(bench.end('test-2-0-0')).toEqual([
      expect.stringMatching(/: limit sell close 1 contracts at 120 GTC$/),
    ]);
  });
});

describe('a position that newer rules have made less than one step', () => {
  const GUARDS = {
    protection: { protection: { stopLoss: { price: '95' } } },
    bracket: { bracket: { stopLoss: { price: '95' } } },
  } as const;
  const holder = (guards: object): OrderManagerBench => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
      protections: { cooldownAfterStopMs: 600_000 },
    });
    bench.want(enterLong({ quantity: '0.5' }, guards));
    bench.fill('test-1-0-0', '0.5', { price: '100' });
    change(bench, { quantityPrecision: 0 });
    return bench;
  };

  it.each(Object.entries(GUARDS))('fires no stop of its %s, until it can be sold', (_, guards) => {
    const bench = holder(guards);

    const below = [bench.sample('94'), bench.engine.stopWatches()].flat();
    const sent = bench.want(enterLong({ quantity: '1' }, { limitPrice: '93' }));
    bench.want(cancel({ intentId: 2 }));
    bench.end('test-2-0-0');
    change(bench, {});

    expect(below).toEqual([]);
    expect(sent).toEqual(['test-2-0-0: limit buy open 1 base at 93 GTC']);
    expect(bench.sample('94')).toEqual([expect.stringMatching(/: market sell close 0.5 base$/)]);
  });

  it.each(Object.entries(GUARDS))(
    'has no %s any more once the other side is entered',
    (_, guards) => {
      const bench = holder(guards);
      bench.want(enterShort({ quantity: '1' }));
      bench.fill('test-2-0-0', '1', { price: '100' });
      change(bench, {});

      expect(bench.sample('94')).toEqual([]);
      expect(bench.engine.stopWatches()).toEqual([]);
    },
  );
});
