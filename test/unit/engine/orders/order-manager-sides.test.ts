import { describe, expect, it } from 'vitest';

import type { Direction, Instrument } from '../../../../src/domain/index.js';
import {
  enterLong,
  enterShort,
  exit,
  flatten,
  protect,
  cancel,
} from '../../../../src/strategy/index.js';
import { INVERSE, LINEAR, MARGIN } from '../../../support/risk/builders.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import type { EngineSetup } from '../../../support/engine/engine.js';

const TEN = { quantity: '10' };

function aBench(instrument: Instrument = LINEAR, setup: EngineSetup = {}): OrderManagerBench {
  const bench = new OrderManagerBench({
    instruments: [{ instrument, intervals: ['1min'] }],
    ...setup,
  });
  bench.candle(100);
  return bench;
}

/** A bench that holds 10 contracts of each side named, entered at 100 as orders 1, 2, … */
function holding(
  directions: readonly Direction[],
  setup: EngineSetup = {},
  terms: object = {},
): OrderManagerBench {
  const bench = aBench(LINEAR, setup);
  for (const [at, direction] of directions.entries()) {
    bench.want({ kind: 'enter', direction, size: TEN, ...terms });
    bench.fill(`test-${String(at + 1)}-0-0`, '10', { price: '100' });
  }
  return bench;
}

describe('an entry in contracts', () => {
  it('is sent as IOC at the band, up for a long and down for a short', () => {
    expect(aBench().want(enterLong(TEN))).toEqual([
      'test-1-0-0: limit buy open 10 contracts at 105 IOC',
    ]);
    expect(aBench().want(enterShort(TEN))).toEqual([
      'test-1-0-0: limit sell open 10 contracts at 95 IOC',
    ]);
  });

  it('is sent as MARKET with a quote amount if its size is money, and fills count by their value', () => {
    const bench = aBench();

    const sent = bench.want(enterShort({ notional: '50' }));
    bench.fill('test-1-0-0', '400');

    // 400 × 0.001 × 100 = 40 of 50
    expect(sent).toEqual(['test-1-0-0: market sell open 50 quote']);
    expect(bench.status('test-1-0-0')).toBe('partially-filled');
    bench.end('test-1-0-0');
    expect(bench.held('short')).toBe('400');
  });

  it('is not followed by a cancel of its rest, because the venue cancels it', () => {
    const bench = aBench();
    bench.want(enterLong(TEN));

    expect(bench.accept('test-1-0-0')).toEqual([]);
  });

  it('sends its rest again if remainders are sent again', () => {
    const bench = aBench(LINEAR, { remainder: 'resend' });
    bench.want(enterShort(TEN));
    bench.fill('test-1-0-0', '4', { price: '100' });
    bench.end('test-1-0-0');

    expect(bench.candle(100)).toEqual(['test-1-1-0: limit sell open 6 contracts at 95 IOC']);
  });

  it('reserves margin, fee and its initial loss, and then uses margin for the fill', () => {
    const bench = aBench(LINEAR, { fees: { maker: '0.0002', taker: '0.001' } });
    bench.mark(99);
    bench.want(enterLong(TEN));
    const working = bench.free('USDT');
    bench.fill('test-1-0-0', '10', { price: '100' });

    // 10 × 0.001 × 105 = 1.05: ÷ 5 = 0.21, × 0.001 = 0.00105, and 1.05 − 0.99 = 0.06
    expect(working).toBe('9999.72895');
    // 1 ÷ 5 is set aside; the loss at mark is the isolated position's own
    expect(bench.free('USDT')).toBe('9999.8');
  });
});

describe('exits of contracts', () => {
  it('close the held side', () => {
    expect(holding(['short']).want(exit())).toEqual(['test-2-0-0: market buy close 10 contracts']);
  });

  it('close both sides without a direction, and one side with it', () => {
    expect(holding(['long', 'short']).want(exit())).toEqual([
      'test-3-0-0: market sell close 10 contracts',
      'test-3-1-0: market buy close 10 contracts',
    ]);
    expect(holding(['long', 'short']).want(exit({ direction: 'short' }))).toEqual([
      'test-3-0-0: market buy close 10 contracts',
    ]);
  });

  it('are also sent by flatten', () => {
    expect(holding(['long', 'short']).want(flatten())).toEqual([
      'test-3-0-0: market sell close 10 contracts',
      'test-3-1-0: market buy close 10 contracts',
    ]);
  });
});

describe('guards of a short', () => {
  it('stop above and take profit below the entry', () => {
    const bench = holding(
      ['short'],
      {},
      {
        protection: { stopLoss: { price: '110' }, takeProfit: { distance: '10' } },
      },
    );

    expect(bench.working).toEqual(['test-2-0-0 submitting']);
    bench.accept('test-2-0-0');
    expect(bench.sample('109.99')).toEqual([]);
    expect(bench.sample('110')).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual(['test-3-0-0: market buy close 10 contracts']);
  });

  it('trail the lowest last price', () => {
    const bench = holding(['short'], {}, { protection: { trailingStop: { distance: '5' } } });

    expect([bench.sample('90'), bench.sample('94.99')]).toEqual([[], []]);
    expect(bench.sample('95')).toEqual(['test-2-0-0: market buy close 10 contracts']);
  });

  it('watch both sides separately', () => {
    const bench = holding(['long', 'short'], {}, { protection: { stopLoss: { distance: '5' } } });

    expect(bench.sample('95')).toEqual(['test-3-0-0: market sell close 10 contracts']);
    expect(bench.sample('105')).toEqual(['test-4-0-0: market buy close 10 contracts']);
  });
});

describe('protect', () => {
  it('guards the held side', () => {
    const bench = holding(['short']);

    bench.want(protect({ stopLoss: { price: '110' } }));

    expect(bench.sample('110')).toEqual(['test-3-0-0: market buy close 10 contracts']);
  });

  it('is refused without a side if both sides are held, and guards the named side', () => {
    const bench = holding(['long', 'short']);

    bench.want(protect({ stopLoss: { price: '110' } }));
    const asked = bench.verdict;
    bench.want(protect({ stopLoss: { price: '110' } }, undefined, 'short'));

    expect(asked).toBe('both-sides-held');
    expect(bench.sample('110')).toEqual(['test-5-0-0: market buy close 10 contracts']);
  });

  it('measures from the harmonic average price of inverse contracts', () => {
    const bench = aBench({ ...INVERSE, quote: 'USDT' }, { balances: { BTC: '100' } });
    for (const [id, contracts, price] of [
      ['1', '100', '5000'],
      ['2', '200', '6000'],
    ] as const) {
      bench.candle(Number(price));
      bench.want(enterLong({ quantity: contracts }, { add: true, limitPrice: price }));
      bench.fill(`test-${id}-0-0`, contracts, { price, feeAsset: 'BTC' });
    }

    bench.want(protect({ stopLoss: { distance: '25' } }));

    // 3,000 ÷ (1,000 ÷ 5,000 + 2,000 ÷ 6,000) = 5,625
    expect(bench.sample('5600.01')).toEqual([]);
    expect(bench.sample('5600')).toEqual(['test-4-0-0: market sell close 300 contracts']);
  });
});

describe.each([
  { name: 'contracts in one-way mode', instrument: LINEAR, setup: { positionMode: 'oneWay' } },
  { name: 'a margin pair', instrument: MARGIN, setup: {} },
] as const)('a flip of $name', ({ instrument, setup }) => {
  const size = { quantity: '10' };
  const short = (): OrderManagerBench => {
    const bench = aBench(instrument, setup);
    bench.want(enterShort(size, { limitPrice: '100' }));
    bench.fill('test-1-0-0', '10', { price: '100' });
    return bench;
  };

  it('closes, waits for the end, then opens', () => {
    const bench = short();

    const first = bench.want(enterLong(size, { limitPrice: '99' }));
    const again = bench.want(enterLong(size, { limitPrice: '98' }));
    const then = bench.fill('test-3-0-0', '10', { price: '100' });

    expect(first).toHaveLength(1);
    expect(first[0]).toMatch(/^test-3-0-0: \w+ buy close 10 /);
    expect(again).toEqual([]);
    expect(then).toHaveLength(1);
    // The flip uses the limit of the newer intent.
    expect(then[0]).toMatch(/^test-4-0-0: limit buy open 10 \w+ at 98 GTC$/);
    expect(bench.refusals).toContain('outdated');
    expect(bench.held('short')).toBe('0');
  });

  it('cancels an entry of the other side first', () => {
    const bench = aBench(instrument, setup);
    bench.want(enterShort(size, { limitPrice: '110' }));
    bench.accept('test-1-0-0');

    const first = bench.want(enterLong(size, { limitPrice: '99' }));
    const then = bench.end('test-1-0-0');

    expect(first).toEqual(['cancel test-1-0-0']);
    expect(then[0]).toMatch(/^test-2-0-0: limit buy open 10 /);
  });

  it('is refused if the other side could not be closed', () => {
    const bench = short();
    bench.want(enterLong(size, { limitPrice: '99' }));

    const then = bench.end('test-3-0-0', 'rejected');

    expect(then).toEqual([]);
    expect(bench.verdict).toBe('other-side-held');
    expect(bench.held('short')).toBe('10');
  });

  it.each([
    ['exit', exit()],
    ['flatten', flatten()],
    ['cancel', cancel({ intentId: 2 })],
    ['an entry where it was', enterShort(size)],
  ])('is given up after %s', (_name, planned) => {
    const bench = short();
    bench.want(enterLong(size, { limitPrice: '99' }));

    bench.want(planned);

    expect(bench.fill('test-3-0-0', '10', { price: '100' })).toEqual([]);
    expect(bench.working).toEqual([]);
  });
});

describe('a margin short with a fee in base', () => {
  it('is bought back with the fee added, so that no debt is left', () => {
    const bench = aBench(MARGIN, { fees: { maker: '0.001', taker: '0.001' } });
    bench.want(enterShort({ quantity: '10' }, { limitPrice: '100' }));
    bench.fill('test-1-0-0', '10', { price: '100', fee: '1' });

    const sent = bench.want(exit());
    bench.fill('test-2-0-0', '10.011', { price: '100', fee: '0.010011', feeAsset: 'BTC' });

    // 10 / 0.999 = 10.01…, up to the step; 10.011 − 0.010011 − 10 stays in the balance
    expect(sent).toEqual(['test-2-0-0: limit buy close 10.011 base at 105 GTC']);
    expect(bench.held('short')).toBe('0');
    expect(bench.free('BTC')).toBe('0.000989');
    expect(bench.engine.portfolio.residual()).toBe(0n);
  });
});

describe('a fill that the venue forced', () => {
  it('reduces the position, is reported as a fill, and is listed as an order', () => {
    const bench = holding(['short'], {}, { protection: { stopLoss: { price: '130' } } });

    const commands = bench.force('short', '10', { price: '120', insurance: '0.05' });

    expect(commands).toEqual([]);
    expect(bench.held('short')).toBe('0');
    expect(bench.engine.watchesLast).toBe(false);
    const order = [...bench.engine.orders].at(-1);
    expect([order?.status, order?.reason?.code]).toEqual(['filled', 'liquidation']);
    expect([...bench.engine.fills].map(({ cause }) => cause)).toEqual([undefined, 'liquidation']);
    // 10,000 − 10 × 0.001 × 20 + 0.05
    expect(bench.free('USDT')).toBe('9999.85');
    expect(bench.engine.portfolio.residual()).toBe(0n);
  });

  it('cancels the orders that would have closed the position', () => {
    const bench = holding(['long'], {}, { protection: { takeProfit: { price: '120' } } });
    bench.accept('test-2-0-0');

    expect(bench.force('long', '10')).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual([]);
  });

  it('reduces the take-profit if a part of the position is left', () => {
    const bench = holding(['long'], {}, { protection: { takeProfit: { price: '120' } } });
    bench.accept('test-2-0-0');

    expect(bench.force('long', '6')).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual([
      'test-3-0-0: limit sell close 4 contracts at 120 GTC',
    ]);
  });

  it('does not affect the other side', () => {
    const bench = holding(['long', 'short']);

    bench.force('long', '10', { cause: 'netting' });

    expect([bench.held('long'), bench.held('short')]).toEqual(['0', '10']);
    expect(bench.want(exit())).toEqual(['test-3-0-0: market buy close 10 contracts']);
  });

  it('lets a flip continue', () => {
    const bench = holding(['short'], { positionMode: 'oneWay' });
    bench.want(enterLong(TEN, { limitPrice: '99' }));

    bench.force('short', '10');

    expect(bench.end('test-3-0-0', 'canceled')).toEqual([
      'test-2-0-0: limit buy open 10 contracts at 99 GTC',
    ]);
  });
});

describe('the end of the data', () => {
  it('expires orders that never reached the venue, and sends nothing more', () => {
    const bench = holding(['long'], {}, { protection: { takeProfit: { price: '120' } } });
    bench.accept('test-2-0-0');
    bench.want(enterLong(TEN, { add: true, limitPrice: '90' }));

    const commands = bench.endData();

    expect(commands).toEqual([]);
    expect([bench.status('test-2-0-0'), bench.status('test-3-0-0')]).toEqual(['open', 'expired']);
    // 10 × 0.001 × 100 ÷ 5 is set aside, no order holds back money
    expect(bench.free('USDT')).toBe('9999.8');
    expect(bench.want(exit())).toEqual([]);
  });
});
