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

/** Events that share a commit. A backtest sends no orders, so no event must be on the disk before another. */
const GROUP_SIZE = 10_000;

interface KeepJournalOptions {
  /** Paths of the bot's file and of the journal, as the user wrote them. */
  readonly file: string;
  readonly journal: string;
  readonly bot: LoadedBot;
  readonly flags: BotFlags;
  readonly context: CliContext;
  /** `live` is for the live side of a parity run; its start is known only when it begins. @defaultValue 'backtest' */
  readonly mode?: Extract<RunMode, 'backtest' | 'live'> | undefined;
}

/** The journal of one backtest. */
export interface KeptJournal {
  readonly journal: Journal;
  readonly begin: (begin: RunBegin) => void;
  /** Commits everything, and stores how the run ended. */
  readonly end: (error?: unknown) => void;
}

/**
 * Checks before a long run that its journal can be written.
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
    `${journal}: this journal already exists; delete it, or name another file`,
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
        // The caller already throws the journal's own failure.
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
