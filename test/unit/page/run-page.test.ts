import { describe, expect, it } from 'vitest';
import { buildComparison, buildRunPage } from '../../../src/page/index.js';
import { buildResult, type Result, type Trade } from '../../../src/report/index.js';
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

/** A long of two that sold one. */
function aTrade({ open }: { readonly open: boolean }): Trade {
  const end = { price: '100', label: null, cause: 'signal' } as const;
  return {
    ...{ instrument: 'spot:BTCUSDT', side: 'long', open },
    entry: { ...end, time: 60_000, quantity: '2', fills: [0] },
    exit: { ...end, time: 120_000, quantity: open ? '1' : '2', fills: [1] },
    ...{ duration: 60_000, gross: '0', fees: '0', funding: '0', interest: '0', profit: '0' },
    ...{ return: 0, mae: '0', mfe: '0', arrival: null, shortfall: null, intents: [] },
  };
}

describe('buildRunPage', () => {
  it('draws what is held with the digits of its price, however small the account is', () => {
    const page = buildRunPage(aResult('BTC', '0.05', [100, 101, 102, 103]));

    const drawn = page.benchmark?.points.map(([, value]) => Number(value)) ?? [];
    for (const [day, value] of drawn.entries()) expect(value).toBeCloseTo(0.05 * (1 + day / 100));
    expect(new Set(drawn).size).toBe(4);
  });

  it('draws what is held by an account of some coins with more digits than two', () => {
    const page = buildRunPage(aResult('BTC', '2', [100, 100.1, 100.2]));

    expect(page.benchmark?.points.map(([, value]) => Number(value))).toEqual([2, 2.002, 2.004]);
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

  it('tells a trade that is still open from one that was closed by the same exit', () => {
    const closed = { ...aResult('USDT', '10000'), trades: [aTrade({ open: false })] };
    const open = { ...aResult('USDT', '10000'), trades: [aTrade({ open: true })] };

    const { onlyIn } = buildComparison([
      { name: 'closed.json', result: closed },
      { name: 'open.json', result: open },
    ]);

    expect(onlyIn).toMatchObject([
      { run: 0, exitTime: 120_000 },
      { run: 1, exitTime: null },
    ]);
  });

  it('compares no trades with a result that lists none', () => {
    const listed = { ...aResult('USDT', '10000'), trades: [aTrade({ open: false })] };

    const { onlyIn } = buildComparison([
      { name: 'listed.json', result: listed },
      { name: 'version-1.json', result: aResult('USDT', '10000') },
    ]);

    expect(onlyIn).toBeNull();
  });
});
