import { listActiveChecks } from '../../assembly/backtest/index.js';
import type { PageReason } from '../../page/index.js';
import type { CliContext } from '../cli-context.js';
import { openRun, type RunChoice } from '../replay/open-run.js';
import { watchReplay } from '../replay/replay-opened.js';
import { IntentReasons } from '../why/intent-reasons.js';

/** Most intents that a page explains. More would make the page too large to send. */
export const MOST_REASONS = 5_000;

/**
 * Replays the newest epoch of a journal and gives the reason of each intent that led to an order.
 *
 * @throws {JournalError} when the journal cannot be read or the replay diverges; {UsageError} `E_REPLAY_INPUTS` when the bot has changed since.
 */
export async function explainIntents(
  journal: string,
  choice: RunChoice,
  context: CliContext,
): Promise<readonly PageReason[]> {
  const opened = await openRun(journal, choice, context);
  const reasons = new IntentReasons();
  try {
    await watchReplay(opened, reasons.watch, context);
  } finally {
    opened.reader.close();
  }
  const active = listActiveChecks(opened.bot.config, opened.terms.rules);
  return reasons.finish((id) => (active.get(id) ?? []).map(({ name }) => name), MOST_REASONS);
}
