import { describe, expect, it } from 'vitest';

import {
  buildResult,
  headlineOf,
  parseResult,
  rangeBetween,
  rangeOfRuns,
  withBounds,
  writeResult,
  type KnownFigures,
} from '../../../src/report/index.js';
import { aRunRecord, dailyEquity } from '../../support/run-records.js';

/** Figures of a run that starts at 100. */
function figuresOf(final: string, figures: Partial<KnownFigures> = {}): KnownFigures {
  return { ...headlineOf(aRunRecord(dailyEquity(['100', final]))), ...figures };
}

describe('rangeOf', () => {
  it('spans each figure over all runs', () => {
    // Returns 0.1, −0.1 and 0.2; the deepest drawdown is not in the run that ends lowest.
    const { low, high } = rangeOfRuns([
      figuresOf('110', { maxDrawdown: 0.3, trades: 4, sharpe: 1.5 }),
      figuresOf('90', { maxDrawdown: 0.2, trades: 6, sharpe: -1 }),
      figuresOf('120', { maxDrawdown: 0.1, trades: 5, sharpe: 2 }),
    ]);

    expect(low).toMatchObject({
      finalEquity: '90',
      totalReturn: -0.1,
      maxDrawdown: 0.1,
      trades: 4,
      sharpe: -1,
    });
    expect(high).toMatchObject({
      finalEquity: '120',
      totalReturn: 0.2,
      maxDrawdown: 0.3,
      trades: 6,
      sharpe: 2,
    });
  });

  it('compares amounts as numbers, not as text', () => {
    const { low, high } = rangeOfRuns([figuresOf('1000'), figuresOf('99.5')]);

    expect([low.finalEquity, high.finalEquity]).toEqual(['99.5', '1000']);
  });

  it('gives no range for a figure that is null in one run', () => {
    const { low, high } = rangeOfRuns([
      figuresOf('110', { profitFactor: 2, winRate: 0.5 }),
      figuresOf('110', { profitFactor: null, winRate: 1 }),
    ]);

    expect([low.profitFactor, high.profitFactor]).toEqual([null, null]);
    expect([low.winRate, high.winRate]).toEqual([0.5, 1]);
  });

  it('refuses an empty list of runs', () => {
    expect(() => rangeOfRuns([])).toThrow(expect.objectContaining({ code: 'E_BOUNDS' }));
  });
});

describe('rangeBetween', () => {
  it('gives a range only to the figures that rise with the final equity', () => {
    const unknown = {
      sharpe: null,
      maxDrawdown: null,
      trades: null,
      winRate: null,
      profitFactor: null,
    };

    const { low, high } = rangeBetween(
      figuresOf('90', { cagr: -0.2, trades: 4, maxDrawdown: 0.2 }),
      figuresOf('120', { cagr: 0.4, trades: 3, maxDrawdown: 0.1 }),
    );

    expect(low).toEqual({ finalEquity: '90', totalReturn: -0.1, cagr: -0.2, ...unknown });
    expect(high).toEqual({ finalEquity: '120', totalReturn: 0.2, cagr: 0.4, ...unknown });
  });
});

describe('withBounds', () => {
  it('adds the range to the result file', () => {
    const result = buildResult(aRunRecord({ ...dailyEquity(['100', '110']), undecidedCandles: 3 }));
    const found = {
      ...rangeOfRuns([figuresOf('90'), figuresOf('110')]),
      exact: false,
      search: { runs: 4, joined: 1, cut: { candles: 2, from: 60_000, to: 120_000 } },
    };

    const parsed = parseResult(writeResult(withBounds(result, found)), 'result.json');

    expect(parsed).toEqual({ ...result, bounds: { ...result.bounds, ...found } });
  });
});
