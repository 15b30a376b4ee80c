import path from 'node:path';
import { openArchive } from '../../archive/index.js';
import { readTerms, withAllocation, type MarketTerms } from '../../assembly/backtest/index.js';
import { UsageError, type EpochMs } from '../../domain/index.js';
import { readJournal, type Epoch, type JournalReader } from '../../journal/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import type { RunFlags } from './run-options.js';

/** A journal with the bot that wrote it. */
export interface OpenRun {
  readonly reader: JournalReader;
  readonly epoch: Epoch;
  readonly bot: LoadedBot;
  readonly terms: MarketTerms;
}

/**
 * Opens a journal, chooses the epoch, and loads the bot as it was run: its file, with what was changed on the command line. Where none is named
 * the epoch is that of the instant `at`, the newest where there is none.
 *
 * @throws {UsageError} `E_REPLAY_EPOCH`; {JournalError} as `readJournal`; {ConfigError} as `loadBot`.
 */
export async function openRun(
  run: string,
  flags: RunFlags,
  context: CliContext,
  at = Number.POSITIVE_INFINITY,
): Promise<OpenRun> {
  const reader = await readJournal(path.resolve(context.cwd, run));
  try {
    const epoch = chooseEpoch(run, reader.epochs(), { wanted: flags.epoch, at });
    const { configFile, ...overrides } = epoch.header.source;
    const file = flags.config ?? path.relative(context.cwd, configFile);
    const loaded = await loadBot(file, context, overrides);
    const isSession = epoch.header.mode !== 'backtest';
    const bot = isSession ? { ...loaded, config: withAllocation(loaded.config) } : loaded;
    const terms = await readTerms(bot.config, openArchive(bot.config.simulation.archive));
    return { reader, epoch, bot, terms };
  } catch (error: unknown) {
    reader.close();
    throw error;
  }
}

function chooseEpoch(
  run: string,
  epochs: readonly Epoch[],
  { wanted, at }: { readonly wanted: number | undefined; readonly at: EpochMs },
): Epoch {
  // Before the first nothing was known: that epoch says so.
  const epoch =
    wanted === undefined
      ? (epochs.findLast(({ header }) => header.started <= at) ?? epochs[0])
      : epochs.find(({ id }) => id === wanted);
  if (epoch !== undefined) return epoch;
  const known = epochs.map(({ id }) => String(id)).join(', ');
  const problem =
    known === ''
      ? 'the journal has no epoch'
      : `expected one of the epochs ${known}, received ${String(wanted)}`;
  throw new UsageError('E_REPLAY_EPOCH', `${run}: ${problem}`);
}
