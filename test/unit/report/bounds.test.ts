import { describe, expect, it } from 'vitest';

import {
  buildResult,
  combineBounds,
  parseResult,
  withBounds,
  writeResult,
  type Result,
} from '../../../src/report/index.js';
import { aRunRecord, dailyEquity } from '../../support/run-records.js';

interface PathOutcome {
  readonly final: string;
  readonly undecided?: number;
  readonly statistics?: Partial<Result['statistics']>;
}

function aResult({ final, undecided = 0, statistics = {} }: PathOutcome): Result {
  const result = buildResult(
    aRunRecord({ ...dailyEquity(['100', final]), undecidedCandles: undecided }),
  );
  return { ...result, statistics: { ...result.statistics, ...statistics } };
}

describe('combineBounds', () => {
  it('spans each figure over the paths, whichever run it comes from', () => {
    // Returns 0.1, −0.1 and 0.2; the deepest drawdown is not in the run that ends lowest.
    const results = [
      aResult({ final: '110', statistics: { maxDrawdown: 0.3, trades: 4, sharpe: 1.5 } }),
      aResult({ final: '90', statistics: { maxDrawdown: 0.2, trades: 6, sharpe: -1 } }),
      aResult({ final: '120', statistics: { maxDrawdown: 0.1, trades: 5, sharpe: 2 } }),
    ];

    const { low, high } = combineBounds(results);

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
    const { low, high } = combineBounds([aResult({ final: '1000' }), aResult({ final: '99.5' })]);

    expect([low.finalEquity, high.finalEquity]).toEqual(['99.5', '1000']);
  });

  it('gives no range for a figure that one path cannot carry', () => {
    const results = [
      aResult({ final: '110', statistics: { profitFactor: 2, winRate: 0.5 } }),
      aResult({ final: '110', statistics: { profitFactor: null, winRate: 1 } }),
    ];

    const { low, high } = combineBounds(results);

    expect([low.profitFactor, high.profitFactor]).toEqual([null, null]);
    expect([low.winRate, high.winRate]).toEqual([0.5, 1]);
  });

  it('is exact only when no path had an undecided candle', () => {
    const decided = combineBounds([aResult({ final: '110' }), aResult({ final: '110' })]);
    const undecided = combineBounds([
      aResult({ final: '110', undecided: 2 }),
      aResult({ final: '110', undecided: 7 }),
      aResult({ final: '110' }),
    ]);

    expect(decided).toMatchObject({ undecidedCandles: 0, exact: true });
    expect(undecided).toMatchObject({ undecidedCandles: 7, exact: false });
  });

  it('becomes part of the result file', () => {
    const result = aResult({ final: '110' });
    const bounds = combineBounds([result, aResult({ final: '90', undecided: 1 })]);

    const parsed = parseResult(writeResult(withBounds(result, bounds)), 'result.json');

    expect(parsed).toEqual({ ...result, bounds });
  });

  it('refuses to span nothing', () => {
    expect(() => combineBounds([])).toThrow(expect.objectContaining({ code: 'E_BOUNDS' }));
  });
});
