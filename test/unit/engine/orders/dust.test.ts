import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../../../src/domain/index.js';
import { enterLong, exit, protect, type EntryTerms } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { SPOT } from '../../../support/risk/builders.js';

const OTHER: typeof SPOT = {
  ...SPOT,
  id: 'spot:ETHUSDT' as typeof SPOT.id,
  symbol: 'ETHUSDT',
  base: 'ETH',
};
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

/** Bought 1 at 100, and an exit has left 0.03. Last was 120 in between, and is 80 now. */
function aRest(terms: EntryTerms): OrderManagerBench {
  const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('10') } });
  bench.want(enterLong({ quantity: '1' }, terms));
  bench.fill('test-1-0-0', '1', { price: '100' });
  bench.sample('120');
  bench.want(exit());
  bench.fill('test-2-0-0', '0.97', { price: '100' });
  bench.end('test-2-0-0');
  bench.candle(80);
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

  it.each([
    ['its average price', { stopLoss: { ratio: '0.02' } }, '78.4'],
    ['its trailing stop', { trailingStop: { distance: '5' } }, '75'],
  ])('does not count in the guard of the entry that tops it up: %s', (_, protection, level) => {
    const bench = aRest({ protection });

    bench.want(enterLong({ quantity: '1' }, { protection }));
    bench.fill('test-3-0-0', '1', { price: '80' });

    const [guard] = bench.engine.guards;
    expect(formatFixed(guard?.stop ?? guard?.trailingStop ?? 0n)).toBe(level);
    expect(bench.sample('79.5')).toEqual([]);
  });

  it('leaves its guard to no entry, as no position is held', () => {
    const bench = aRest({ protection: { stopLoss: { ratio: '0.02' } } });
    const guards = bench.engine.guards.length;

    const sent = bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-3-0-0', '1', { price: '80' });

    expect(guards).toBe(1);
    expect(sent).toHaveLength(1);
    expect(bench.engine.guards).toEqual([]);
    expect(bench.sample('79.5')).toEqual([]);
  });

  it('keeps the guard that was set while its entry goes on', () => {
    const bench = new OrderManagerBench({
      rules: { minOrderMoney: parseFixed('10') },
      remainder: 'resend',
    });
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '0.03', { price: '100', fee: '0.00003', feeAsset: 'BTC' });
    bench.end('test-1-0-0');
    const dust = bench.engine.dust.held;

    bench.want(protect({ stopLoss: { price: '95' } }));
    bench.fill('test-1-1-0', '0.97', { price: '100' });

    expect(dust).toHaveLength(1);
    expect(bench.engine.guards).toMatchObject([{ stop: parseFixed('95') }]);
  });

  it('gives an entry by risk no stop of its own', () => {
    const bench = aRest({ protection: { stopLoss: { price: '70' } } });

    expect(bench.want(enterLong({ risk: '0.001' }))).toEqual([]);
    expect(bench.verdict).toBe('no-stop');
  });

  it('is no open position for the limit of positions', () => {
    const bench = new OrderManagerBench({
      instruments: [SPOT, OTHER].map((instrument) => ({ instrument, intervals: ['1min'] })),
      rules: { minOrderMoney: parseFixed('10') },
      protections: { maxOpenPositions: 1 },
    });
    bench.candle(100, { instrumentId: OTHER.id });
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '0.03', { price: '100' });
    bench.end('test-1-0-0');

    expect(bench.want(enterLong({ quantity: '1' }, { instrument: OTHER.id }))).toEqual([
      'test-2-0-0: limit buy open 1 base at 105 GTC',
    ]);
    expect(bench.want(enterLong({ quantity: '1' }))).toEqual([]);
    expect(bench.refusals).toEqual(['max-open-positions']);
  });

  it('ends at the price that makes it worth exactly the minimum', () => {
    const bench = new OrderManagerBench({ rules: { minOrderMoney: parseFixed('5') } });
    bench.candle(1249.69);
    bench.want(enterLong({ quantity: '1' }));
    bench.fill('test-1-0-0', '0.004', { price: '1249.69' });
    bench.end('test-1-0-0');
    const before = bench.engine.dust.held.length;

    bench.candle(1250);

    expect(before).toBe(1);
    expect(bench.engine.dust.held).toEqual([]);
  });

  it('is not tried again at a price that makes it worth the minimum if its quantity is too small', () => {
    const bench = new OrderManagerBench({
      rules: { minOrderMoney: parseFixed('10'), minOrderQuantity: parseFixed('0.05') },
    });
    bench.want(enterLong({ quantity: '1' }, { protection: { stopLoss: { price: '95' } } }));
    bench.fill('test-1-0-0', '0.03', { price: '100' });
    bench.end('test-1-0-0');
    bench.candle(400);

    bench.sample('90');

    expect(bench.refusals).toEqual([]);
    expect(bench.engine.dust.held).toMatchObject([{ quantity: parseFixed('0.03') }]);
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
