import { describe, expect, it } from 'vitest';

import { assess } from '../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  ETHBTC,
  approvedOf,
  line,
  linesOf,
  refusalOf,
  someFees,
  someRules,
} from '../../support/risk/builders.js';

const PAID_IN_QUOTE = aPolicy({ fees: () => someFees({ paidIn: 'quote' }) });

describe('assess: spot entries', () => {
  it('spends a notional as a MARKET quote amount', () => {
    const proposal = aProposal({ size: { notional: '250' } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(orders.map(line)).toEqual(['market buy open 250 quote']);
    expect(changes).toEqual([]);
  });

  it('rounds a notional down to 8 decimals', () => {
    const proposal = aProposal({ size: { notional: '250.123456789' } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(orders.map(line)).toEqual(['market buy open 250.12345678 quote']);
    expect(changes).toEqual([
      { kind: 'rounded', field: 'quantity', from: '250.123456789', to: '250.12345678' },
    ]);
  });

  it('sends a quantity without a price as LIMIT at last × 1.05, down to the tick', () => {
    const proposal = aProposal({ size: { quantity: '0.5' } });
    const account = anAccount({ last: '100.07' });

    const { orders } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    // 100.07 × 1.05 = 105.0735
    expect(orders.map(line)).toEqual(['limit buy open 0.5 base at 105.07 GTC']);
  });

  it('rounds a quantity toward zero and a buy price down', () => {
    const proposal = aProposal({ size: { quantity: '0.123459' }, limitPrice: '99.999' });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(orders.map(line)).toEqual(['limit buy open 0.12345 base at 99.99 GTC']);
    expect(changes).toEqual([
      { kind: 'rounded', field: 'limitPrice', from: '99.999', to: '99.99' },
      { kind: 'rounded', field: 'quantity', from: '0.123459', to: '0.12345' },
    ]);
  });

  it('does not round a quantity up at its 19th decimal', () => {
    const proposal = aProposal({ size: { quantity: '0.12344999999999999999999' } });

    const { orders } = approvedOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(orders.map(line)).toEqual(['limit buy open 0.12344 base at 105 GTC']);
  });

  it('spends a share of equity without a deduction if the fee is paid in base', () => {
    const proposal = aProposal({ size: { equity: '0.95' } });

    const { orders } = approvedOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(orders.map(line)).toEqual(['market buy open 9500 quote']); // 10,000 × 0.95
  });

  it('deducts the fee from a share of equity if the fee is paid in quote', () => {
    const proposal = aProposal({ size: { equity: '1' } });

    const { orders } = approvedOf(assess(proposal, someRules(), anAccount(), PAID_IN_QUOTE));

    // 10,000 / 1.001 = 9,990.009990009…; with its fee 9,999.99999999…
    expect(orders.map(line)).toEqual(['market buy open 9990.00999 quote']);
  });

  it('buys a notional at a limit price for at most that amount', () => {
    const proposal = aProposal({ size: { notional: '100' }, limitPrice: '33' });

    const { orders } = approvedOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(orders.map(line)).toEqual(['limit buy open 3.0303 base at 33 GTC']); // 100 / 33 = 3.03030…
  });

  it('converts a share of equity to the quote of the pair', () => {
    // Half of 10,000 USDT is 0.1 BTC at 50,000.
    const proposal = aProposal({ instrument: ETHBTC, size: { equity: '0.5' } });
    const account = anAccount({ last: '0.05', free: { BTC: '1' }, worth: { BTC: '50000' } });
    const unpriced = anAccount({ last: '0.05', free: { BTC: '1' }, worth: { BTC: '0' } });
    const rules = someRules({ minOrderMoney: '0.0001', pricePrecision: 6 });

    expect(linesOf(assess(proposal, rules, account, aPolicy()))).toEqual([
      'market buy open 0.1 quote',
    ]);
    expect(refusalOf(assess(proposal, rules, unpriced, aPolicy()))).toMatchObject({
      check: 'no-price',
      unit: 'USDT',
      text: 'nobody knows yet what BTC is worth in USDT: wait for the first candle of the instrument that prices it',
    });
  });

  it('cuts a share of equity that exceeds the free balance only by dust', () => {
    // 0.000009 BTC of dust at 100 are worth 0.0009 USDT, and count in equity.
    const account = anAccount({ equity: '10000.0009', long: '0.000009' });
    const proposal = aProposal({ size: { equity: '1' } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market buy open 10000 quote']);
    expect(changes).toEqual([
      { kind: 'clamped', field: 'quantity', from: '10000.0009', to: '10000' },
    ]);
  });

  it('cuts a share of equity to the free balance minus the fee if the fee is paid in quote', () => {
    const account = anAccount({ equity: '10010.0005', free: { USDT: '10010' } });
    const proposal = aProposal({ size: { equity: '1' } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), account, PAID_IN_QUOTE));

    // 10,010 / 1.001 = 10,000; 10,010.0005 / 1.001 = 10,000.000499…
    expect(orders.map(line)).toEqual(['market buy open 10000 quote']);
    expect(changes).toMatchObject([{ kind: 'clamped', from: '10000.0004995', to: '10000' }]);
  });

  it('cuts the dust of several instruments up to a ten-thousandth of equity', () => {
    const proposal = aProposal({ size: { equity: '1' } });
    const kinds = ['10001', '10001.1'].map(
      (equity) => assess(proposal, someRules(), anAccount({ equity }), aPolicy()).kind,
    );

    // 10,001 − 10,000 = 1 ≤ 1.0001; 10,001.1 − 10,000 = 1.1 > 1.00011
    expect(kinds).toEqual(['approved', 'refused']);
  });

  it('cuts dust of up to one step, also if the step is worth much', () => {
    // A step of 1 BTC is worth 100 USDT.
    const rules = someRules({ quantityPrecision: 0 });
    const proposal = aProposal({ size: { equity: '1' } });
    const kinds = ['10100', '10100.01'].map(
      (equity) => assess(proposal, rules, anAccount({ equity }), aPolicy()).kind,
    );

    expect(kinds).toEqual(['approved', 'refused']);
  });

  it('approves a quote amount of exactly the minimum, whatever quantity it buys', () => {
    // 5 USDT at 33 buy 0.15151 BTC, worth 4.99983 USDT.
    const proposal = aProposal({ size: { notional: '5' } });

    const decision = assess(proposal, someRules(), anAccount({ last: '33' }), aPolicy());

    expect(approvedOf(decision).orders.map(line)).toEqual(['market buy open 5 quote']);
  });

  it('sends orders without any other fields', () => {
    const [market, limit] = [{ notional: '250' }, { quantity: '1' }].flatMap(
      (size) => approvedOf(assess(aProposal({ size }), someRules(), anAccount(), aPolicy())).orders,
    );

    const common = {
      clientOrderId: 'bot-7-0-0',
      intentId: 7,
      instrumentId: 'spot:BTCUSDT',
      side: 'buy',
      action: 'open',
    };
    const scale = 10n ** 18n;
    expect(market).toStrictEqual({
      type: 'market',
      ...common,
      quantity: 250n * scale,
      unit: 'quote',
    });
    expect(limit).toStrictEqual({
      type: 'limit',
      ...common,
      quantity: scale,
      unit: 'base',
      limitPrice: 105n * scale,
      timeInForce: 'GTC',
    });
  });

  it('suggests no size if the free balance is below the smallest order', () => {
    const proposal = aProposal({ size: { notional: '100' } });

    const refusals = ['0', '-3', '4.99'].map((USDT) =>
      refusalOf(assess(proposal, someRules(), anAccount({ free: { USDT } }), aPolicy())),
    );

    expect(refusals.map(({ limit, wouldPass }) => [limit, wouldPass])).toEqual([
      ['0', undefined],
      ['0', undefined],
      ['4.99', undefined],
    ]);
  });

  it('requires the higher of both fees, as the venue holds it', () => {
    const policy = aPolicy({
      fees: () => someFees({ maker: '0.002', taker: '0.001', paidIn: 'quote' }),
    });
    const account = anAccount({ free: { USDT: '100.15' } });
    const asked = [
      aProposal({ size: { quantity: '1' }, limitPrice: '100' }),
      aProposal({ size: { notional: '100' } }),
    ];

    const needed = asked.map(
      (proposal) => refusalOf(assess(proposal, someRules(), account, policy)).actual,
    );

    expect(needed).toEqual(['100.2', '100.2']);
  });

  it('refuses a share of equity whose money is not free', () => {
    const account = anAccount({ equity: '10000', free: { USDT: '4000' } });
    const proposal = aProposal({ size: { equity: '0.5' } });

    const refusal = refusalOf(assess(proposal, someRules(), account, aPolicy()));

    expect(refusal).toEqual({
      check: 'insufficient-balance',
      limit: '4000',
      actual: '5000',
      unit: 'USDT',
      text: 'needs 5000 USDT, costs included, and 4000 USDT can be used; 4000 USDT would pass',
      wouldPass: '4000',
      wouldPassUnit: 'USDT',
    });
  });

  it('includes the fee in quote in the comparison with the free balance', () => {
    const proposal = aProposal({ size: { notional: '10000' } });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), PAID_IN_QUOTE));

    expect(refusal).toMatchObject({
      check: 'insufficient-balance',
      actual: '10010',
      wouldPass: '9990.00999', // 10,000 / 1.001
    });
  });

  it('suggests the base quantity that the free balance buys', () => {
    const proposal = aProposal({ size: { quantity: '200' }, limitPrice: '100' });

    const refusal = refusalOf(assess(proposal, someRules(), anAccount(), aPolicy()));

    expect(refusal).toMatchObject({
      check: 'insufficient-balance',
      limit: '10000',
      actual: '20000',
      wouldPass: '100',
      wouldPassUnit: 'BTC',
    });
  });
});

describe('assess: spot exits', () => {
  it('sells the whole position at market, and leaves dust below one step', () => {
    const account = anAccount({ long: '0.4995004' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { all: true } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 0.4995 base']);
    expect(changes).toEqual([]);
  });

  it('sells the held quantity if a fee has reduced the bought quantity', () => {
    const account = anAccount({ long: '0.4995' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '0.5' } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 0.4995 base']);
    expect(changes).toEqual([{ kind: 'clamped', field: 'quantity', from: '0.5', to: '0.4995' }]);
  });

  it('deducts the quantity that other exits already sell', () => {
    const account = anAccount({ long: '1', closingLong: '0.7' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '0.5' } });

    const { orders } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 0.3 base']);
  });

  it('refuses an exit if working exits have the whole position', () => {
    const account = anAccount({ long: '1', closingLong: '1' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { all: true } });

    const refusal = refusalOf(assess(proposal, someRules(), account, aPolicy()));

    expect(refusal).toMatchObject({
      check: 'nothing-to-close',
      text: 'nothing to close: holds 1 BTC long, of which 1 are in working exits',
    });
  });

  it('adds a remainder that could not be sold alone', () => {
    // 0.03 BTC at 100 are 3 USDT, less than the smallest order of 5 USDT.
    const account = anAccount({ long: '1' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '0.97' } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 1 base']);
    expect(changes).toEqual([{ kind: 'swept', field: 'quantity', from: '0.97', to: '1' }]);
  });

  it('leaves a remainder with the dust policy leave, and reports it with warn', () => {
    const account = anAccount({ long: '1' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '0.97' } });

    const left = approvedOf(assess(proposal, someRules(), account, aPolicy({ dust: 'leave' })));
    const warned = approvedOf(assess(proposal, someRules(), account, aPolicy({ dust: 'warn' })));

    expect([left, warned].map(({ orders }) => orders.map(line))).toEqual([
      ['market sell close 0.97 base'],
      ['market sell close 0.97 base'],
    ]);
    expect(left.changes).toEqual([]);
    expect(warned.changes).toEqual([
      { kind: 'dust-left', field: 'quantity', from: '0.03', to: '0.03' },
    ]);
  });

  it('does not add a remainder that could be sold alone', () => {
    const account = anAccount({ long: '1' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { quantity: '0.95' } });

    const { orders } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 0.95 base']); // 0.05 × 100 = 5 USDT
  });

  it('converts an amount of money or a share of equity to a quantity at the last price', () => {
    const account = anAccount({ long: '50' });

    const lines = [{ notional: '250.5' }, { equity: '0.1' }].map((size) =>
      linesOf(
        assess(aProposal({ side: 'sell', action: 'close', size }), someRules(), account, aPolicy()),
      ),
    );

    // 250.5 / 100; 10,000 × 0.1 / 100
    expect(lines).toEqual([['market sell close 2.505 base'], ['market sell close 10 base']]);
  });

  it('does not cut a share of equity to the free balance when it sells', () => {
    const account = anAccount({ long: '200', equity: '10000.5' });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { equity: '1' } });

    const { orders, changes } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 100.005 base']);
    expect(changes).toEqual([]);
  });

  it('sends an exit with a price as LIMIT, with a sell price rounded up', () => {
    const account = anAccount({ long: '1' });
    const proposal = aProposal({
      side: 'sell',
      action: 'close',
      size: { all: true },
      limitPrice: '120.001',
    });

    const { orders } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['limit sell close 1 base at 120.01 GTC']);
  });

  it('exits at MARKET although no price is known', () => {
    const account = anAccount({ long: '1', last: null });
    const proposal = aProposal({ side: 'sell', action: 'close', size: { all: true } });

    const { orders } = approvedOf(assess(proposal, someRules(), account, aPolicy()));

    expect(orders.map(line)).toEqual(['market sell close 1 base']);
  });
});
