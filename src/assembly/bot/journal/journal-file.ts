import type { BotConfig } from '../../../config/index.js';
import type { BotStatus } from '../../../live/index.js';

const EXTENSION = /(\.[^./\\]+)?$/;

/**
 * Names the journal of a bot: `bot.journal` when live, `bot.paper.journal` on paper, `bot.dry-run.journal` in a dry run. They are never the same file,
 * because money won on paper cannot be spent, and orders of a dry run were never sent.
 */
export function journalFile(
  { live }: Pick<BotConfig, 'live'>,
  mode: BotStatus['mode'] | 'dry-run',
): string {
  return mode === 'live' ? live.journal : live.journal.replace(EXTENSION, `.${mode}$1`);
}
