import { describe, expect, it } from 'vitest';
import { buildComparison, buildRunPage } from '../../../src/page/index.js';
import { buildResult, type Result } from '../../../src/report/index.js';
import { aRunRecord } from '../../support/run-records.js';

/** A result in a currency, with the price of an instrument beside it. */
function aResult(currency: string, initial: string, benchmark: readonly number[] = []): Result {
  const result = buildResult(aRunRecord());
  const { equity } = result;
  return {
    ...result,
    equity: { ...equity, initial, currency },
    benchmark: {
      ...{ instrument: 'spot:ETHBTC', totalReturn: 0.03, excessReturn: -0.000_01 },
      ...{ beta: -0.001, correlation: null },
      curve: benchmark.map((price, day) => [day * 86_400_000, String(price)]),
    },
  };
}

describe('buildRunPage', () => {
  it('draws what is held with the digits of its price, however small the account is', () => {
    const page = buildRunPage(aResult('BTC', '0.05', [100, 101, 102, 103]));

    const drawn = page.benchmark?.points.map(([, value]) => Number(value)) ?? [];
    for (const [day, value] of drawn.entries()) expect(value).toBeCloseTo(0.05 * (1 + day / 100));
    expect(new Set(drawn).size).toBe(4);
  });

  it('writes the figures of what is held like those of the run', () => {
    const page = buildRunPage(aResult('USDT', '10000', [100, 103]));

    expect(page.benchmark?.figures.map(({ value }) => value)).toEqual([
      ...['3.00 %', '0.00 %', '0.00', 'n/a'],
    ]);
  });
});

describe('buildComparison', () => {
  it('has no difference of amounts in different currencies', () => {
    const runs = [aResult('USDT', '10000'), aResult('BTC', '2'), aResult('USDT', '10001')];

    const { rows } = buildComparison(
      runs.map((result, place) => ({ name: `${String(place)}.json`, result })),
    );

    const [initial] = rows;
    expect(initial?.values).toEqual(['10,000.00 USDT', '2.00 BTC', '10,001.00 USDT']);
    expect(initial?.differences).toEqual(['', '', '1']);
    expect(rows.find(({ label }) => label === 'Trades')?.differences).toEqual(['', '0', '0']);
  });
});
