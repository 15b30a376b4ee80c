import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  replayJournal,
  type ReplayJournalOptions,
  type ReplayOutcome,
} from '../../assembly/backtest/index.js';
import { divergenceError } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import type { OpenRun } from './open-run.js';

/** Callbacks that observe a replay. */
export type ReplayWatch = Pick<
  ReplayJournalOptions,
  'log' | 'onVerdict' | 'onStarted' | 'onEntry' | 'onReplayed'
>;

/** Replays the epoch that was opened. */
export function replayOpened(
  { reader, epoch, bot, terms }: OpenRun,
  watch: ReplayWatch,
  { signal }: CliContext,
): Promise<ReplayOutcome> {
  return replayJournal({
    ...watch,
    config: bot.config,
    strategyClass: bot.plugin.strategyClass,
    sourceHash: bot.plugin.sourceHash,
    terms,
    epoch,
    entries: reader.entries(epoch),
    signal,
    breathe: () => nextTurn(),
  });
}

/**
 * Replays a run for its observers. A replay that diverges would show another run, so it is an error.
 *
 * @throws {JournalError} `E_REPLAY_DIVERGED`; as `replayJournal`.
 */
export async function watchReplay(
  opened: OpenRun,
  watch: ReplayWatch,
  context: CliContext,
): Promise<void> {
  const outcome = await replayOpened(opened, watch, context);
  if (outcome.kind === 'diverged') throw divergenceError(outcome.divergence);
}
