import { openArchive } from '../../../src/archive/index.js';
import {
  readTerms,
  replayJournal,
  withAllocation,
  type ReplayOutcome,
} from '../../../src/assembly/index.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { requireSession } from '../../../src/bots/require-session.js';
import { readJournal } from '../../../src/journal/index.js';
import type { BotStatus } from '../../../src/live/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';

/** A bot in the state in which it wrote its journal. */
export interface ReplayedBot {
  /** Absolute path, like `journal`. */
  readonly config: string;
  readonly journal: string;
  /** Values of `--set`, as on the command line. */
  readonly set?: readonly string[];
  readonly mode: BotStatus['mode'];
  readonly strategyClass: StrategyClass;
  readonly sourceHash: string;
}

/** Replays an epoch of a session's journal, as `replay` does. */
export async function replayEpoch(id: number, bot: ReplayedBot): Promise<ReplayOutcome> {
  const { mode, strategyClass, sourceHash, set = [] } = bot;
  const loaded = await loadConfig({ file: bot.config, cwd: '/', set });
  const written = requireSession(loaded, mode);
  const config = mode === 'live' ? withAllocation(written) : written;
  const reader = await readJournal(bot.journal);
  try {
    const epoch = reader.epochs().find((each) => each.id === id);
    if (epoch === undefined) throw new Error(`no epoch ${String(id)}`);
    return await replayJournal({
      config,
      strategyClass,
      sourceHash,
      terms: await readTerms(config, openArchive(config.simulation.archive)),
      epoch,
      entries: reader.entries(epoch),
    });
  } finally {
    reader.close();
  }
}
