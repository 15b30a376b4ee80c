import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../src/domain/index.js';
import { enterLong, exit } from '../../../src/strategy/index.js';
import { OrderManagerBench } from '../../support/engine/order-manager-bench.js';

const GUARDED = {
  protection: { stopLoss: { price: '95' }, takeProfit: { price: '120' } },
} as const;

const idOf = (line: string): string => line.split(':')[0] ?? '';

/** Asked for 1, and the venue filled 0.03. They are worth 3 USDT, but an order must be worth 10. */
function aCrumb(protection: typeof GUARDED | undefined = GUARDED): OrderManagerBench {
  const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('10') } });
  bench.want(enterLong({ quantity: '1' }, protection));
  bench.fill('test-1-0-0', '0.03', { price: '100' });
  bench.end('test-1-0-0');
  return bench;
}

describe('a position that is too small to be sold', () => {
  it('does not try its stop with every sample and candle', () => {
    const bench = aCrumb();
    const before = bench.verdicts.length;

    const sent = Array.from({ length: 10 }, () => [bench.sample('90'), bench.candle(90)]);

    expect(sent.flat(2)).toEqual([]);
    expect(bench.verdicts).toHaveLength(before);
    expect(bench.engine.dust.held).toMatchObject([{ quantity: parseFixed('0.03') }]);
  });

  it('blocks no entry, and is guarded together with that entry', () => {
    const bench = aCrumb();

    const [sent = ''] = bench.want(enterLong({ quantity: '1' }, GUARDED));
    const [then = ''] = bench.fill(idOf(sent), '1', { price: '100' });

    expect(sent).toMatch(/: limit buy open 1 base at 105 GTC$/);
    expect(then).toMatch(/: limit sell close 1.03 base at 120 GTC$/);
    expect(bench.engine.dust.held).toEqual([]);
    expect(bench.sample('94')).toEqual([`cancel ${idOf(then)}`]);
    expect(bench.end(idOf(then))[0]).toMatch(/: market sell close 1.03 base$/);
  });

  it('is not part of the average price from which an entry by risk measures its stop', () => {
    const bench = aCrumb(undefined);
    bench.candle(120);

    // The risk is a thousandth of 10,000.6, and each unit loses 2.4: the dust that was bought at 100 does not count.
    expect(
      bench.want(enterLong({ risk: '0.001' }, { protection: { stopLoss: { ratio: '0.02' } } })),
    ).toEqual(['test-2-0-0: limit buy open 4.166 base at 126 GTC']);
  });

  it('is sold by an exit once its price allows it', () => {
    const bench = aCrumb(undefined);

    const refused = bench.want(exit());
    bench.candle(400);
    const sent = bench.want(exit());

    expect(refused).toEqual([]);
    expect(bench.refusals).toEqual(['min-order-money']);
    expect(sent).toEqual(['test-3-0-0: market sell close 0.03 base']);
  });

  it('is recognized by the refusal of its stop', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('10') } });
    bench.want(enterLong({ quantity: '0.1' }, { protection: { stopLoss: { price: '80' } } }));
    bench.fill('test-1-0-0', '0.1', { price: '110' });

    const sent = Array.from({ length: 5 }, () => [bench.candle(70), bench.sample('70')]);

    expect(sent.flat(2)).toEqual([]);
    expect(bench.refusals).toEqual(['min-order-money']);
  });
});
