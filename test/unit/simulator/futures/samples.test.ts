import { describe, expect, it } from 'vitest';

import { decimal, formatFixed, parseFixed, type Fixed } from '../../../../src/domain/index.js';
import { viewAccount, viewPosition } from '../../../../src/simulator/futures/account-view.js';
import { ContractBook } from '../../../../src/simulator/futures/contract-book.js';
import { averagePrice } from '../../../../src/simulator/futures/contract-position.js';
import { FuturesLedger } from '../../../../src/simulator/futures/futures-ledger.js';
import { MarginBook } from '../../../../src/simulator/futures/margin-book.js';
import {
  aContract,
  aTier,
  INVERSE,
  LINEAR,
  type ContractSetup,
} from '../../../support/futures-contracts.js';

const f = parseFixed;

/** At the digits a document prints. */
function printed(value: Fixed | undefined, decimals: number): string {
  return value === undefined ? 'none' : decimal(formatFixed(value)).toFixed(decimals);
}

function aLedger(setup: ContractSetup, balance = '10'): FuturesLedger {
  const contract = aContract(setup);
  const balances = new Map([[contract.instrument.marginAsset, f(balance)]]);
  return new FuturesLedger({ contracts: [contract], balances });
}

// Each number is a sample of a public document, recomputed; named as in the exchange facts, "contract facts".
describe('profitHistorical sample: SELL 900 contracts of 0.0001, 44500 to 45000, both fees 0.065 %', () => {
  it('gives closeProfit -45, tradeFee -5.23575, historyRealizedAmount -50.23575', () => {
    const ledger = aLedger({ leverage: '20' }, '10000');
    const fill = { direction: 'short', contracts: f('900'), feeRate: f('0.00065') } as const;
    ledger.setMark(LINEAR, f('44500'));

    ledger.open(LINEAR, { ...fill, price: f('44500') });
    const { ended } = ledger.close(LINEAR, { ...fill, price: f('45000') });

    // −1 × 900 × 0.0001 × (45000 − 44500); −0.00065 × 0.09 × (44500 + 45000)
    expect(printed(ended?.closeProfit, 5)).toBe('-45.00000');
    expect(printed(ended?.tradeFee, 5)).toBe('-5.23575');
    expect(printed(ended?.totalProfit, 5)).toBe('-50.23575');
    expect(ended).toMatchObject({ openPrice: f('44500'), closePrice: f('45000') });
    expect(formatFixed(ledger.balance('USDT'))).toBe('9949.76425');
  });
});

describe('account sample: an isolated position of 69642 contracts of 0.0001', () => {
  const sample = (direction: 'long' | 'short'): { book: MarginBook; contract: ContractBook } => {
    const contract = new ContractBook(aContract({ leverage: '24' }));
    const book = new MarginBook('USDT', f('100000'));
    book.contracts.push(contract);
    contract.mark = f('12151.1175');
    book.open(contract, {
      direction,
      contracts: f('69642'),
      price: f('11840.3095'),
      feeRate: 0n,
    });
    const position = contract.position(direction);
    position.money = { margin: f('7014.2111'), kept: f('8115.9125') };
    return { book, contract };
  };

  it('gives unRealizedAmount 2164.529 at the mark 12151.1175', () => {
    const { book, contract } = sample('long');
    // 6.9642 × (12151.1175 − 11840.3095)
    expect(printed(viewPosition(contract.position('long'), book).unrealizedProfit, 3)).toBe(
      '2164.529',
    );
  });

  it('has a marginRate of 0.20974 relative to the entry value, as in the sample', () => {
    const { book, contract } = sample('long');
    const view = viewPosition(contract.position('long'), book);
    // positionBalance is q × avgPrice in this sample and q × mark in the live ones; ours is q × mark.
    const money = view.margin + view.realizedProfit + view.unrealizedProfit;
    const opened = contract.position('long').holding.entryValue;
    expect(printed(opened, 4)).toBe('82458.2834');
    expect(printed((money * f('1')) / opened, 5)).toBe('0.20974');
    // 17294.6526 ÷ (6.9642 × 12151.1175)
    expect(printed(view.marginRate, 5)).toBe('0.20437');
  });

  it('gives reducePrice 9740.80825 for the long', () => {
    const { book, contract } = sample('long');
    // (11840.3095 − (7014.2111 + 8115.9125) ÷ 6.9642) ÷ (1 − 0.0075)
    expect(printed(viewPosition(contract.position('long'), book).liquidationPrice, 5)).toBe(
      '9740.80825',
    );
  });

  it('gives the mirrored reducePrice for the short', () => {
    const { book, contract } = sample('short');
    // (11840.3095 + (7014.2111 + 8115.9125) ÷ 6.9642) ÷ (1 + 0.0075)
    expect(printed(viewPosition(contract.position('short'), book).liquidationPrice, 5)).toBe(
      '13908.55266',
    );
  });

  it('has a partEquity of margin + realized + unrealized', () => {
    const { book, contract } = sample('long');
    // The account of the sample: 9110.7294 + 4156.5072 + 650.6385 = 13917.8751, printed as 13917.8753.
    contract.position('long').money = { margin: f('9110.7294'), kept: f('4156.5072') };
    // 650.6385 ÷ 6.9642 above the average
    contract.mark = f('11840.3095') + (f('650.6385') * f('1')) / f('6.9642');
    const view = viewAccount(book);
    expect(printed(view.isolatedEquity, 4)).toBe('13917.8751');
    expect(view.isolatedEquity).toBe(
      (view.isolatedMargin ?? 0n) + (view.realizedProfit ?? 0n) + (view.unrealizedProfit ?? 0n),
    );
  });
});

describe('live cross sample: SELL 54 contracts of 1 at 0.09175 with 20x, mark 0.09174', () => {
  const live = (): FuturesLedger => {
    const ledger = aLedger({ multiplier: '1', leverage: '20', marginMode: 'cross' });
    ledger.setMark(LINEAR, f('0.09174'));
    ledger.open(LINEAR, {
      direction: 'short',
      contracts: f('54'),
      price: f('0.09175'),
      feeRate: 0n,
    });
    return ledger;
  };

  it('gives openAmount 0.247725, holdAmount 0.247698 and positionBalance 4.95396', () => {
    const view = live().position(LINEAR, 'short');
    expect(printed(view?.initialMargin, 6)).toBe('0.247725');
    expect(printed(view?.margin, 6)).toBe('0.247698');
    expect(printed(view?.value, 5)).toBe('4.95396');
  });

  it('has a returnRate of unrealized ÷ openAmount', () => {
    // 54 × 0.00001 ÷ 0.247725
    expect(printed(live().position(LINEAR, 'short')?.returnRate, 8)).toBe('0.00217984');
  });
});

describe('live cross account: equity 16.53718437, 15 units of WLFI at 0.1409 with 5x, mark 0.14040034', () => {
  it('gives canUseAmount 16.11598335 and marginRate 7.852395', () => {
    // 16.53718437074 is the equity with the unrealized loss of 0.0074949. Fees are already in it.
    const ledger = aLedger(
      { multiplier: '15', leverage: '5', marginMode: 'cross' },
      '16.54467927074',
    );
    ledger.setMark(LINEAR, f('0.14040034'));
    ledger.open(LINEAR, { direction: 'long', contracts: f('1'), price: f('0.1409'), feeRate: 0n });

    const view = ledger.account('USDT');

    expect(formatFixed(view.crossEquity ?? 0n)).toBe('16.53718437074');
    expect(formatFixed(view.available)).toBe('16.11598335074');
    expect(printed(view.positions[0]?.marginRate, 6)).toBe('7.852395');
    expect(printed(view.positions[0]?.returnRate, 7)).toBe('-0.0177310');
    expect(printed(view.positions[0]?.initialMargin, 4)).toBe('0.4227');
  });
});

describe('inverse examples: contracts of 10 USD, margin in BTC', () => {
  const order = { contracts: f('12000'), price: f('60000'), feeRate: 0n } as const;

  it('needs a margin of 0.2 BTC for 12000 contracts at 60000 with 10x, and 0.181818 BTC of opening loss at the mark 55000', () => {
    const ledger = aLedger({ contract: 'inverse' });
    ledger.setMark(INVERSE, f('55000'));

    const long = ledger.requirement(INVERSE, { ...order, direction: 'long' });
    const short = ledger.requirement(INVERSE, { ...order, direction: 'short' });

    expect(long).toMatchObject({ kind: 'needed', margin: f('0.2') });
    // 12000 × 10 × (1 ÷ 55000 − 1 ÷ 60000)
    expect(printed(long.kind === 'needed' ? long.openingLoss : undefined, 6)).toBe('0.181818');
    expect(short).toMatchObject({ kind: 'needed', margin: f('0.2'), openingLoss: 0n });
  });

  it('averages 1000 at 5000 and 2000 at 6000 to 5625', () => {
    const ledger = aLedger({ contract: 'inverse' });
    ledger.setMark(INVERSE, f('5000'));
    const fill = { direction: 'long', feeRate: 0n } as const;

    ledger.open(INVERSE, { ...fill, contracts: f('1000'), price: f('5000') });
    ledger.open(INVERSE, { ...fill, contracts: f('2000'), price: f('6000') });

    // 3000 ÷ (1000 ÷ 5000 + 2000 ÷ 6000)
    expect(printed(ledger.position(INVERSE, 'long')?.averagePrice, 10)).toBe('5625.0000000000');
  });

  it('is liquidated at 54954.54545455 as a long and at 66166.66666667 as a short', () => {
    const at = (direction: 'long' | 'short'): Fixed | undefined => {
      const ledger = aLedger({
        contract: 'inverse',
        tiers: [aTier(undefined, '0.005')],
        maxFeeRate: '0.0025',
      });
      ledger.setMark(INVERSE, f('60000'));
      ledger.open(INVERSE, { ...order, direction });
      return ledger.position(INVERSE, direction)?.liquidationPrice;
    };
    // N = 120000: long N × 1.0075 ÷ (0.2 + N ÷ 60000), short N × 0.9925 ÷ (N ÷ 60000 − 0.2)
    expect(printed(at('long'), 8)).toBe('54954.54545455');
    expect(printed(at('short'), 8)).toBe('66166.66666667');
  });
});

describe('an average price', () => {
  it('is undefined without a quantity', () => {
    const { instrument } = aContract();
    expect(averagePrice(instrument, { quantity: 0n, entryValue: 0n })).toBeUndefined();
  });
});
