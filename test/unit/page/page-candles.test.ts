import { describe, expect, it } from 'vitest';

import { CandleRows, MINUTE_MS } from '../../../src/domain/index.js';
import { CandleBars } from '../../../src/page/browser/candle-bars.js';
import { pageCandles } from '../../../src/page/candles/page-candles.js';

const START = 1_735_689_600_000;

/** One-minute candles whose prices show their row number. */
function rows(count: number): CandleRows {
  const column = (of: (row: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, row) => of(row));
  return CandleRows.of({
    openTime: column((row) => START + row * MINUTE_MS),
    open: column((row) => row),
    high: column((row) => row + 2),
    low: column((row) => row - 1),
    close: column((row) => row + 1),
    volume: column(() => 1),
  });
}

function barsOf(count: number, spans: readonly (readonly [number, number])[]): CandleBars {
  const series = {
    instrument: 'spot:BTCUSDT',
    interval: '1min',
    stepMs: MINUTE_MS,
    rows: rows(count),
  };
  const at = (row: number): number => START + row * MINUTE_MS;
  return new CandleBars(
    pageCandles(series, {
      ...{ from: START, to: at(count), instrument: 0 },
      spans: spans.map(([from, to]) => [at(from), at(to)] as const),
    }),
  );
}

describe('pageCandles', () => {
  it('keeps every candle of a short run, and gives coarse bars for the whole run', () => {
    const bars = barsOf(5_000, []);

    const near = bars.between(START, START + 100 * MINUTE_MS, 500);
    const far = bars.between(START, START + 5_000 * MINUTE_MS, 500);
    expect([near.time.length, near.lengths]).toEqual([100, [MINUTE_MS]]);
    // 2 minutes would be enough. The next usual length is 5.
    expect(far.lengths).toEqual([5 * MINUTE_MS]);
    expect([far.open[0], far.high[0], far.low[0], far.close[0]]).toEqual([0, 6, -1, 5]);
  });

  it('has no coarse bar beside the first or last candle of a short run', () => {
    const bars = barsOf(5_001, []);
    const end = START + 5_001 * MINUTE_MS;

    for (const [from, to] of [
      [START - 50 * MINUTE_MS, START + 50 * MINUTE_MS],
      [end - 50 * MINUTE_MS, end + 50 * MINUTE_MS],
    ] as const) {
      const { time, lengths } = bars.between(from, to, 500);
      expect([time.length, lengths]).toEqual([50, [MINUTE_MS]]);
    }
  });

  it('shows all candles of a run with few candles, even in a narrow picture', () => {
    const far = barsOf(1_300, []).between(START, START + 1_300 * MINUTE_MS, 390);

    expect([far.time.length, far.lengths]).toEqual([1_300, [MINUTE_MS]]);
  });

  it('keeps exact candles around given ranges, and coarse bars elsewhere', () => {
    const bars = barsOf(100_000, [[50_000, 50_010]]);

    const around = bars.between(START + 49_900 * MINUTE_MS, START + 50_100 * MINUTE_MS, 500);
    expect(bars.candles.exact).toEqual([[START + 49_970 * MINUTE_MS, START + 50_041 * MINUTE_MS]]);
    expect(around.lengths[0]).toBe(MINUTE_MS);
    expect(around.time.filter((_, row) => around.length[row] === MINUTE_MS)).toHaveLength(71);
    expect(around.lengths.length).toBe(2);
    expect(bars.candles.left).toBe('');
  });

  it('counts candles of overlapping windows once', () => {
    // A trade every 20 candles: each window holds 61 candles. Together they hold every candle, and there is room for 160,000.
    const spans = Array.from({ length: 5_000 }, (_, index) => [index * 20, index * 20] as const);

    const { candles } = barsOf(100_000, spans);

    expect(candles.left).toBe('');
    expect(candles.exact).toEqual([[START, START + 100_000 * MINUTE_MS]]);
  });

  it('reports ranges for which there was no room', () => {
    const spans = Array.from(
      { length: 400 },
      (_, index) => [index * 1_000, index * 1_000 + 900] as const,
    );

    const { left } = barsOf(400_000, spans).candles;

    expect(left).toMatch(
      /^\d+ of 400 ranges around trades and undecided candles are not shown candle by candle; those of the trades with the largest profits and losses are$/,
    );
  });
});
