import path from 'node:path';
import { openArchive } from '../../archive/index.js';
import { readTerms, withAllocation, type MarketTerms } from '../../assembly/backtest/index.js';
import { UsageError, type EpochMs } from '../../domain/index.js';
import {
  readJournal,
  type Epoch,
  type EpochSource,
  type JournalReader,
} from '../../journal/index.js';
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

/** Selects the bot's file and the epoch. */
export interface RunChoice extends Pick<RunFlags, 'config' | 'epoch'> {
  /** Changes of the config that the user gives; those of the journal are not trusted. */
  readonly set?: readonly string[] | undefined;
}

/**
 * Opens a journal, chooses the epoch, and loads the bot as in that run: its file with the changes of that command line. Without a chosen epoch it
 * is the last that began until the instant `at`; by default the newest.
 *
 * A journal may come from an untrusted source, and loading a bot runs its code. So the user must name the bot's file. Secrets are removed from the
 * environment first.
 *
 * @throws {UsageError} `E_REPLAY_EPOCH`, `E_REPLAY_SOURCE`; {JournalError} as `readJournal`; {ConfigError} as `loadBot`.
 */
export async function openRun(
  run: string,
  choice: RunChoice,
  context: CliContext,
  at = Number.POSITIVE_INFINITY,
): Promise<OpenRun> {
  const reader = await readJournal(path.resolve(context.cwd, run));
  try {
    const epoch = chooseEpoch(run, reader.epochs(), { wanted: choice.epoch, at });
    const { source } = epoch.header;
    const file = requireConfig(run, source, choice);
    refuseForeignCode(run, source, choice);
    context.forgetSecrets?.();
    const { set, from, to } = source;
    const loaded = await loadBot(file, context, { set, from, to });
    const isSession = epoch.header.mode !== 'backtest';
    const bot = isSession ? { ...loaded, config: withAllocation(loaded.config) } : loaded;
    const terms = await readTerms(bot.config, openArchive(bot.config.simulation.archive));
    return { reader, epoch, bot, terms };
  } catch (error: unknown) {
    reader.close();
    throw error;
  }
}

/** @throws {UsageError} `E_REPLAY_SOURCE` */
function requireConfig(run: string, { configFile }: EpochSource, { config }: RunChoice): string {
  if (config !== undefined) return config;
  const named = JSON.stringify(configFile);
  const text = `${run}: expected --config with the bot's YAML file, because a replay runs its strategy, and a journal of others could name any code; this one names ${named}`;
  throw new UsageError('E_REPLAY_SOURCE', text);
}

/** Changes of the config that select the code: all keys of `strategy` except its parameters. */
const CHOOSES_CODE = /^\s*strategy\s*(?!\.\s*parameters\b)(?:\.|=)/;

/** @throws {UsageError} `E_REPLAY_SOURCE` if a change in the journal, which the user did not give, selects the code. */
function refuseForeignCode(run: string, source: EpochSource, { set = [] }: RunChoice): void {
  const foreign = source.set.find((change) => CHOOSES_CODE.test(change) && !set.includes(change));
  if (foreign === undefined) return;
  const text = `${run}: the run was made with --set ${JSON.stringify(foreign)}, which selects the code, and a journal of others could select any code; write it into the file of --config, and repeat the run`;
  throw new UsageError('E_REPLAY_SOURCE', text);
}

function chooseEpoch(
  run: string,
  epochs: readonly Epoch[],
  { wanted, at }: { readonly wanted: number | undefined; readonly at: EpochMs },
): Epoch {
  // An instant before the first epoch selects the first epoch, whose replay then shows that nothing was known yet.
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
