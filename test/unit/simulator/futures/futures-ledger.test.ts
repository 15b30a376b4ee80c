import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed, type Fixed } from '../../../../src/domain/index.js';
import {
  FuturesLedger,
  type FuturesLedgerOptions,
} from '../../../../src/simulator/futures/futures-ledger.js';
import {
  aContract,
  aTier,
  INVERSE,
  LINEAR,
  type ContractSetup,
} from '../../../support/futures-contracts.js';
import { failureOf } from '../../../support/failure.js';

const f = parseFixed;

function aLedger(
  setup: ContractSetup = {},
  options: Partial<FuturesLedgerOptions> & { readonly mark?: string } = {},
): FuturesLedger {
  const contract = aContract({ multiplier: '1', ...setup });
  const ledger = new FuturesLedger({
    contracts: [contract],
    balances: new Map([[contract.instrument.marginAsset, f('1000')]]),
    ...options,
  });
  ledger.setMark(contract.instrument.id, f(options.mark ?? '100'));
  return ledger;
}

function fill(
  direction: 'long' | 'short',
  contracts: string,
  price: string,
  feeRate = '0',
): Parameters<FuturesLedger['open']>[1] {
  return { direction, contracts: f(contracts), price: f(price), feeRate: f(feeRate) };
}

const text = (value: Fixed | undefined): string => (value === undefined ? '-' : formatFixed(value));

describe('an isolated position', () => {
  it('sets value ÷ leverage aside, pays the fee from the balance, and leaves the rest available', () => {
    const ledger = aLedger();

    ledger.open(LINEAR, fill('long', '10', '100', '0.001'));

    // 10 × 100 = 1000; margin 100, fee 1
    expect(text(ledger.position(LINEAR, 'long')?.margin)).toBe('100');
    expect(text(ledger.balance('USDT'))).toBe('999');
    expect(text(ledger.available('USDT'))).toBe('899');
  });

  it('releases margin in proportion to a close, and the profit only when it is flat', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '10', '100'));

    const first = ledger.close(LINEAR, fill('long', '4', '110'));
    const half = ledger.position(LINEAR, 'long');
    const last = ledger.close(LINEAR, fill('long', '6', '110'));

    // Closes 4 of 10: 40 of the margin of 100 is released, the profit of 4 × 10 stays with the position
    expect([first.profit, first.released].map(text)).toEqual(['40', '40']);
    expect([half?.margin, half?.realizedProfit, half?.totalRealizedProfit].map(text)).toEqual([
      '60',
      '40',
      '40',
    ]);
    expect([last.profit, last.released].map(text)).toEqual(['60', '160']);
    expect(text(ledger.available('USDT'))).toBe('1100');
  });

  it('pays the loss of a partial close from the margin that it releases, then from the rest of its money', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '10', '100'));

    const small = ledger.close(LINEAR, fill('long', '5', '94'));
    const large = ledger.close(LINEAR, fill('long', '2', '85'));

    // Closes 5 of 10: a margin of 50 less a loss of 30 is released
    expect(text(small.released)).toBe('20');
    // Closes 2 of 5: the loss of 30 uses the whole margin of 20, and 10 of the money that stays with the position
    expect(text(large.released)).toBe('0');
    const rest = ledger.position(LINEAR, 'long');
    // 100 was set aside and 20 released; two losses of 30 were realized. The position has 20 left.
    expect([rest?.margin, rest?.realizedProfit].map(text)).toEqual(['80', '-60']);
  });

  it('leaves no rounding residual when it is closed in parts', () => {
    const ledger = aLedger({ leverage: '3' });
    ledger.open(LINEAR, fill('long', '3', '0.000000000000000001'));

    ledger.close(LINEAR, fill('long', '1', '0.000000000000000001'));
    ledger.close(LINEAR, fill('long', '2', '0.000000000000000001'));

    expect(text(ledger.balance('USDT'))).toBe('1000');
    expect(ledger.residual('USDT')).toBe(0n);
  });

  it('pays and receives funding with its own money, not with the available balance', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '10', '100'));

    const paid = ledger.fund(LINEAR, { rate: f('0.01'), mark: f('100') });

    // 10 × 100 × 1 %
    expect(paid).toEqual([{ direction: 'long', amount: f('-10') }]);
    const view = ledger.position(LINEAR, 'long');
    expect([view?.margin, view?.realizedProfit, view?.fundingFee].map(text)).toEqual([
      '100',
      '-10',
      '-10',
    ]);
    expect([ledger.available('USDT'), ledger.balance('USDT')].map(text)).toEqual(['900', '990']);

    const received = ledger.fund(LINEAR, { rate: f('-0.03'), mark: f('100') });

    expect(received).toEqual([{ direction: 'long', amount: f('30') }]);
    const later = ledger.position(LINEAR, 'long');
    expect([later?.margin, later?.realizedProfit, later?.fundingFee].map(text)).toEqual([
      '100',
      '20',
      '20',
    ]);
    expect([ledger.available('USDT'), ledger.balance('USDT')].map(text)).toEqual(['900', '1020']);
  });
});

describe('a cross position', () => {
  it('uses value at mark ÷ leverage; a loss lowers the available balance, a profit does not raise it', () => {
    const ledger = aLedger({ marginMode: 'cross' });
    ledger.open(LINEAR, fill('long', '10', '100'));

    ledger.setMark(LINEAR, f('90'));
    const losing = ledger.available('USDT');
    ledger.setMark(LINEAR, f('110'));
    const winning = ledger.available('USDT');

    // 1000 − 900 ÷ 10 − 100; 1000 − 1100 ÷ 10
    expect([losing, winning].map(text)).toEqual(['810', '890']);
  });

  it('settles funding and realized profit with the balance', () => {
    const ledger = aLedger({ marginMode: 'cross' });
    ledger.open(LINEAR, fill('short', '10', '100'));

    const got = ledger.fund(LINEAR, { rate: f('0.01'), mark: f('120') });
    ledger.close(LINEAR, fill('short', '5', '90'));

    expect(got).toEqual([{ direction: 'short', amount: f('12') }]);
    // 1000 + 12 + 5 × 10
    expect(text(ledger.balance('USDT'))).toBe('1062');
    expect(text(ledger.position(LINEAR, 'short')?.realizedProfit)).toBe('62');
    expect(text(ledger.position(LINEAR, 'short')?.totalRealizedProfit)).toBe('62');
  });
});

describe('funding of inverse contracts', () => {
  it('is contracts × face ÷ mark × rate, from longs to shorts', () => {
    const ledger = aLedger({ contract: 'inverse', multiplier: '10', marginMode: 'cross' });
    ledger.open(INVERSE, fill('long', '100', '100'));
    ledger.open(INVERSE, fill('short', '50', '100'));

    // 100 × 10 ÷ 50 × 1 % = 0.2, and half of it
    expect(ledger.fund(INVERSE, { rate: f('0.01'), mark: f('50') })).toEqual([
      { direction: 'long', amount: f('-0.2') },
      { direction: 'short', amount: f('0.1') },
    ]);
    expect(ledger.fund(INVERSE, { rate: f('-0.01'), mark: f('50') })).toEqual([
      { direction: 'long', amount: f('0.2') },
      { direction: 'short', amount: f('-0.1') },
    ]);
  });
});

describe('an order to open', () => {
  it('needs margin, fee and opening loss, and is refused above the leverage of the tier it would reach', () => {
    const tiers = [aTier('500', '0.005', '20'), aTier(undefined, '0.01', '5')];
    const ledger = aLedger({ tiers });
    const order = { direction: 'long', price: f('102'), feeRate: f('0.001') } as const;

    // 4 × 102 ÷ 10; 408 × 0.1 %; 4 × 2
    expect(ledger.requirement(LINEAR, { ...order, contracts: f('4') })).toEqual({
      kind: 'needed',
      margin: f('40.8'),
      fee: f('0.408'),
      openingLoss: f('8'),
      total: f('49.208'),
    });
    // 6 × 100 is above 500
    expect(ledger.requirement(LINEAR, { ...order, contracts: f('6') })).toEqual({
      kind: 'refused',
      leverage: f('10'),
      maxLeverage: f('5'),
    });
  });

  it('freezes and frees amounts, and cannot free more than is frozen', () => {
    const ledger = aLedger();
    ledger.freeze('USDT', f('300'));

    expect([ledger.frozen('USDT'), ledger.available('USDT')].map(text)).toEqual(['300', '700']);
    ledger.freeze('USDT', f('-300'));
    expect(
      failureOf(() => {
        ledger.freeze('USDT', -1n);
      }),
    ).toMatchObject({ code: 'E_BALANCE_NEGATIVE' });
  });
});

describe('terms of a contract', () => {
  it('change only while it is flat, and within the maximum leverage of the first tier', () => {
    const ledger = aLedger({ tiers: [aTier(undefined, '0.005', '20')] });

    expect(ledger.setLeverage(LINEAR, f('21'))).toBe('above-maximum');
    expect(ledger.setLeverage(LINEAR, f('20'))).toBe('changed');
    expect(ledger.setMarginMode(LINEAR, 'cross')).toBe('changed');
    ledger.open(LINEAR, fill('long', '1', '100'));
    expect(ledger.setLeverage(LINEAR, f('5'))).toBe('held');
    expect(ledger.setMarginMode(LINEAR, 'isolated')).toBe('held');
    expect(ledger.position(LINEAR, 'long')).toMatchObject({
      leverage: f('20'),
      marginMode: 'cross',
    });
  });
});

describe('one-way mode', () => {
  it('closes the opposite position first, and holds only one direction', () => {
    const ledger = aLedger({}, { positionMode: 'oneWay' });
    ledger.open(LINEAR, fill('long', '3', '100'));

    expect(ledger.splitOpening(LINEAR, 'short', f('5'))).toEqual({
      closing: f('3'),
      opening: f('2'),
    });
    expect(ledger.splitOpening(LINEAR, 'long', f('5'))).toEqual({ closing: 0n, opening: f('5') });
    expect(failureOf(() => ledger.open(LINEAR, fill('short', '1', '100')))).toMatchObject({
      code: 'E_POSITION_OPPOSITE',
    });
  });

  it('does not apply in hedge mode', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '3', '100'));

    expect(ledger.splitOpening(LINEAR, 'short', f('5'))).toEqual({ closing: 0n, opening: f('5') });
    ledger.open(LINEAR, fill('short', '5', '100'));
    expect(ledger.account('USDT').positions.map(({ direction }) => direction)).toEqual([
      'long',
      'short',
    ]);
  });
});

describe('an invalid call', () => {
  it.each([
    [
      'closes more than is held',
      'E_OVERCLOSED',
      (l: FuturesLedger) => l.close(LINEAR, fill('long', '1', '100')),
    ],
    ['opens nothing', 'E_QUANTITY', (l: FuturesLedger) => l.open(LINEAR, fill('long', '0', '100'))],
    ['opens at no price', 'E_PRICE', (l: FuturesLedger) => l.open(LINEAR, fill('long', '1', '0'))],
    ['settles at no mark', 'E_PRICE', (l: FuturesLedger) => l.fund(LINEAR, { rate: 0n, mark: 0n })],
    ['names a stranger', 'E_MISSING', (l: FuturesLedger) => l.held(INVERSE, 'long')],
    ['names no asset of ours', 'E_MISSING', (l: FuturesLedger) => l.balance('EUR')],
  ] as const)('that %s throws %s', (_, code, call) => {
    const ledger = aLedger();
    expect(failureOf(() => call(ledger))).toMatchObject({ code });
    expect(text(ledger.balance('USDT'))).toBe('1000');
  });

  it('throws E_TIERS for a keepRate that leaves no margin', () => {
    expect(failureOf(() => aLedger({ tiers: [aTier(undefined, '0.9975')] }))).toMatchObject({
      code: 'E_TIERS',
    });
  });

  it('throws E_MARK_MISSING without a mark', () => {
    const ledger = new FuturesLedger({ contracts: [aContract()], balances: new Map() });
    expect(failureOf(() => ledger.open(LINEAR, fill('long', '1', '100')))).toMatchObject({
      code: 'E_MARK_MISSING',
    });
  });
});

describe('a view of a position', () => {
  it('gets a new id after it was flat, and shows the quantity that working orders will close', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '3', '100', '0.001'));
    ledger.reserveClose(LINEAR, 'long', f('2'));
    ledger.close(LINEAR, fill('long', '1', '101', '0.001'));
    ledger.setMark(LINEAR, f('103'));

    expect(ledger.position(LINEAR, 'long')).toMatchObject({
      positionId: '1',
      quantity: f('2'),
      pendingCloseQuantity: f('2'),
      closedQuantity: f('1'),
      averagePrice: f('100'),
      averageClosePrice: f('101'),
      closeProfit: f('1'),
      // 0.3 + 0.101
      tradeFee: f('-0.401'),
      unrealizedProfit: f('6'),
      value: f('206'),
      frozen: 'no',
    });
    ledger.close(LINEAR, fill('long', '2', '103'));
    ledger.open(LINEAR, fill('long', '1', '103'));
    expect(ledger.position(LINEAR, 'long')?.positionId).toBe('2');
    expect(ledger.position(LINEAR, 'short')).toBeUndefined();
  });
});
