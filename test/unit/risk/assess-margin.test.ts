import { describe, expect, it } from 'vitest';

import { assess, type OrderProposal } from '../../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  ETHBTC,
  linesOf,
  MARGIN,
  refusalOf,
  someFees,
  someRules,
} from '../../support/risk/builders.js';

/** Leverage 3: the account can borrow up to 2 × equity. */
const aMarginProposal = (overrides: Partial<OrderProposal>): OrderProposal =>
  aProposal({ instrument: MARGIN, ...overrides });

describe('assess: margin', () => {
  it('buys with borrowed money up to leverage × equity', () => {
    const account = anAccount({ equity: '1000', free: { USDT: '1000' } });
    const all = aMarginProposal({ size: { notional: '3000' } });
    const more = aMarginProposal({ size: { notional: '3000.01' } });

    expect(linesOf(assess(all, someRules(), account, aPolicy()))).toEqual([
      'market buy open 3000 quote',
    ]);
    expect(refusalOf(assess(more, someRules(), account, aPolicy()))).toMatchObject({
      check: 'insufficient-balance',
      limit: '3000',
      wouldPass: '3000',
    });
  });

  it('borrows against equity in the quote of its pair', () => {
    // 1,000 USDT are 0.02 BTC: 0.04 can be borrowed. Without a price of BTC nothing can.
    const instrument = { ...MARGIN, id: ETHBTC.id, base: 'ETH', quote: 'BTC' };
    const proposal = aMarginProposal({ instrument, size: { notional: '0.05' } });
    const accounts = ['50000', '0'].map((BTC) =>
      anAccount({ last: '0.05', equity: '1000', free: { BTC: '0' }, worth: { BTC } }),
    );
    const rules = someRules({ minOrderMoney: '0.0001', pricePrecision: 6 });

    const limits = accounts.map(
      (account) => refusalOf(assess(proposal, rules, account, aPolicy())).limit,
    );

    expect(limits).toEqual(['0.04', '0']);
  });

  it('counts the existing debt', () => {
    // 1,500 borrowed and spent on 25 BTC: 1,000 of equity leave 500 to borrow.
    const account = anAccount({ equity: '1000', owed: '1500', free: { USDT: '0' }, long: '25' });
    const proposal = aMarginProposal({ size: { notional: '501' } });

    expect(refusalOf(assess(proposal, someRules(), account, aPolicy())).wouldPass).toBe('500');
  });

  it('borrows no more if the debt exceeds its limit', () => {
    const account = anAccount({ equity: '1000', owed: '2500', free: { USDT: '40' } });
    const proposal = aMarginProposal({ size: { notional: '41' } });

    expect(refusalOf(assess(proposal, someRules(), account, aPolicy()))).toMatchObject({
      check: 'insufficient-balance',
      limit: '40',
    });
  });

  it('opens a short of a notional by selling base at MARKET', () => {
    const account = anAccount({ equity: '1000' });
    const proposal = aMarginProposal({ side: 'sell', size: { notional: '1999.9999' } });

    expect(linesOf(assess(proposal, someRules(), account, aPolicy()))).toEqual([
      'market sell open 19.99999 base',
    ]);
  });

  it('opens no short beyond the amount that can be borrowed', () => {
    const account = anAccount({ equity: '1000' });
    const proposal = aMarginProposal({
      side: 'sell',
      size: { quantity: '20.1' },
      limitPrice: '100',
    });

    expect(refusalOf(assess(proposal, someRules(), account, aPolicy()))).toMatchObject({
      check: 'insufficient-balance',
      limit: '2000',
      actual: '2010',
      wouldPass: '20',
    });
  });

  it('closes a short by LIMIT at last × 1.05, because MARKET BUY takes an amount of money', () => {
    const account = anAccount({ short: '2.5' });
    const proposal = aMarginProposal({ side: 'buy', action: 'close', size: { all: true } });
    const paidInQuote = aPolicy({ fees: () => someFees({ paidIn: 'quote' }) });

    expect(linesOf(assess(proposal, someRules(), account, paidInQuote))).toEqual([
      'limit buy close 2.5 base at 105 GTC',
    ]);
  });

  it('closes a short at least a tick above last if a tick is more than the band', () => {
    // A tick of 0.00000001 is 9 % of last: the band of 5 % rounds down to last, and no seller is there.
    const account = anAccount({ last: '0.00000011', short: '100000000', equity: '1000' });
    const proposal = aMarginProposal({ side: 'buy', action: 'close', size: { all: true } });
    const rules = someRules({ pricePrecision: 8, quantityPrecision: 0 });
    const paidInQuote = aPolicy({ fees: () => someFees({ paidIn: 'quote' }) });

    expect(linesOf(assess(proposal, rules, account, paidInQuote))).toEqual([
      'limit buy close 100000000 base at 0.00000012 GTC',
    ]);
  });

  it('buys back the debt and the fee that is taken from it', () => {
    const account = anAccount({ short: '2.5' });
    const proposal = aMarginProposal({ side: 'buy', action: 'close', size: { all: true } });

    // 2.5 / 0.999 = 2.5025…, up to the step: 2.50251 × 0.999 = 2.50000749
    expect(linesOf(assess(proposal, someRules(), account, aPolicy()))).toEqual([
      'limit buy close 2.50251 base at 105 GTC',
    ]);
  });

  it('leaves a debt of less than a step', () => {
    const account = anAccount({ short: '0.000009' });
    const proposal = aMarginProposal({ side: 'buy', action: 'close', size: { all: true } });

    expect(refusalOf(assess(proposal, someRules(), account, aPolicy())).check).toBe(
      'nothing-to-close',
    );
  });

  it('closes a short for an amount of money by LIMIT at last × 1.05', () => {
    const account = anAccount({ short: '2.5' });
    const proposal = aMarginProposal({ side: 'buy', action: 'close', size: { notional: '210' } });

    // 210 / 105
    expect(linesOf(assess(proposal, someRules(), account, aPolicy()))).toEqual([
      'limit buy close 2 base at 105 GTC',
    ]);
  });

  it('states the held quantity of a short that cannot be closed', () => {
    const account = anAccount({ short: '2.5', closingShort: '2.50251' });
    const proposal = aMarginProposal({ side: 'buy', action: 'close', size: { all: true } });

    expect(refusalOf(assess(proposal, someRules(), account, aPolicy())).text).toBe(
      'nothing to close: holds 2.5 BTC short, of which 2.50251 are in working exits',
    );
  });

  it('closes a long at MARKET although its base balance is negative', () => {
    const account = anAccount({ long: '2.5', free: { BTC: '-1' } });
    const proposal = aMarginProposal({ side: 'sell', action: 'close', size: { all: true } });

    expect(linesOf(assess(proposal, someRules(), account, aPolicy()))).toEqual([
      'market sell close 2.5 base',
    ]);
  });
});
