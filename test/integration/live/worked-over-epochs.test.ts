import { describe, expect, it, onTestFinished } from 'vitest';

import { createEngine } from '../../../src/assembly/create-engine.js';
import { SessionRecorder } from '../../../src/assembly/backtest/index.js';
import {
  describeEpoch,
  readTerms,
  replayJournal,
  replayBacktest,
  type RunBegin,
} from '../../../src/assembly/index.js';
import { createInstrumentId, HOUR_MS } from '../../../src/domain/index.js';
import type { JournalEntry } from '../../../src/engine/index.js';
import { readJournal } from '../../../src/journal/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { hourly } from '../../support/hourly-run.js';
import { aJournal, journalFile } from '../../support/journal/journal.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const RUN = { mode: 'backtest', source: { configFile: '/bot.yaml', set: [] } } as const;

/** Buys 4 in 4 parts over 2 hours, from the first close on. */
class Slicer extends CandleStrategy({}) {
  override onCandle({ closeTime }: { readonly closeTime: number }): void {
    if (closeTime === HOUR_MS)
      this.enterLong({ quantity: '4' }, { work: { twap: { over: '2h', slices: 4 } } });
  }
}

/** A run that ended at `pauseAt` and went on from there in a second epoch. */
async function runInTwo(pauseAt: number) {
  const config = aBacktestConfig({ instrumentId: ID, interval: '1h' });
  const columns = hourly({ 0: 100, 1: 101, 2: 102, 3: 103, 4: 104, 5: 105 });
  const archive = createMemoryArchive([{ instrumentId: ID, interval: '1h', columns }]);
  const terms = await readTerms(config, archive);
  const inputs = { config, strategyClass: Slicer, sourceHash: 'slicer' };
  const entries: JournalEntry[] = [];
  const begins: RunBegin[] = [];
  const whole = await replayBacktest({
    ...{ ...inputs, archive, onBegin: (begin: RunBegin) => begins.push(begin) },
    journal: { append: (event, commands) => entries.push({ event, commands }) },
  });
  const [begin] = begins;
  if (begin === undefined) throw new Error('expected the run to have begun');

  const file = await journalFile();
  const journal = await aJournal(file, { commits: 'grouped' });
  journal.beginEpoch(describeEpoch(inputs, begin, RUN));
  const first = createEngine({ ...inputs, terms, journal, constructed: begin.constructed });
  first.construct();
  first.start(begin.started);
  for (const { event } of entries) if (event.time < pauseAt) first.process(event);
  const checkpoint = first.checkpoint();
  first.stop();
  journal.closeEpoch('stopped', checkpoint);
  const now = { constructed: first.now(), started: first.now(), terms: terms.hash };
  journal.beginEpoch(describeEpoch(inputs, now, { ...RUN, checkpoint }));
  const second = createEngine({ ...inputs, terms, journal, checkpoint, constructed: first.now() });
  second.construct();
  second.start(now.started);
  for (const { event } of entries) if (event.time >= pauseAt) second.process(event);
  second.stop();
  journal.closeEpoch('stopped', second.checkpoint());
  journal.close();

  const reader = await readJournal(file);
  onTestFinished(() => {
    reader.close();
  });
  const recorder = new SessionRecorder({ ...inputs, terms, keepsCloses: false });
  for (const epoch of reader.epochs())
    await replayJournal({
      ...{ ...inputs, terms, epoch, entries: reader.entries(epoch) },
      onStarted: (engine) => {
        recorder.begin(engine, epoch);
      },
      ...{ onEntry: recorder.onEntry, onReplayed: recorder.onReplayed },
    });
  return { whole, inTwo: recorder.record() };
}

describe('an intent that is worked while its bot starts again', () => {
  it('is listed once, with the fills of all epochs', async () => {
    const { whole, inTwo } = await runInTwo(2 * HOUR_MS);

    expect(whole.worked).toHaveLength(1);
    expect(inTwo.fills).toHaveLength(4);
    expect(inTwo.worked).toEqual(whole.worked);
  });
});
