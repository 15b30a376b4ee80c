import { setImmediate as nextTurn } from 'node:timers/promises';
import { listActiveChecks, replayJournal } from '../../assembly/backtest/index.js';
import { divergenceError } from '../../journal/index.js';
import type { PageReason } from '../../page/index.js';
import type { CliContext } from '../cli-context.js';
import { openRun, type RunChoice } from '../replay/open-run.js';
import { IntentReasons } from '../why/intent-reasons.js';

/** Intents that a page explains: more would make it too large to send. */
export const MOST_REASONS = 5_000;

/**
 * Replays the newest epoch of a journal and says of each of its intents that led to an order why it did.
 *
 * @throws {JournalError} when the journal cannot be read or the replay goes another way; {UsageError} `E_REPLAY_INPUTS` when the bot is another one now.
 */
export async function explainIntents(
  journal: string,
  choice: RunChoice,
  context: CliContext,
): Promise<readonly PageReason[]> {
  const opened = await openRun(journal, choice, context);
  const { reader, epoch, bot, terms } = opened;
  const reasons = new IntentReasons();
  try {
    const outcome = await replayJournal({
      config: bot.config,
      strategyClass: bot.plugin.strategyClass,
      sourceHash: bot.plugin.sourceHash,
      terms,
      epoch,
      entries: reader.entries(epoch),
      log: reasons.log,
      onVerdict: reasons.onVerdict,
      onEntry: reasons.onEntry,
      signal: context.signal,
      breathe: () => nextTurn(),
    });
    if (outcome.kind === 'diverged') throw divergenceError(outcome.divergence);
  } finally {
    reader.close();
  }
  const active = listActiveChecks(bot.config, terms.rules);
  return reasons.finish((id) => (active.get(id) ?? []).map(({ name }) => name), MOST_REASONS);
}
