import { describe, expect, it } from 'vitest';

import {
  decimal,
  Decimal,
  parseFixed,
  RuleBook,
  type ClientOrderId,
  type DecimalInput,
  type Size,
} from '../../../src/domain/index.js';
import { assess } from '../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  contractRules,
  INVERSE,
  linesOf,
  LINEAR,
  MARGIN,
  refusalOf,
  someRules,
  SPOT,
} from '../../support/risk/builders.js';

/** Plain JavaScript plugins pass anything. */
const untyped = (value: unknown): DecimalInput => value as DecimalInput;

const NO_SIZES: readonly (readonly [string, DecimalInput])[] = [
  ['the text NaN', 'NaN'],
  ['the text Infinity', 'Infinity'],
  ['a Decimal NaN', new Decimal(Number.NaN)],
  ['a Decimal infinity', new Decimal(Infinity)],
  ['no text', ''],
  ['a dot', '.'],
  ['a minus', '-'],
  ['two dots', '1.2.3'],
  ['a comma', '1,5'],
  ['hexadecimal', '0x10'],
  ['a negative number', '-0.5'],
  ['zero', '0'],
  ['a zero Decimal', decimal('0')],
  ['negative zero', '-0.000'],
  ['10^40', '1e40'],
  ['a number with nine billion digits', '1e9000000000'],
  ['a very long text', `x${'9'.repeat(10_000)}`],
  ['a binary number', untyped(0.5)],
  ['a binary NaN', untyped(Number.NaN)],
  ['undefined', untyped(undefined)],
  ['null', untyped(null)],
  ['an object', untyped({})],
  ['an object without text', untyped(Object.create(null))],
];

const ROUND_TO_NOTHING: readonly (readonly [string, DecimalInput])[] = [
  ['1e-30', '1e-30'],
  ['a Decimal of 1e-30', decimal('1e-30')],
  ['the smallest number there is', '1e-8999999999999999'],
  ['just below one step', '0.000009999999999999999999'],
];

describe('assess: invalid sizes', () => {
  it.each(NO_SIZES)(
    'refuses %s as a quantity, a notional and a share of equity',
    (_name, value) => {
      const sizes: readonly Size[] = [{ quantity: value }, { notional: value }, { equity: value }];

      const checks = sizes.map(
        (size) => refusalOf(assess(aProposal({ size }), someRules(), anAccount(), aPolicy())).check,
      );

      expect(checks).toEqual(['invalid-size', 'invalid-size', 'invalid-size']);
    },
  );

  it.each(NO_SIZES)('refuses %s as the size of an exit', (_name, value) => {
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: value } });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount({ long: '1' }), aPolicy()));

    expect(refusal.check).toBe('invalid-size');
  });

  it.each(NO_SIZES.filter(([name]) => name !== 'undefined'))(
    'refuses %s as a price',
    (_name, value) => {
      const proposal = aProposal({ limitPrice: value });

      const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

      expect(refusal.check).toBe('invalid-price');
      expect(refusal.text.length).toBeLessThan(200);
    },
  );

  it.each(ROUND_TO_NOTHING)(
    'refuses %s as a quantity, and suggests the smallest that passes',
    (_name, value) => {
      const proposal = aProposal({ size: { quantity: value } });

      const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

      // 5 USDT at 105 are 0.047619… BTC
      expect(refusal).toMatchObject({
        check: 'min-order-quantity',
        limit: '0.00001',
        actual: '0',
        wouldPass: '0.04762',
      });
    },
  );

  it.each(ROUND_TO_NOTHING)('refuses %s as a buy price', (_name, value) => {
    const proposal = aProposal({ limitPrice: value });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal).toMatchObject({ check: 'invalid-price', wouldPass: '0.01' });
  });

  it('refuses a quantity of 1e30 by the free balance', () => {
    const proposal = aProposal({ size: { quantity: '1e30' } });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal.check).toBe('insufficient-balance');
  });

  it('refuses a price of 1e30 by the free balance', () => {
    const proposal = aProposal({ limitPrice: '1e30' });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal.check).toBe('insufficient-balance');
  });

  it.each([[null], [undefined], ['1'], [7]])('refuses %j as a size', (size) => {
    const proposal = aProposal({ size: size as unknown as Size });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal.check).toBe('invalid-size');
  });

  it('refuses an empty size, and the size all for an entry', () => {
    const sizes = [{} as Size, { all: true } as const];

    const checks = sizes.map(
      (size) => refusalOf(assess(aProposal({ size }), someRules(), anAccount(), aPolicy())).check,
    );

    expect(checks).toEqual(['invalid-size', 'invalid-size']);
  });

  it('accepts scientific notation, a plus sign and omitted digits', () => {
    const lines = ['5e-1', '+0.5', '.5', '0.50', '00.5'].map((quantity) =>
      linesOf(assess(aProposal({ size: { quantity } }), someRules(), anAccount(), aPolicy())),
    );

    expect(new Set(lines.flat())).toEqual(new Set(['limit buy open 0.5 base at 105 GTC']));
  });
});

describe('assess: invalid and extreme numbers in every field', () => {
  const instruments = [SPOT, MARGIN, LINEAR, INVERSE];
  const numbers = ['NaN', 'Infinity', '-Infinity', '-1', '0', '1e-30', '1e30', '1e40'];
  const places = {
    quantity: (value: string) => ({ size: { quantity: value }, limitPrice: '100' }),
    notional: (value: string) => ({ size: { notional: value }, limitPrice: '100' }),
    equity: (value: string) => ({ size: { equity: value }, limitPrice: '100' }),
  };

  it.each(Object.entries(places))(
    'approves no order with an invalid or extreme %s',
    (_place, write) => {
      const asked = instruments.flatMap((instrument) =>
        numbers.map((value) => aProposal({ instrument, ...write(value) })),
      );

      const made = asked.filter(
        (proposal) => assess(proposal, contractRules(), anAccount(), aPolicy()).kind === 'approved',
      );

      expect(made).toEqual([]);
    },
  );

  it.each([
    ['buy', ['NaN', 'Infinity', '-Infinity', '-1', '0', '1e-30', '1e30', '1e40']],
    // Without 1e30 and 1e-30: a sale at a price that no buyer pays is a valid order, and a sale below a tick is one at a tick.
    ['sell', ['NaN', 'Infinity', '-Infinity', '-1', '0', '1e40']],
  ] as const)('approves no order to %s at an invalid or extreme price', (side, prices) => {
    const action = side === 'buy' ? 'open' : 'close';
    const account = anAccount(side === 'buy' ? {} : { long: '9' });
    const asked = instruments.flatMap((instrument) =>
      prices.map((limitPrice) => aProposal({ instrument, side, action, limitPrice })),
    );

    const made = asked.filter(
      (proposal) => assess(proposal, someRules(), account, aPolicy()).kind === 'approved',
    );

    expect(made).toEqual([]);
  });

  it('sells the whole position for a quantity of 1e30, and nothing for 1e-30', () => {
    const exit = (quantity: string) =>
      assess(
        aProposal({ side: 'sell', action: 'close', size: { quantity } }),
        someRules(),
        anAccount({ long: '2' }),
        aPolicy(),
      );

    expect(linesOf(exit('1e30'))).toEqual(['market sell close 2 base']);
    expect(refusalOf(exit('1e-30')).check).toBe('min-order-quantity');
  });
});

describe('assess: the quoted value in a refusal', () => {
  const textOf = (quantity: DecimalInput): string =>
    refusalOf(assess(aProposal({ size: { quantity } }), someRules(), anAccount(), aPolicy())).text;

  it('is the given value, with text in quotes', () => {
    const expected = 'expected a size above 0 as decimal text such as "0.5" (BTC), received';

    expect([textOf('1,5'), textOf(untyped(0.5)), textOf(untyped(Object.create(null)))]).toEqual([
      `${expected} "1,5"`,
      `${expected} 0.5`,
      `${expected} object`,
    ]);
  });

  it('is cut after 60 characters', () => {
    const received = ['x'.repeat(58), 'x'.repeat(59)].map(
      (text) => textOf(text).split('received ')[1],
    );

    expect(received).toEqual([`"${'x'.repeat(58)}"`, `"${'x'.repeat(59)}…`]);
  });

  it('is the given price, or the formula of the market price', () => {
    const policy = aPolicy({ marketBand: parseFixed('1') });
    const short = aProposal({ instrument: LINEAR, side: 'sell', size: { quantity: '100' } });

    const refusals = [
      assess(aProposal({ limitPrice: '0' }), someRules(), anAccount(), aPolicy()),
      assess(short, someRules(), anAccount(), policy),
    ].map(refusalOf);

    expect(refusals.map(({ actual }) => actual)).toEqual(['"0"', 'last price × (1 ± marketBand)']);
    // The lowest price that passes is one tick.
    expect(refusals.map(({ limit }) => limit)).toEqual(['0.01', '0.01']);
  });
});

describe('assess: orders that cannot be traded', () => {
  it('refuses an instrument without rules', () => {
    const refusal = refusalOf(assess(aProposal(), undefined, anAccount(), aPolicy()));

    expect(refusal).toMatchObject({ check: 'no-rules' });
    expect(refusal.text).toContain('spot:BTCUSDT');
  });

  it('refuses entries and exits of an instrument that is not tradable', () => {
    const rules = someRules({ tradable: false });
    const exit = aProposal({ side: 'sell', action: 'close', size: { all: true } });

    const checks = [aProposal(), exit].map(
      (proposal) => refusalOf(assess(proposal, rules, anAccount({ long: '1' }), aPolicy())).check,
    );

    expect(checks).toEqual(['not-tradable', 'not-tradable']);
  });

  it('refuses an instrument during the hours in which it is not tradable', () => {
    const hour = 3_600_000;
    const now = 1_750_000_000_000;
    const book = new RuleBook();
    book.set(SPOT.id, [
      { from: 0, rules: someRules() },
      { from: now - hour, rules: someRules({ tradable: false }) },
      { from: now + hour, rules: someRules() },
    ]);

    const verdicts = [now - hour - 1, now - hour, now, now + hour - 1, now + hour].map((time) => {
      const account = anAccount({ now: time });
      return assess(aProposal(), book.at(SPOT.id, time), account, aPolicy());
    });

    expect(
      verdicts.map((each) => (each.kind === 'refused' ? each.refusal.check : each.kind)),
    ).toEqual(['approved', 'not-tradable', 'not-tradable', 'not-tradable', 'approved']);
  });

  it('refuses to sell spot short', () => {
    const proposal = aProposal({ side: 'sell', action: 'open' });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal).toEqual({
      check: 'spot-short',
      limit: '0',
      actual: 'sell to open',
      unit: 'BTC',
      text: 'spot cannot be sold short; use margin or futures',
    });
  });

  it('refuses to buy back a spot short, which cannot exist', () => {
    const proposal = aProposal({ side: 'buy', action: 'close', size: { all: true } });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal.check).toBe('nothing-to-close');
  });

  it.each(['IOC', 'FOK', 'POST_ONLY'] as const)('refuses %s on spot and margin', (timeInForce) => {
    const proposals = [undefined, MARGIN].map((instrument) =>
      aProposal({ timeInForce, limitPrice: '99', ...(instrument && { instrument }) }),
    );

    const refusals = proposals.map((proposal) =>
      refusalOf(assess(proposal, someRules(), anAccount(), aPolicy())),
    );

    expect(refusals).toMatchObject([
      { check: 'time-in-force', limit: 'GTC', actual: timeInForce },
      { check: 'time-in-force', limit: 'GTC', actual: timeInForce },
    ]);
  });

  it('refuses an entry before a price is known, unless it has a limit price', () => {
    const account = anAccount({ last: null });
    const sizes: readonly Size[] = [{ quantity: '1' }, { notional: '100' }, { equity: '0.5' }];

    const checks = sizes.map(
      (size) => refusalOf(assess(aProposal({ size }), someRules(), account, aPolicy())).check,
    );
    const named = assess(aProposal({ limitPrice: '99' }), someRules(), account, aPolicy());

    expect(checks).toEqual(['no-price', 'no-price', 'no-price']);
    expect(named.kind).toBe('approved');
  });

  it('refuses an exit in money before a price is known', () => {
    const account = anAccount({ last: null, long: '1' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { notional: '10' } });

    expect(refusalOf(assess(proposal, someRules(), account, aPolicy())).check).toBe('no-price');
  });

  it('treats a last price of 0 as no price', () => {
    const refusal = refusalOf(
      assess(aProposal(), someRules(), anAccount({ last: '0' }), aPolicy()),
    );

    expect(refusal.check).toBe('no-price');
  });

  it('refuses a market band that leaves no price', () => {
    const proposal = aProposal({ instrument: LINEAR, side: 'sell', size: { quantity: '100' } });
    const policy = aPolicy({ marketBand: parseFixed('1') });

    expect(refusalOf(assess(proposal, someRules(), anAccount(), policy))).toMatchObject({
      check: 'invalid-price',
      limit: '0.01',
      text: 'the order has no limit price and goes out at last less marketBand, 100 × (1 - 1), which is below one tick of 0.01 USDT: give a limit price, or a smaller risk.marketBand',
    });
  });
});

describe('assess: the smallest order', () => {
  it('refuses less money than the minimum, and suggests the minimum', () => {
    const proposal = aProposal({ size: { notional: '4.99' } });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal).toEqual({
      check: 'min-order-money',
      limit: '5',
      actual: '4.99',
      unit: 'USDT',
      text: '4.99 USDT is less than the smallest order of 5 USDT; 5 USDT would pass',
      wouldPass: '5',
      wouldPassUnit: 'USDT',
    });
  });

  it('measures a quantity at the order price', () => {
    const proposal = aProposal({ size: { quantity: '0.05' }, limitPrice: '99.99' });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    // 0.05 × 99.99 = 4.9995; 5 / 99.99 = 0.0500050005…
    expect(refusal).toMatchObject({
      check: 'min-order-money',
      actual: '4.9995',
      wouldPass: '0.05001',
      wouldPassUnit: 'BTC',
    });
  });

  it('refuses money that buys less than the smallest quantity', () => {
    const rules = someRules({ minOrderQuantity: '0.1' });
    const proposal = aProposal({ size: { notional: '9' } });

    const refusal = refusalOf(assess(proposal, rules, anAccount(), aPolicy()));

    expect(refusal).toMatchObject({
      check: 'min-order-quantity',
      limit: '0.1',
      actual: '0.09',
      unit: 'BTC',
      wouldPass: '10', // 0.1 BTC at 100
      wouldPassUnit: 'USDT',
    });
  });

  it('suggests the part of a position that can be closed, up to the whole position', () => {
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '0.01' } });
    const policy = aPolicy({ dust: 'leave' });

    const passing = ['0.05', '0.04999'].map(
      (long) => refusalOf(assess(proposal, someRules(), anAccount({ long }), policy)).wouldPass,
    );

    // 5 USDT at 100
    expect(passing).toEqual(['0.05', undefined]);
  });

  it('suggests no size if the largest order is below the smallest', () => {
    const rules = someRules({ maxLimitQuantity: '0.04', minOrderMoney: '5' });
    const just = someRules({ maxLimitQuantity: '0.05', minOrderMoney: '5' });
    const proposal = aProposal({ size: { quantity: '0.01' }, limitPrice: '100' });

    const refusals = [rules, just].map((one) =>
      refusalOf(assess(proposal, one, anAccount(), aPolicy())),
    );

    expect(refusals.map(({ wouldPass }) => wouldPass)).toEqual([undefined, '0.05']);
    expect(refusals[0]?.text).toBe(
      '1 USDT is less than the smallest order of 5 USDT, and no order this venue takes is large enough',
    );
  });

  it('reports that a position is too small to be closed', () => {
    const proposal = aProposal({ side: 'sell', action: 'close', size: { all: true } });

    const refusal = refusalOf(
      assess(proposal, someRules(), anAccount({ long: '0.04' }), aPolicy()),
    );

    expect(refusal).toMatchObject({ check: 'min-order-money', actual: '4' });
    expect(refusal.wouldPass).toBeUndefined();
    expect(refusal.text).toBe(
      '4 USDT is less than the smallest order of 5 USDT; all that can be closed is 0.04 BTC, too little to trade alone',
    );
  });

  it('reports that a position below one step counts as flat', () => {
    const proposal = aProposal({ side: 'sell', action: 'close', size: { all: true } });

    const refusal = refusalOf(
      assess(proposal, someRules(), anAccount({ long: '0.000004' }), aPolicy()),
    );

    expect(refusal).toMatchObject({
      check: 'nothing-to-close',
      text: 'nothing to close: holds 0.000004 BTC long, less than one step of 0.00001 BTC: the position counts as flat',
    });
  });

  it('reports that the coins of a position are not free', () => {
    const proposal = aProposal({ side: 'sell', action: 'close', size: { all: true } });
    const account = anAccount({ long: '1', free: { BTC: '0' } });

    expect(refusalOf(assess(proposal, someRules(), account, aPolicy())).text).toBe(
      'nothing to close: holds 1 BTC long, of which 0 are free',
    );
  });

  it('refuses a share of an account without value', () => {
    const proposal = aProposal({ size: { equity: '1' } });

    const refusal = refusalOf(
      assess(proposal, someRules(), anAccount({ equity: '-5' }), aPolicy()),
    );

    expect(refusal.check).toBe('min-order-quantity');
  });
});

describe('assess: client order ids', () => {
  const withId = (id: string) =>
    assess(
      aProposal({ clientOrderId: () => id as ClientOrderId }),
      someRules(),
      anAccount(),
      aPolicy(),
    );

  it('accepts 31 characters', () => {
    expect(withId('x'.repeat(31)).kind).toBe('approved');
  });

  it.each(['', 'x'.repeat(32)])('refuses "%s"', (id) => {
    expect(refusalOf(withId(id))).toMatchObject({
      check: 'client-order-id',
      limit: '31',
      actual: String(id.length),
    });
  });
});
