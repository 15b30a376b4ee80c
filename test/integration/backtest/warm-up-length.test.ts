import { describe, expect, it } from 'vitest';

import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import { describeConfig, hashConfig } from '../../../src/assembly/identity/hash-inputs.js';
import { HOUR_MS, type Candle } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy, ema, sma } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { BTC } from '../../support/replay.js';

const START = Date.UTC(2025, 0, 6);

/** First at 500, which an average remembers for long, then about 100. */
const ROWS = Array.from({ length: 400 }, (_, row) => {
  const close = row < 200 ? 500 : 100 + (row % 7);
  const time = START + row * HOUR_MS;
  return { time, open: close, high: close, low: close, close, volume: 1_000 };
});

interface Told {
  readonly record: RunRecord;
  /** The average at each candle that the strategy receives, by open time. */
  readonly values: ReadonlyMap<number, number>;
}

/** An average of 10: its first value needs 9 earlier candles, and 104 candles are needed to forget where it began. */
async function average(
  length: BacktestConfig['warmUp']['length'],
  fromRow: number | undefined,
  storedFrom = 0,
): Promise<Told> {
  const values = new Map<number, number>();
  class Averages extends CandleStrategy({}) {
    readonly average = this.indicator(ema(10));
    readonly window = this.indicator(sma(5));
    override onCandle({ openTime }: Candle): void {
      values.set(openTime, this.average.value);
    }
  }
  const config = aBacktestConfig({
    instrumentId: BTC,
    interval: '1h',
    simulation: { from: fromRow === undefined ? undefined : START + fromRow * HOUR_MS },
  });
  const columns = columnsOf(ROWS.slice(storedFrom));
  const record = await replayBacktest({
    config: { ...config, warmUp: { length, incomplete: 'wait' } },
    archive: createMemoryArchive([{ instrumentId: BTC, interval: '1h', columns }]),
    strategyClass: Averages,
    sourceHash: 'test',
  });
  return { record, values };
}

/** The largest difference between the averages of the run and those of a run over all candles. */
async function distance({ values }: Told): Promise<number> {
  const through = await average('lookback', undefined);
  return Math.max(
    ...[...values].map(([time, value]) => Math.abs(value - (through.values.get(time) ?? 0))),
  );
}

describe('warmUp.length: converged', () => {
  it('starts at `from` with the averages of a longer run, unlike with one lookback', async () => {
    const from = 205;

    const converged = await average('converged', from);
    const short = await average('lookback', from);

    expect([...converged.values.keys()][0]).toBe(START + from * HOUR_MS);
    expect(await distance(converged)).toBeLessThan(1e-9 * 400);
    expect(await distance(short)).toBeGreaterThan(1);
    expect(converged.record.warnings).toEqual(short.record.warnings);
  });

  it('starts at `from` also with fewer stored candles, and reports their number and weight', async () => {
    const { record, values } = await average('converged', 220, 190);

    expect([...values.keys()][0]).toBe(START + 220 * HOUR_MS);
    // 21 candles after the first value: its weight is (9/11)^21.
    expect(record.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^spot:BTCUSDT 1h: 85 of 115 warm-up candles are missing before 2025-01-15T04:00:00Z?.*; at the start what an indicator began from still weighs up to 1\.5 %$/,
        ),
      ]),
    );
  });

  it('waits for at most one lookback if the run starts with the data', async () => {
    const [converged, short] = [
      await average('converged', undefined),
      await average('lookback', undefined),
    ];

    expect([...converged.values]).toEqual([...short.values]);
    expect(converged.record.run.from).toBe(short.record.run.from);
  });

  it('changes the inputs of the run', async () => {
    const [converged, short] = [await average('converged', 300), await average('lookback', 300)];

    expect(converged.record.run.configHash).not.toBe(short.record.run.configHash);
    expect(converged.record.run.id).not.toBe(short.record.run.id);
  });

  it('has no part in the hash of a config with one lookback, as before the key existed', () => {
    const config = aBacktestConfig({ instrumentId: BTC, interval: '1h' });
    const withWarmUp = (warmUp: BacktestConfig['warmUp']): BacktestConfig => ({
      ...config,
      warmUp,
    });

    const lookback = withWarmUp({ length: 'lookback', incomplete: 'wait' });
    expect(describeConfig(lookback)).not.toHaveProperty('warmUp');
    expect(hashConfig(lookback)).toBe(
      hashConfig(withWarmUp({ length: 'lookback', incomplete: 'begin' })),
    );
    expect(describeConfig(withWarmUp({ length: 'converged', incomplete: 'wait' }))).toMatchObject({
      warmUp: { length: 'converged' },
    });
  });
});
