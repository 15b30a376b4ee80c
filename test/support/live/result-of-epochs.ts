import { openArchive } from '../../../src/archive/index.js';
import {
  createHeldPrices,
  readTerms,
  replayJournal,
  SessionRecorder,
} from '../../../src/assembly/backtest/index.js';
import { withAllocation } from '../../../src/assembly/index.js';
import { PlotRecorder } from '../../../src/assembly/plot-recorder.js';
import { requireSession } from '../../../src/bots/require-session.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { readJournal } from '../../../src/journal/index.js';
import { buildResult, type Result } from '../../../src/report/index.js';
import type { ReplayedBot } from './replay-epoch.js';

/** The result of all epochs of a session's journal, as `result` gives it. */
export async function resultOfEpochs(bot: ReplayedBot): Promise<Result> {
  const { mode, strategyClass, sourceHash, set = [] } = bot;
  const loaded = await loadConfig({ file: bot.config, cwd: '/', set });
  const config = withAllocation(requireSession(loaded, mode));
  const terms = await readTerms(config, openArchive(config.simulation.archive));
  const inputs = { config, strategyClass, sourceHash, terms };
  const recorder = new SessionRecorder({ ...inputs, keepsCloses: true });
  const plots = new PlotRecorder(config);
  const silent = () => undefined;
  const log = plots.over({ debug: silent, info: silent, warn: silent }, recorder.now);
  const reader = await readJournal(bot.journal);
  try {
    for (const epoch of reader.epochs()) {
      const { kind } = await replayJournal({
        ...inputs,
        epoch,
        entries: reader.entries(epoch),
        log,
        onStarted: (engine) => {
          recorder.begin(engine, epoch);
        },
        onEntry: recorder.onEntry,
        onReplayed: recorder.onReplayed,
      });
      if (kind === 'diverged') throw new Error(`epoch ${String(epoch.id)} diverged`);
    }
  } finally {
    reader.close();
  }
  const record = recorder.record();
  return buildResult(record, {
    curve: 'candle',
    plots: plots.since(record.run.from),
    prices: createHeldPrices(recorder.series(), config.simulation),
  });
}
