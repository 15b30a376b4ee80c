import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../../src/domain/index.js';
import { computeStatistics } from '../../../src/report/index.js';
import { TradeTally } from '../../../src/report/figures/trade-figures.js';
import { aRunFill, aRunRecord, dailyEquity } from '../../support/run-records.js';

function figuresOf(...amounts: readonly string[]) {
  const tally = new TradeTally();
  for (const amount of amounts) tally.add({ pnl: parseFixed(amount) });
  return tally.figures;
}

describe('TradeTally', () => {
  it('divides profits by losses, and wins by trades', () => {
    // profits 30 + 20 = 50, losses 15 + 10 = 25; 2 of 5 won; (50 − 25) ÷ 5 = 5
    const figures = figuresOf('30', '-15', '0', '20', '-10');

    expect(figures).toEqual({
      trades: 5,
      winRate: 0.4,
      profitFactor: 2,
      expectancy: parseFixed('5'),
    });
  });

  it('rounds the expectancy half to even to 18 decimals', () => {
    // 1 ÷ 3
    const { expectancy } = figuresOf('1', '0', '0');

    expect(formatFixed(expectancy ?? 0n)).toBe('0.333333333333333333');
  });

  it('gives no profit factor without a loss', () => {
    expect(figuresOf('1', '2').profitFactor).toBeNull();
  });

  it('gives a profit factor of 0 without a profit', () => {
    expect(figuresOf('-1').profitFactor).toBe(0);
  });

  it('gives only the count without trades', () => {
    expect(figuresOf()).toEqual({
      trades: 0,
      winRate: null,
      profitFactor: null,
      expectancy: null,
    });
  });
});

describe('computeStatistics on activity', () => {
  it('divides the notional of all fills by the mean equity at the closes', () => {
    // notional 2 × 1,000 + 2 × 1,100 = 4,200; mean (10,000 + 10,200 + 10,100) ÷ 3 = 10,100
    const fills = [
      aRunFill({ price: '1000', quantity: '2' }),
      aRunFill({ price: '1100', quantity: '2', side: 'sell' }),
    ];
    const equity = dailyEquity(['9999', '10000', '10200', '10100']);

    const { turnover } = computeStatistics(aRunRecord({ ...equity, fills }));

    expect(turnover).toBe(4_200 / 10_100);
  });

  it('counts the notional of a fill in the equity currency', () => {
    // 100 × 1 × 50 ÷ 10,000
    const fills = [aRunFill({ price: '100', quoteRate: '50' })];

    const { turnover } = computeStatistics(aRunRecord({ fills }));

    expect(turnover).toBe(0.5);
  });

  it('measures exposure as the share of closes with a position', () => {
    const equity = dailyEquity(['1', '1', '1', '1', '1']);

    const { exposure } = computeStatistics(aRunRecord({ ...equity, heldCloses: 3 }));

    expect(exposure).toBe(0.75);
  });

  it('gives no exposure and no turnover without closes', () => {
    const statistics = computeStatistics(aRunRecord(dailyEquity(['10000'])));

    expect(statistics).toMatchObject({ exposure: null, turnover: null, maxDrawdown: null });
  });

  it('includes the costs of the ledger', () => {
    const costs = {
      fees: parseFixed('12.5'),
      funding: parseFixed('-3'),
      interest: parseFixed('0.25'),
      insurance: parseFixed('7'),
    };

    expect(computeStatistics(aRunRecord({ costs }))).toMatchObject(costs);
  });
});
