import { access } from 'node:fs/promises';
import path from 'node:path';
import { describeEpoch, type RunBegin } from '../../assembly/backtest/index.js';
import { formatUtc, JournalError, TradingError } from '../../domain/index.js';
import type { EpochHeader, RunMode } from '../../journal/index.js';
import type { Journal } from '../../engine/index.js';
import type { BotFlags } from '../bot/bot-options.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';

/** Events that share a commit: a backtest sends nothing, so nothing has to be on the disk before something else. */
const GROUP_SIZE = 10_000;

export interface KeepJournalOptions {
  /** The bot's file and the journal's as the user wrote them. */
  readonly file: string;
  readonly journal: string;
  readonly bot: LoadedBot;
  readonly flags: BotFlags;
  readonly context: CliContext;
  /** A parity run keeps its live side, whose start is known when it begins. @defaultValue 'backtest' */
  readonly mode?: Extract<RunMode, 'backtest' | 'live'> | undefined;
}

/** The journal of one backtest. */
export interface KeptJournal {
  readonly journal: Journal;
  readonly begin: (begin: RunBegin) => void;
  /** Brings everything to the disk and says how the run ended. */
  readonly end: (error?: unknown) => void;
}

/**
 * Finds out before a long run whether its journal can be written.
 *
 * @throws {JournalError} `E_JOURNAL_EXISTS` when there is such a file: a run is never added to another. {DataError} `E_DATA_WRITE`.
 */
export async function refuseOldJournal(journal: string, context: CliContext): Promise<void> {
  await checkOutput(journal, context);
  const isThere = await access(path.resolve(context.cwd, journal)).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  throw new JournalError(
    'E_JOURNAL_EXISTS',
    `${journal}: journal already exists; delete it, or name another`,
  );
}

/** Opens a journal for one run. @throws {JournalError} as `openJournal`. */
export async function keepJournal(options: KeepJournalOptions): Promise<KeptJournal> {
  const file = path.resolve(options.context.cwd, options.journal);
  const { openJournal } = await import('../../journal/index.js');
  const journal = await openJournal({ file, commits: 'grouped', groupSize: GROUP_SIZE });
  return {
    journal,
    begin: (begin) => {
      journal.beginEpoch(describeRun(options, begin));
    },
    end: (error) => {
      try {
        // What the journal failed of is being thrown already.
        if (!(error instanceof JournalError)) journal.closeEpoch(describeEnd(error));
      } finally {
        journal.close();
      }
    },
  };
}

function describeRun(
  { bot, file, flags, context, mode = 'backtest' }: KeepJournalOptions,
  begin: RunBegin,
): EpochHeader {
  const { config } = bot;
  const { strategyClass, sourceHash } = bot.plugin;
  const isLive = mode === 'live';
  const from = isLive ? begin.constructed : config.simulation.from;
  const inputs = {
    config: { ...config, simulation: { ...config.simulation, from } },
    strategyClass,
    sourceHash,
  };
  const fromFlag = isLive ? formatUtc(begin.constructed) : flags.from;
  const source = {
    configFile: path.resolve(context.cwd, file),
    set: flags.set ?? [],
    ...(fromFlag !== undefined && { from: fromFlag }),
    ...(flags.to !== undefined && { to: flags.to }),
  };
  return describeEpoch(inputs, begin, { mode, source });
}

function describeEnd(error: unknown): string {
  if (error === undefined) return 'finished';
  return error instanceof TradingError ? `failed: ${error.code}` : 'interrupted';
}
