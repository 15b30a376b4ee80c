import { describe, expect, it } from 'vitest';

import { buildComparison, buildRunPage, writePageData } from '../../src/page/index.js';
import type { WrittenPage } from '../../src/page/page-data.js';
import { unpackPage } from '../../src/page/browser/unpack-columns.js';
import { buildResult } from '../../src/report/index.js';
import { runOfManyTrades } from '../support/many-trades.js';
import { aRunRecord } from '../support/run-records.js';

const MEGABYTE = 1e6;

describe('the page of a long run', () => {
  it('is small with a million candles and 1,000 trades, and has the candles around each fill', () => {
    const { result, series } = runOfManyTrades(1_000, 1_000);

    const page = buildRunPage(result, { series });

    const [candles] = page.candles;
    const isExact = (time: number): boolean =>
      candles?.exact.some(([from, to]) => from <= time && time < to) ?? false;
    expect(result.trades).toHaveLength(1_000);
    expect([candles?.rows, candles?.left]).toEqual([1_000_000, '']);
    expect(page.fills.time.filter((time) => !isExact(time))).toEqual([]);
    // With its script and styles, some 150 kB, a page may have 6 MB.
    expect(writePageData(page).length).toBeLessThan(5.8 * MEGABYTE);
  });

  it('has all of 50,000 trades, and reports the ranges of candles that it left out', () => {
    const { result, series } = runOfManyTrades(50_000, 20);

    const page = buildRunPage(result, { series });
    const text = writePageData(page);

    const { trades, fills } = unpackPage(JSON.parse(text) as WrittenPage) as typeof page;
    const plain = JSON.stringify({ trades: page.trades, fills: page.fills });
    expect(trades?.profit.join()).toBe(result.trades?.map(({ profit }) => profit).join());
    expect(JSON.stringify({ trades, fills }) === plain).toBe(true);
    expect(page.candles[0]?.left).toMatch(/^\d+ of 50000 ranges .* are not shown/);
    expect(text.length).toBeLessThan(9 * MEGABYTE);
  }, 60_000);

  it('reduces curves of 100,000 points in a comparison, and keeps the deepest fall', () => {
    const result = {
      ...buildResult(aRunRecord()),
      equityCurve: Array.from(
        { length: 100_000 },
        (_, row) => [row * 60_000, row === 61_803 ? '3' : '10000'] as const,
      ),
    };

    const { runs } = buildComparison(['a', 'b'].map((name) => ({ name, result })));

    expect(runs.map(({ of }) => of)).toEqual([100_000, 100_000]);
    for (const { curve } of runs) {
      expect(curve.length).toBeLessThanOrEqual(6_000);
      // The deepest fall stays in the curve, even if it is very short.
      expect(curve).toContainEqual([61_803 * 60_000, '3']);
    }
  });
});
