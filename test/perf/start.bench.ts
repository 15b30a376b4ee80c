/**
 * The start of a bot that was stopped in order and reads its warm-up from its journal: 5,000 candles of each of 20 series, of which the venue serves the
 * newest 300. Measured from opening the journal to a warm strategy. `CANDLES=N` sets the length of the warm-up, about.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { sliceColumns, type Archive } from '../../src/archive/index.js';
import type { SessionConfig } from '../../src/assembly/index.js';
import { beginEngine, type Begun } from '../../src/assembly/bot/begin-engine.js';
import { readTerms } from '../../src/assembly/market/load-terms.js';
import { closeTimeOf, present, type Candle, type EpochMs } from '../../src/domain/index.js';
import { openJournal } from '../../src/journal/index.js';
import { GoneInstruments, SILENT_BOT_LOG } from '../../src/live/index.js';
import { CandleStrategy, ema } from '../../src/strategy/index.js';
import type { MarketDataSource } from '../../src/venue/index.js';

import { createManyArchive, createManyCandles, createManyConfig } from './instruments-work.js';
import { measure, milliseconds } from './measure.js';

const SERIES = 20;
const CANDLES = Number(process.env['CANDLES'] ?? 5_000);
/** An exponential average of N candles needs about 11.4 × N candles until its first value no longer matters. */
const PERIOD = Math.round(CANDLES / 11.362);
const SERVED = 300;

/** Sends no intents. It has a long average of each series. */
class Slow extends CandleStrategy({}) {
  readonly averages = this.instruments.map(({ instrumentId: instrument }) =>
    this.indicator(ema(PERIOD), { instrument }),
  );

  override onCandle(): void {
    // Only the start is measured.
  }
}

const config = createManyConfig(SERIES) as SessionConfig;
const columns = createManyCandles(SERIES, CANDLES + 2 * SERVED);
const full = createManyArchive(columns);
const empty = createManyArchive(columns.map((each) => sliceColumns(each, 0, 0)));
const terms = await readTerms(config, full);
const scratch = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  const kept = path.join(scratch, 'kept');
  const stoppedAt = timeOf(CANDLES + SERVED);
  const told = await start(kept, full, stoppedAt);
  const file = path.join(scratch, 'bot');
  await measure([
    {
      name: `a start with ${String(told)} candles of ${String(SERIES)} series from the journal`,
      unit: 'ms',
      better: 'less',
      run: async () => {
        await copyJournal(kept, file);
        return milliseconds(() => start(file, empty, timeOf(CANDLES + 2 * SERVED - 10)));
      },
    },
  ]);
} finally {
  rmSync(scratch, { recursive: true });
}

/** Begins a bot, warms its strategy up, and ends it in order. Returns the smallest number of candles that a series received. */
async function start(file: string, archive: Archive, now: EpochMs): Promise<number> {
  const journal = await openJournal({ file });
  const begun = await beginEngine(
    {
      ...{ config, strategyClass: Slow, sourceHash: 'bench', mode: 'live', journal: file },
      source: { configFile: 'bench.yaml', set: [] },
      connection: { time: { now: () => now }, venue: { market: marketAt(now) } },
      log: SILENT_BOT_LOG,
    },
    {
      ...{ archive, terms, journal },
      controller: new AbortController(),
      patience: { time: { after: () => () => undefined } },
      gone: new GoneInstruments(),
    },
    { onVerdict: () => undefined },
  );
  warmUp(begun);
  journal.closeEpoch('stopped', begun.engine.checkpoint());
  journal.close();
  begun.engine.stop();
  return Math.min(...begun.warmings.map((warming) => warming.told));
}

/** Feeds the history to the engine as a session does. */
function warmUp({ engine, streams }: Begun): void {
  const byClose = new Map<EpochMs, Candle[]>();
  for (const candle of streams.flatMap(({ history }) => history)) {
    const slice = byClose.get(candle.closeTime);
    if (slice === undefined) byClose.set(candle.closeTime, [candle]);
    else slice.push(candle);
  }
  for (const [time, candles] of [...byClose].sort(([a], [b]) => a - b))
    engine.process({ kind: 'candles', time, candles });
  if (!engine.isWarm) throw new Error('expected the engine to be warm');
}

/** A venue that serves its newest candles. */
function marketAt(now: EpochMs): MarketDataSource {
  const market: Pick<MarketDataSource, 'candles' | 'capabilities'> = {
    capabilities: {} as MarketDataSource['capabilities'],
    candles: (instrumentId, interval, { limit = SERVED }) => {
      const index = config.instruments.findIndex((each) => each.instrumentId === instrumentId);
      const { openTime, open, high, low, close, volume } = present(columns[index], instrumentId);
      const end = openTime.findLastIndex((time) => closeTimeOf(time, interval) <= now) + 1;
      const served = Array.from({ length: Math.min(limit, SERVED) }, (_, back) => {
        const row = end - Math.min(limit, SERVED) + back;
        const at = (column: Float64Array): number => column[row] ?? Number.NaN;
        const opened = at(openTime);
        return {
          ...{ instrumentId, interval, openTime: opened, closeTime: closeTimeOf(opened, interval) },
          ...{ open: at(open), high: at(high), low: at(low), close: at(close) },
          ...{ volume: at(volume), closed: true },
        };
      });
      return Promise.resolve(served);
    },
  };
  return market as MarketDataSource;
}

function timeOf(row: number): EpochMs {
  return present(columns[0]?.openTime[row], 'a row');
}

async function copyJournal(from: string, to: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${to}${suffix}`, { force: true });
    if (existsSync(`${from}${suffix}`)) await cp(`${from}${suffix}`, `${to}${suffix}`);
  }
}
