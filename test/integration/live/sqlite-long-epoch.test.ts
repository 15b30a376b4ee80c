import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { beginEngine, type Begun } from '../../../src/assembly/bot/begin-engine.js';
import type { SessionConfig } from '../../../src/assembly/index.js';
import { readTerms } from '../../../src/assembly/market/load-terms.js';
import { createInstrumentId, MINUTE_MS } from '../../../src/domain/index.js';
import { openJournal, readJournal, type SqliteJournal } from '../../../src/journal/index.js';
import { GoneInstruments, SILENT_BOT_LOG } from '../../../src/live/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import type { MarketDataSource } from '../../../src/venue/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { aCandle } from '../../support/candles.js';
import { journalFile } from '../../support/journal/journal.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const PAIR = createInstrumentId('spot', 'BTCUSDT');

/** Has a working order from its first candle on. */
class Waiting extends CandleStrategy({}) {
  #hasEntered = false;

  override onCandle(): void {
    if (!this.#hasEntered) this.enterLong({ quantity: '1' }, { limitPrice: '50' });
    this.#hasEntered = true;
  }
}

interface Bot {
  readonly begun: Begun;
  readonly journal: SqliteJournal;
}

async function begin(file: string, now: number): Promise<Bot> {
  const config = aBacktestConfig({ instrumentId: PAIR, interval: '1min' }) as SessionConfig;
  const archive = createMemoryArchive([]);
  const journal = await openJournal({ file });
  const begun = await beginEngine(
    {
      ...{ config, strategyClass: Waiting, sourceHash: 'test', mode: 'live', journal: file },
      source: { configFile: '/bots/bot.yaml', set: [] },
      connection: { time: { now: () => now }, venue: { market: {} as MarketDataSource } },
      log: SILENT_BOT_LOG,
    },
    {
      ...{ archive, terms: await readTerms(config, archive), journal },
      controller: new AbortController(),
      patience: { time: { after: () => () => undefined } },
      gone: new GoneInstruments(),
    },
    { onVerdict: () => undefined },
  );
  return { begun, journal };
}

/** Adds events to the epoch that no checkpoint covers. */
function prolong(file: string, count: number): void {
  const db = new Database(file);
  db.prepare(
    `WITH RECURSIVE more (id) AS (SELECT max(id) + 1 FROM events UNION ALL SELECT id + 1 FROM more LIMIT ?)
     INSERT INTO events SELECT more.id, (SELECT max(time) FROM events), 'timer', NULL, NULL, zeroblob(8) FROM more`,
  ).run(count);
  db.close();
}

describe('a bot whose process ended in a long epoch', () => {
  it('resumes from the checkpoint within the epoch if an order works', async () => {
    const file = await journalFile();
    const candle = aCandle({ instrumentId: PAIR, interval: '1min' });
    const { closeTime: time } = candle;
    const { begun, journal } = await begin(file, candle.openTime);
    begun.engine.process({ kind: 'candles', time, candles: [candle] });
    const { workingOrders } = begun.engine;
    journal.close();
    prolong(file, 100_000);
    const resumed = await openJournal({ file });
    resumed.resumeEpoch();
    resumed.append({ kind: 'timer', time }, []);
    resumed.keepCheckpoint(begun.engine.checkpoint());
    resumed.append({ kind: 'timer', time: time + MINUTE_MS }, []);
    resumed.close();

    const again = await begin(file, time + 2 * MINUTE_MS);
    again.journal.close();
    const reader = await readJournal(file);
    const epochs = reader.epochs();
    reader.close();

    expect(workingOrders).toHaveLength(1);
    expect(again.begun.isReplayed).toBe(false);
    expect(again.begun.engine.workingOrders.map(({ request }) => request.clientOrderId)).toEqual(
      workingOrders.map(({ request }) => request.clientOrderId),
    );
    expect(epochs.map(({ closed }) => closed)).toEqual([
      'too long to be done again while nobody samples its stops',
      undefined,
    ]);
  });
});
