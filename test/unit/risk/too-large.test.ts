import { describe, expect, it } from 'vitest';

import { assess, type TooLargePolicy } from '../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  approvedOf,
  line,
  linesOf,
  refusalOf,
  someFees,
  someRules,
} from '../../support/risk/builders.js';

const both = (choice: TooLargePolicy) => aPolicy({ tooLarge: { entries: choice, exits: choice } });
const limitBuy = (quantity: string) => aProposal({ size: { quantity }, limitPrice: '100' });
const exitAll = aProposal({ side: 'sell', action: 'close', size: { all: true } });

describe('assess: above a maximum', () => {
  it('refuses an entry by default, and suggests the largest that passes', () => {
    const rules = someRules({ maxLimitQuantity: '10' });

    const refusal = refusalOf(assess(limitBuy('25'), rules, anAccount(), aPolicy()));

    expect(refusal).toEqual({
      check: 'max-order-quantity',
      limit: '10',
      actual: '25',
      unit: 'BTC',
      text: '25 BTC is more than the venue takes in one limit order, 10 BTC (max-order-quantity 10); 10 BTC would pass',
      wouldPass: '10',
      wouldPassUnit: 'BTC',
    });
  });

  it('refuses an entry whose legs need more money than the whole, because each fee rounds up', () => {
    const rules = someRules({ minOrderMoney: '0.1', maxMarketMoney: '0.5' });
    const policy = {
      ...both('split'),
      fees: () => someFees({ maker: '0', taker: '0.000000000000000001', paidIn: 'quote' }),
    };
    const proposal = aProposal({ size: { notional: '1.5' } });
    // The fee on 1.5 is 1.5 × 10^-18, on each of three legs 0.5 × 10^-18, which rounds up to 10^-18.
    const verdicts = ['1.500000000000000002', '1.500000000000000003'].map((USDT) =>
      assess(proposal, rules, anAccount({ free: { USDT } }), policy),
    );

    expect(verdicts.map(({ kind }) => kind)).toEqual(['refused', 'approved']);
    expect(verdicts[0]).toMatchObject({
      refusal: { check: 'insufficient-balance', actual: '1.500000000000000003' },
    });
  });

  it('sweeps a remainder only if the exit stays within the maximum of 100 orders', () => {
    // 199.5 would leave 0.5, too little to be sold alone, so 200 are sold: 100 orders of 2. 101 orders would be too many.
    const rules = someRules({ maxMarketQuantity: '2', minOrderQuantity: '0.9' });
    const exits = [
      ['199.5', '200'],
      ['200', '200.5'],
    ] as const;

    const kinds = exits.map(([quantity, long]) => {
      const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity } });
      const { changes } = approvedOf(assess(proposal, rules, anAccount({ long }), aPolicy()));
      return changes.map(({ kind }) => kind);
    });

    expect(kinds).toEqual([
      ['swept', 'split'],
      ['dust-left', 'split'],
    ]);
  });

  it('splits an exit by default into equal legs, surplus steps first', () => {
    const rules = someRules({ maxMarketQuantity: '10', quantityPrecision: 0 });
    const account = anAccount({ long: '25' });

    const { orders, changes } = approvedOf(assess(exitAll, rules, account, aPolicy()));

    expect(orders.map(line)).toEqual([
      'market sell close 9 base',
      'market sell close 8 base',
      'market sell close 8 base',
    ]);
    expect(orders.map(({ clientOrderId }) => clientOrderId)).toEqual([
      'bot-7-0-0',
      'bot-7-0-1',
      'bot-7-0-2',
    ]);
    expect(changes).toEqual([{ kind: 'split', field: 'quantity', from: '25', to: '9 + 8 + 8' }]);
  });

  it('clamps to the largest order', () => {
    const rules = someRules({ maxLimitQuantity: '10.000004' });

    const { orders, changes } = approvedOf(
      assess(limitBuy('25'), rules, anAccount(), both('clamp')),
    );

    expect(orders.map(line)).toEqual(['limit buy open 10 base at 100 GTC']);
    expect(changes).toEqual([{ kind: 'clamped', field: 'quantity', from: '25', to: '10' }]);
  });

  it('splits a quote amount by the maximum in money', () => {
    const rules = someRules({ maxMarketMoney: '400' });
    const proposal = aProposal({ size: { notional: '1000' } });

    expect(linesOf(assess(proposal, rules, anAccount(), both('split')))).toEqual([
      'market buy open 333.33333334 quote',
      'market buy open 333.33333333 quote',
      'market buy open 333.33333333 quote',
    ]);
  });

  it('applies the tighter maximum of quantity and money to a quote amount', () => {
    const byQuantity = someRules({ maxMarketQuantity: '3', maxMarketMoney: '400' });
    const byMoney = someRules({ maxMarketQuantity: '5', maxMarketMoney: '400' });
    const proposal = aProposal({ size: { notional: '1000' } });

    const refusals = [byQuantity, byMoney].map((rules) =>
      refusalOf(assess(proposal, rules, anAccount(), aPolicy())),
    );

    expect(refusals).toMatchObject([
      { check: 'max-order-quantity', limit: '300', wouldPass: '300' }, // 3 × 100
      { check: 'max-order-money', limit: '400', wouldPass: '400' },
    ]);
  });

  it('converts the maximum in money of a MARKET exit at the last price', () => {
    const rules = someRules({ maxMarketMoney: '400' });
    const account = anAccount({ long: '10' });

    expect(linesOf(assess(exitAll, rules, account, both('clamp')))).toEqual([
      'market sell close 4 base',
    ]);
  });

  it('does not apply the maximum of MARKET orders to LIMIT orders', () => {
    const rules = someRules({ maxMarketQuantity: '1', maxMarketMoney: '100' });

    expect(linesOf(assess(limitBuy('25'), rules, anAccount(), aPolicy()))).toEqual([
      'limit buy open 25 base at 100 GTC',
    ]);
  });

  it('clamps an exit to a quantity whose rest can be sold later', () => {
    // 10 of 10.03 would leave 3 USDT worth; 5 USDT at 100 are 0.05.
    const rules = someRules({ maxMarketQuantity: '10' });
    const account = anAccount({ long: '10.03' });

    expect(linesOf(assess(exitAll, rules, account, both('clamp')))).toEqual([
      'market sell close 9.98 base',
    ]);
  });

  it('sends only the legs of an exit that are large enough', () => {
    // 5 in three legs of at most 2 would end with 1.
    const rules = someRules({
      maxMarketQuantity: '2',
      minOrderQuantity: '2',
      quantityPrecision: 0,
      minOrderMoney: '0',
    });
    const account = anAccount({ long: '5' });

    const { orders, changes } = approvedOf(assess(exitAll, rules, account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 2 base', 'market sell close 2 base']);
    expect(changes).toEqual([
      { kind: 'clamped', field: 'quantity', from: '5', to: '4' },
      { kind: 'dust-left', field: 'quantity', from: '1', to: '1' },
    ]);
  });

  it.each(['refuse', 'clamp', 'split'] as const)(
    'does not sweep a remainder if it pushes an exit beyond its maximum (%s)',
    (choice) => {
      // Sweeping the last 1 of 176 would need two legs of 88, each below the minimum.
      const rules = someRules({
        maxMarketQuantity: '175',
        minOrderQuantity: '175',
        quantityPrecision: 0,
      });
      const account = anAccount({ long: '176' });
      const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '175' } });

      const { orders, changes } = approvedOf(assess(proposal, rules, account, both(choice)));

      expect(orders.map(line)).toEqual(['market sell close 175 base']);
      expect(changes).toEqual([{ kind: 'dust-left', field: 'quantity', from: '1', to: '1' }]);
    },
  );

  it('sweeps a remainder beyond a maximum if the legs remain large enough', () => {
    const rules = someRules({ maxMarketQuantity: '10', quantityPrecision: 2 });
    const account = anAccount({ long: '10.04' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '10' } });

    expect(linesOf(assess(proposal, rules, account, aPolicy()))).toEqual([
      'market sell close 5.02 base',
      'market sell close 5.02 base',
    ]);
  });

  it('reports the rest of a clamped exit with warn, and not with leave', () => {
    const rules = someRules({ maxMarketQuantity: '10' });
    const account = anAccount({ long: '10.03' });

    const verdicts = (['warn', 'leave'] as const).map((dust) =>
      approvedOf(assess(exitAll, rules, account, { ...both('clamp'), dust })),
    );

    expect(verdicts.map(({ orders }) => orders.map(line))).toEqual([
      ['market sell close 10 base'],
      ['market sell close 10 base'],
    ]);
    expect(verdicts.map(({ changes }) => changes.map(({ kind, from }) => [kind, from]))).toEqual([
      [
        ['clamped', '10.03'],
        ['dust-left', '0.03'],
      ],
      [['clamped', '10.03']],
    ]);
  });

  it('clamps an exit to the maximum if its rest can be sold', () => {
    const rules = someRules({ maxMarketQuantity: '10' });

    const { orders, changes } = approvedOf(
      assess(exitAll, rules, anAccount({ long: '10.05' }), both('clamp')),
    );

    expect(orders.map(line)).toEqual(['market sell close 10 base']);
    expect(changes).toEqual([{ kind: 'clamped', field: 'quantity', from: '10.05', to: '10' }]);
  });

  it.each([1, 2, 100])('clamps an entry to one order with room for %s', (maxWorkingOrders) => {
    const rules = someRules({ maxLimitQuantity: '10', maxWorkingOrders });

    expect(linesOf(assess(limitBuy('45'), rules, anAccount(), both('clamp')))).toEqual([
      'limit buy open 10 base at 100 GTC',
    ]);
  });

  it('reports the legs of a split entry', () => {
    const rules = someRules({ maxLimitQuantity: '10' });

    const { changes } = approvedOf(assess(limitBuy('25'), rules, anAccount(), both('split')));

    expect(changes).toEqual([
      { kind: 'split', field: 'quantity', from: '25', to: '8.33334 + 8.33333 + 8.33333' },
    ]);
  });

  it('refuses a split quote amount whose legs would buy too little', () => {
    // 500 in two legs of at most 400 are 250 each, 2.5 BTC at 100.
    const rules = someRules({ maxMarketMoney: '400', minOrderQuantity: '2.6' });
    const proposal = aProposal({ size: { notional: '500' } });

    expect(refusalOf(assess(proposal, rules, anAccount(), both('split')))).toMatchObject({
      check: 'min-order-quantity',
      actual: '2.5',
      wouldPass: '260',
    });
  });

  it('refuses a split quantity whose legs would be too small', () => {
    // 11 in two legs of at most 10 are 5.5 each.
    const rules = someRules({ maxLimitQuantity: '10', minOrderQuantity: '6' });

    const refusal = refusalOf(assess(limitBuy('11'), rules, anAccount(), both('split')));

    expect(refusal).toMatchObject({ check: 'min-order-quantity', limit: '6', actual: '5.5' });
  });

  it('refuses with every policy if the maximum is less than one step', () => {
    const rules = someRules({ maxLimitQuantity: '0.5', quantityPrecision: 0 });

    const checks = (['refuse', 'clamp', 'split'] as const).map((choice) =>
      refusalOf(assess(limitBuy('2'), rules, anAccount(), both(choice))),
    );

    expect(checks.map(({ check }) => check)).toEqual(Array(3).fill('max-order-quantity'));
    expect(checks[0]?.wouldPass).toBeUndefined();
  });

  it('refuses an entry of more than 100 legs', () => {
    const rules = someRules({ maxLimitQuantity: '0.1' });

    expect(linesOf(assess(limitBuy('10'), rules, anAccount(), both('split')))).toHaveLength(100);
    expect(refusalOf(assess(limitBuy('10.01'), rules, anAccount(), both('split'))).check).toBe(
      'max-order-quantity',
    );
  });

  it('compares the free balance before it clamps', () => {
    const rules = someRules({ maxLimitQuantity: '10' });

    const refusal = refusalOf(assess(limitBuy('101'), rules, anAccount(), both('clamp')));

    expect(refusal).toMatchObject({ check: 'insufficient-balance', wouldPass: '10' });
  });
});

describe('assess: working orders', () => {
  it('approves an order up to the maximum, and refuses one more', () => {
    const rules = someRules({ maxWorkingOrders: 3 });

    expect(assess(limitBuy('1'), rules, anAccount({ working: 2 }), aPolicy()).kind).toBe(
      'approved',
    );
    expect(refusalOf(assess(limitBuy('1'), rules, anAccount({ working: 3 }), aPolicy()))).toEqual({
      check: 'max-working-orders',
      limit: '3',
      actual: '4',
      unit: 'orders',
      text: 'spot:BTCUSDT has 3 working orders, and 1 more would exceed the 3 the venue allows',
    });
  });

  it('refuses an entry whose legs exceed the maximum', () => {
    const rules = someRules({ maxWorkingOrders: 3, maxLimitQuantity: '10' });

    const refusal = refusalOf(
      assess(limitBuy('25'), rules, anAccount({ working: 1 }), both('split')),
    );

    expect(refusal).toMatchObject({ check: 'max-working-orders', limit: '3', actual: '4' });
  });

  it('sends all legs of an exit up to the maximum', () => {
    const rules = someRules({ maxWorkingOrders: 4, maxMarketQuantity: '10' });
    const account = anAccount({ long: '24', working: 1 });

    expect(linesOf(assess(exitAll, rules, account, aPolicy()))).toEqual(
      Array(3).fill('market sell close 8 base'),
    );
  });

  it('sends only as many legs of an exit as the maximum allows', () => {
    const rules = someRules({ maxWorkingOrders: 3, maxMarketQuantity: '10' });
    const account = anAccount({ long: '25', working: 1 });

    const { orders, changes } = approvedOf(assess(exitAll, rules, account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 10 base', 'market sell close 10 base']);
    expect(changes).toEqual([{ kind: 'clamped', field: 'quantity', from: '25', to: '20' }]);
  });
});
