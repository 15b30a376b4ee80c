import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  prepareMarket,
  replayMarket,
  SharedCandles,
  type RunOptions,
} from '../../../src/assembly/index.js';
import { MINUTE_MS, parseFixed, type CandleColumns } from '../../../src/domain/index.js';
import { buildResult, writeResult, type RunRecord } from '../../../src/report/index.js';
import { CandleStrategy, PrecomputedStore, int, sma } from '../../../src/strategy/index.js';
import { tradeSmaCrossInTicks } from '../../brute-force/sma-cross-ticks.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC } from '../../support/replay.js';

/** Long while the fast average is above the slow one, else flat. */
class LongWhileAbove extends CandleStrategy({ fast: int(1, 60, 10), slow: int(1, 60, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1' });
    else this.exit();
  }
}

/** Candles of a minute that open at the previous close and move by at most one tick, so that equal averages are common. */
const walks = fc.record({
  decimals: fc.integer({ min: 0, max: 8 }),
  start: fc.integer({ min: 1_000, max: 5_000_000 }),
  moves: fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 60, maxLength: 150, size: 'max' }),
});

function columnsOf(closes: readonly number[]): CandleColumns {
  const column = (read: (row: number) => number): Float64Array =>
    Float64Array.from(closes, (_, row) => read(row));
  const close = (row: number): number => closes[row] ?? Number.NaN;
  const open = (row: number): number => close(Math.max(0, row - 1));
  return {
    openTime: column((row) => Date.UTC(2025, 0, 1) + row * MINUTE_MS),
    open: column(open),
    high: column((row) => Math.max(open(row), close(row))),
    low: column((row) => Math.min(open(row), close(row))),
    close: column(close),
    volume: column(() => 1_000),
  };
}

/** Runs the strategy with each of the periods, alone or with the data that runs share. `from`: start of the run, absent: that of the data. */
async function play(
  columns: CandleColumns,
  periods: readonly { readonly fast: number; readonly slow: number }[],
  decimals = 2,
  { from, ...shared }: Partial<RunOptions> & { readonly from?: number } = {},
): Promise<readonly RunRecord[]> {
  const fee = parseFixed('0.001');
  const config = aBacktestConfig({
    instrumentId: BTC,
    interval: '1min',
    simulation: {
      from,
      balances: { spot: new Map([['USDT', parseFixed('1000000000')]]) },
      fees: { maker: fee, taker: fee, paidIn: 'quote' },
      rules: new Map([[BTC, { tradable: true, pricePrecision: decimals, quantityPrecision: 5 }]]),
    },
  });
  const archive = createMemoryArchive([{ instrumentId: BTC, interval: '1min', columns }]);
  const market = await prepareMarket(config, archive);
  const records: RunRecord[] = [];
  for (const parameters of periods)
    records.push(
      await replayMarket(market, {
        config: { ...config, strategy: { ...config.strategy, parameters } },
        strategyClass: LongWhileAbove,
        sourceHash: 'averages',
        ...shared,
      }),
    );
  return records;
}

const isLong = process.env['EVENKEEL_LONG'] === '1';

const fillsOf = (record: RunRecord): readonly string[] =>
  [...record.fills].map(({ record: fill }) =>
    [fill.eventTime, fill.side, fill.price, fill.fee].join(','),
  );

const sharing = (): Partial<RunOptions> => ({
  precomputed: new PrecomputedStore({ mostBytes: 1 << 24 }),
  candles: new SharedCandles({ mostCandles: 1 << 16 }),
});

const PERIODS = fc.constantFrom(
  { fast: 10, slow: 30 },
  { fast: 3, slow: 7 },
  { fast: 7, slow: 49 },
  { fast: 1, slow: 11 },
);

describe('trades on simple averages', () => {
  it('match averages in whole ticks, on any tick grid, alone and with shared values', async () => {
    let ties = 0;
    let fills = 0;
    await fc.assert(
      fc.asyncProperty(walks, PERIODS, async ({ decimals, start, moves }, periods) => {
        let ticks = start;
        const closes = moves.map((move) => (ticks += move) / 10 ** decimals);
        const columns = columnsOf(closes);
        const expected = tradeSmaCrossInTicks(columns, { ...periods, decimals, feePerMille: 1n });

        const [alone] = await play(columns, [periods], decimals);
        const shared = await play(columns, [periods, periods], decimals, sharing());

        for (const record of [alone, ...shared])
          expect(record && fillsOf(record)).toEqual(expected.fills);
        ties += expected.ties;
        fills += expected.fills.length;
      }),
      { numRuns: isLong ? 2_000 : 40 },
    );
    expect(ties).toBeGreaterThan(50);
    expect(fills).toBeGreaterThan(100);
  });
});

describe('a price off every tick grid', () => {
  const NOISE = 'spot:BTCUSDT 1min: some numbers lie on no tick grid';
  const onGrid = Array.from({ length: 90 }, (_, row) => 100 + ((row * 7) % 13) / 100);
  const warningsOf = ({ warnings }: RunRecord): readonly string[] =>
    warnings.filter((warning) => warning.includes('tick grid'));

  it('is reported in the result, and changes nothing between runs with shared values', async () => {
    // 0.1 + 0.2 is the neighbor of 0.3 among floats.
    const closes = onGrid.map((close, row) => (row === 60 ? close - 100 + 0.1 + 0.2 : close));
    const [alone] = await play(columnsOf(closes), [{ fast: 3, slow: 7 }]);
    const shared = await play(
      columnsOf(closes),
      [
        { fast: 3, slow: 7 },
        { fast: 3, slow: 7 },
      ],
      2,
      sharing(),
    );

    expect(alone && warningsOf(alone)).toEqual([expect.stringContaining(NOISE)]);
    const texts = [alone, ...shared].map((record) => record && writeResult(buildResult(record)));
    expect(new Set(texts).size).toBe(1);
  });

  it('is not reported if it comes before the warm-up', async () => {
    // The warm-up of 7 candles before row 60.
    const from = Date.UTC(2025, 0, 1) + 60 * MINUTE_MS;
    const offGrid = (at: number): CandleColumns =>
      columnsOf(onGrid.map((close, row) => (row === at ? close - 100 + 0.1 + 0.2 : close)));

    const [before] = await play(offGrid(40), [{ fast: 3, slow: 7 }], 2, { from });
    const [within] = await play(offGrid(56), [{ fast: 3, slow: 7 }], 2, { from });

    expect(before && warningsOf(before)).toEqual([]);
    expect(within && warningsOf(within)).toEqual([expect.stringContaining(NOISE)]);
  });

  it('is not reported for a series on the grid', async () => {
    const [record] = await play(columnsOf(onGrid), [{ fast: 3, slow: 7 }]);

    expect(record && warningsOf(record)).toEqual([]);
  });
});
