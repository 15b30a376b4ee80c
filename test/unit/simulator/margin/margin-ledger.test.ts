import { describe, expect, it } from 'vitest';

import { HOUR_MS, parseFixed } from '../../../../src/domain/index.js';
import { failureOf } from '../../../support/failure.js';
import {
  aMarginLedger,
  fixedMap,
  flows,
  lineOf,
  MIDNIGHT,
  pricesOf,
  termsOf,
} from '../../../support/margin/builders.js';

const AT_100 = pricesOf({ BTC: '100' });

describe('a fill on margin', () => {
  it('borrows the missing amount, and is charged the first hour of interest at once', () => {
    const ledger = aMarginLedger();

    const interest = ledger.settle(flows({ BTC: '25', USDT: '-2500' }));

    // 2500 − 1000 free = 1500 borrowed; 1500 × 0.00001 = 0.015.
    expect(interest).toEqual([{ asset: 'USDT', amount: parseFixed('0.015') }]);
    expect(lineOf(ledger, 'USDT')).toBe('free 0 locked 0 owes 1500 + 0.015');
    expect(lineOf(ledger, 'BTC')).toBe('free 25 locked 0 owes 0 + 0');
  });

  it('sells short by borrowing the base, and the proceeds stay free', () => {
    const ledger = aMarginLedger();

    ledger.settle(flows({ BTC: '-20', USDT: '1998' }));

    expect(lineOf(ledger, 'BTC')).toBe('free 0 locked 0 owes 20 + 0.0002');
    expect(lineOf(ledger, 'USDT')).toBe('free 2998 locked 0 owes 0 + 0');
    expect(ledger.net('BTC')).toBe(parseFixed('-20.0002'));
    // 2998 − 20.0002 × 100
    expect(ledger.equity(AT_100)).toBe(parseFixed('997.98'));
  });

  it('repays interest first, then principal, and keeps the rest', () => {
    const ledger = aMarginLedger();
    ledger.settle(flows({ BTC: '25', USDT: '-2500' }));

    const lines = [
      flows({ BTC: '-0.0001', USDT: '0.01' }),
      flows({ BTC: '-5', USDT: '500.005' }),
      flows({ BTC: '-19', USDT: '1900' }),
    ].map((fill) => {
      ledger.settle(fill);
      return lineOf(ledger, 'USDT');
    });

    expect(lines).toEqual([
      'free 0 locked 0 owes 1500 + 0.005',
      'free 0 locked 0 owes 1000 + 0',
      'free 900 locked 0 owes 0 + 0',
    ]);
    expect(lineOf(ledger, 'USDT')).toBe('free 900 locked 0 owes 0 + 0');
    expect(ledger.isIndebted).toBe(false);
  });

  it('uses free money, not money that other orders lock', () => {
    const ledger = aMarginLedger();
    ledger.hold('USDT', parseFixed('700'));

    ledger.settle(flows({ BTC: '5', USDT: '-500' }));

    // 300 of 1000 were free.
    expect(lineOf(ledger, 'USDT')).toBe('free 0 locked 700 owes 200 + 0.002');
  });
});

describe('interest', () => {
  it('is charged on the principal at each hour, never on interest', () => {
    const ledger = aMarginLedger();
    ledger.settle(flows({ BTC: '25', USDT: '-2500' }));

    const first = ledger.chargeHour(MIDNIGHT);
    ledger.chargeHour(MIDNIGHT + HOUR_MS);

    expect(first).toEqual([{ asset: 'USDT', amount: parseFixed('0.015') }]);
    expect(lineOf(ledger, 'USDT')).toBe('free 0 locked 0 owes 1500 + 0.045');
  });

  it('is rounded half to even at the last decimal, and an interest of 0 is not reported', () => {
    const ledger = aMarginLedger({}, { hourlyRate: () => parseFixed('0.5') });

    // Half of one, and of three units of 10^-18: 0.5 goes to 0, 1.5 to 2.
    const none = ledger.settle(new Map([['BTC', -1n]]));
    const even = ledger.settle(new Map([['ETH', -3n]]));

    expect(none).toEqual([]);
    expect(even).toEqual([{ asset: 'ETH', amount: 2n }]);
  });

  it.each([
    ['twice for one hour', MIDNIGHT],
    ['between hours', MIDNIGHT + HOUR_MS + 1],
  ])('is not charged %s', (_, time) => {
    const ledger = aMarginLedger();
    ledger.chargeHour(MIDNIGHT);

    expect(failureOf(() => ledger.chargeHour(time))).toMatchObject({ code: 'E_MARGIN_HOUR' });
  });
});

describe('the borrowable amount', () => {
  it('is worth (leverage − 1) × equity, in any asset', () => {
    const ledger = aMarginLedger();
    const terms = termsOf('3', { BTC: '100' });

    expect(ledger.borrowable('USDT', terms)).toBe(parseFixed('2000'));
    expect(ledger.available('USDT', terms)).toBe(parseFixed('3000'));
    expect(ledger.available('BTC', terms)).toBe(parseFixed('20'));
  });

  it('is reduced by all debts and by the loans reserved for working orders', () => {
    const ledger = aMarginLedger();
    ledger.settle(flows({ BTC: '15', USDT: '-1500' }));
    ledger.hold('ETH', parseFixed('10'));
    const terms = termsOf('3', { BTC: '100', ETH: '50' });

    // Equity 1500 − 500.005 = 999.995. 2 × 999.995 − 500.005 − 10 × 50 = 999.985.
    expect(ledger.borrowable('USDT', terms)).toBe(parseFixed('999.985'));
    expect(ledger.borrowable('BTC', terms)).toBe(parseFixed('9.99985'));
  });

  it('is rounded down, and is 0 without equity', () => {
    const thin = aMarginLedger({ USDT: '1' });
    const broke = aMarginLedger({ USDT: '0' });

    expect(thin.borrowable('BTC', termsOf('2', { BTC: '3' }))).toBe(
      parseFixed('0.333333333333333333'),
    );
    expect(broke.borrowable('BTC', termsOf('10', { BTC: '3' }))).toBe(0n);
  });

  it('is 0 at a leverage of 1', () => {
    expect(aMarginLedger().borrowable('BTC', termsOf('1', { BTC: '3' }))).toBe(0n);
  });

  it('throws without a price of an owned asset', () => {
    const ledger = aMarginLedger({ BTC: '1' });

    expect(failureOf(() => ledger.equity(pricesOf({})))).toMatchObject({ code: 'E_MARGIN_PRICE' });
  });
});

describe('working orders', () => {
  it('lock owned money, and reserve a loan for the rest', () => {
    const ledger = aMarginLedger();

    ledger.hold('USDT', parseFixed('2500'));

    expect(lineOf(ledger, 'USDT')).toBe('free 0 locked 1000 owes 0 + 0');
    // 2 × 1000 − 1500 promised.
    expect(ledger.borrowable('USDT', termsOf('3', {}))).toBe(parseFixed('500'));
  });

  it('are covered by money that another order frees at its end', () => {
    const ledger = aMarginLedger();
    ledger.hold('USDT', parseFixed('1000'));
    ledger.hold('USDT', parseFixed('600'));

    ledger.release('USDT', parseFixed('1000'));

    expect(lineOf(ledger, 'USDT')).toBe('free 400 locked 600 owes 0 + 0');
  });

  it('cannot release more than they lock', () => {
    const ledger = aMarginLedger();
    ledger.hold('USDT', 1n);

    expect(failureOf(() => ledger.release('USDT', 2n))).toMatchObject({
      code: 'E_BALANCE_NEGATIVE',
    });
  });
});

describe('the margin level', () => {
  /** 1,000 USDT and 2,000 borrowed in 30 BTC: level 1.5 at 100. */
  function threefold(): ReturnType<typeof aMarginLedger> {
    const ledger = aMarginLedger({ USDT: '1000' }, { hourlyRate: () => 0n });
    ledger.settle(flows({ BTC: '30', USDT: '-3000' }));
    return ledger;
  }

  it('is assets ÷ debt, and undefined without debt', () => {
    expect(threefold().level(AT_100)).toBe(parseFixed('1.5'));
    expect(aMarginLedger().level(AT_100)).toBeUndefined();
  });

  it('warns once for each fall to 1.3', () => {
    const ledger = threefold();
    // 30 × p ÷ 2000: 1.3 at 86.666…
    const kinds = ['86.7', '86.66', '80', '86.66', '86.7', '86.6'].map(
      (price) => ledger.assess(pricesOf({ BTC: price })).kind,
    );

    expect(kinds).toEqual(['healthy', 'warning', 'healthy', 'healthy', 'healthy', 'warning']);
  });

  it('calls at 1.1, also without an earlier warning, and plans the sale', () => {
    const ledger = threefold();

    // 30 × 73 ÷ 2000 = 1.095
    expect(ledger.assess(pricesOf({ BTC: '73' }))).toEqual({
      kind: 'call',
      level: parseFixed('1.095'),
      plan: [{ kind: 'sell', asset: 'BTC', quantity: parseFixed('30') }],
    });
  });

  it('is compared with the thresholds before rounding', () => {
    const ledger = aMarginLedger({ USDT: '13000' }, { hourlyRate: () => 0n });
    ledger.settle(flows({ BTC: '-10', USDT: '0' }));

    const below = pricesOf({ BTC: '999.999999999999999999' });

    expect(ledger.assess(pricesOf({ BTC: '1000' })).kind).toBe('warning');
    expect(ledger.level(below)).toBe(parseFixed('1.3'));
    expect(ledger.assess(below).kind).toBe('healthy');
  });
});

describe('a margin call', () => {
  const prices = pricesOf({ BTC: '100', ETH: '10', SOL: '5' });

  it('repays with owned assets, sells the most valuable first, then buys back the largest debt first', () => {
    const ledger = aMarginLedger({ BTC: '1', ETH: '20', XRP: '7' }, { hourlyRate: () => 0n });
    ledger.settle(flows({ SOL: '-3', ADA: '-9' }));
    ledger.hold('BTC', parseFixed('1'));
    ledger.settle(flows({ BTC: '-0.4' }));
    ledger.release('BTC', parseFixed('1'));

    const plan = ledger.planCall(pricesOf({ BTC: '100', ETH: '10', SOL: '5', ADA: '2', XRP: '1' }));

    expect(plan).toEqual([
      { kind: 'repay', asset: 'BTC', amount: parseFixed('0.4') },
      { kind: 'sell', asset: 'ETH', quantity: parseFixed('20') },
      { kind: 'sell', asset: 'BTC', quantity: parseFixed('0.6') },
      { kind: 'sell', asset: 'XRP', quantity: parseFixed('7') },
      { kind: 'buy-back', asset: 'ADA', quantity: parseFixed('9') },
      { kind: 'buy-back', asset: 'SOL', quantity: parseFixed('3') },
    ]);
  });

  it('repays with free assets, and changes no net amount', () => {
    const ledger = aMarginLedger({ BTC: '1' }, { hourlyRate: () => 0n });
    ledger.hold('BTC', parseFixed('1'));
    ledger.settle(flows({ BTC: '-0.4' }));
    ledger.release('BTC', parseFixed('1'));

    ledger.repayFromFree('BTC');

    expect(lineOf(ledger, 'BTC')).toBe('free 0.6 locked 0 owes 0 + 0');
  });

  it('lets the venue pay the loss that selling everything does not cover', () => {
    const ledger = aMarginLedger({ USDT: '1000' }, { hourlyRate: () => 0n });
    ledger.settle(flows({ BTC: '30', USDT: '-3000' }));

    // Sold far below: 30 × 60 = 1800 of 2000 owed.
    const paid = ledger.settleForced(flows({ BTC: '-30', USDT: '1800' }));
    const written = ledger.writeOff();

    expect(paid).toEqual([]);
    expect(written).toEqual([{ asset: 'USDT', amount: parseFixed('200') }]);
    expect(ledger.insured('USDT')).toBe(parseFixed('200'));
    expect(ledger.equity(prices)).toBe(0n);
    expect(ledger.writeOff()).toEqual([]);
  });

  it('lets the venue pay the part of a buy-back that the account cannot pay, and borrows nothing', () => {
    const ledger = aMarginLedger({ USDT: '1000' }, { hourlyRate: () => 0n });
    ledger.settle(flows({ BTC: '-20', USDT: '2000' }));

    const paid = ledger.settleForced(flows({ BTC: '20', USDT: '-3100' }));

    expect(paid).toEqual([{ asset: 'USDT', amount: parseFixed('100') }]);
    expect(ledger.isIndebted).toBe(false);
    expect(ledger.totals()).toEqual(fixedMap({ USDT: '0', BTC: '0' }));
    expect(ledger.residual()).toEqual(fixedMap({ USDT: '0', BTC: '0' }));
  });
});

it('MarginLedger refuses a negative initial balance', () => {
  expect(failureOf(() => aMarginLedger({ USDT: '-1' }))).toMatchObject({
    code: 'E_BALANCE_NEGATIVE',
  });
});
