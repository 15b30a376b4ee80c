import { describe, expect, it } from 'vitest';
import {
  noticeMade,
  openArchive,
  openRunArchive,
  type Archive,
} from '../../../src/archive/index.js';
import { replayBacktest } from '../../../src/assembly/index.js';
import { MINUTE_MS, resampleCandles, type CandleColumns } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { openSnapshot, takeSnapshot } from '../../../src/research/index.js';
import { SmaCrossover } from '../../../strategies/sma-crossover/sma-crossover.strategy.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { BTC } from '../../support/replay.js';
import { runDataCommand } from '../../support/run-data-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const START = Date.parse('2025-03-01T00:17:00Z');
const NOTICE = 'spot:BTCUSDT 2h: not stored; made of the stored candles of 1min';

/** Prices that rise and fall, so that averages cross. */
function minutes(): CandleColumns {
  const priceAt = (minute: number): number => 100 + Math.round(1000 * Math.sin(minute / 900)) / 100;
  return columnsOf(
    Array.from({ length: 20_000 }, (_, minute) => {
      const [open, close] = [priceAt(minute), priceAt(minute + 1)];
      return {
        time: START + minute * MINUTE_MS,
        open,
        close,
        high: Math.max(open, close),
        low: Math.min(open, close),
        volume: 1_000,
      };
    }),
  );
}

const resampled = (): CandleColumns => resampleCandles(minutes(), '1min', '2h').columns;

const CONFIG = aBacktestConfig({
  instrumentId: BTC,
  interval: '2h',
  simulation: { from: START + 3_000 * MINUTE_MS, to: START + 19_000 * MINUTE_MS },
  parameters: { fast: 3, slow: 8 },
});

const run = (archive: Archive): Promise<RunRecord> =>
  replayBacktest({ config: CONFIG, archive, strategyClass: SmaCrossover, sourceHash: 'test' });

describe('an interval that is made from stored finer candles', () => {
  it('gives the backtest and the sweep of a stored interval, from its warm-up on, with a note in the result', async () => {
    const directory = await temporaryFolder();
    await openArchive(directory).merge(
      { instrumentId: BTC, interval: '1min', columns: minutes() },
      { source: 'test', volumeUnit: 'base' },
    );
    const made = await run(openRunArchive(directory));
    const snapshot = await takeSnapshot(CONFIG, openRunArchive(directory));
    const swept = await run(openSnapshot(snapshot));
    await runDataCommand(
      directory,
      'resample --product spot --symbol BTCUSDT --interval 1min --to 2h --archive .'.split(' '),
    );
    const stored = await run(openRunArchive(directory));

    expect([...stored.fills].length).toBeGreaterThan(4);
    expect([made.run, swept.run]).toEqual([stored.run, stored.run]);
    // The warm-up is made, too: the run starts with the first candle after `from`.
    expect(made.run.from - (START + 3_000 * MINUTE_MS)).toBeLessThan(120 * MINUTE_MS);
    expect([...made.fills]).toEqual([...stored.fills]);
    expect(made.warnings).toEqual([NOTICE, ...stored.warnings]);
    expect(swept.warnings).toEqual(made.warnings);
    expect([...swept.fills]).toEqual([...stored.fills]);
    expect(noticeMade(snapshot.series.map(({ info }) => info))).toEqual([NOTICE]);
  });

  it('reports since when its rules were seen, if that is after its start', async () => {
    const archive = openArchive(await temporaryFolder());
    await archive.merge(
      { instrumentId: BTC, interval: '2h', columns: resampled() },
      { source: 'test', volumeUnit: 'base' },
    );
    const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
    await archive.mergeRules(BTC, [{ from: Date.parse('2025-03-10'), rules }], { source: 'test' });

    const { warnings } = await run(archive);

    expect(warnings).toContain(
      'rules of BTCUSDT are those seen on 2025-03-10; used for 2025-03-03 to 2025-03-10',
    );
  });
});
