import type { BotStatus } from '../../live/index.js';
import type { BotConfig } from '../../config/index.js';

const EXTENSION = /(\.[^./\\]+)?$/;

/**
 * Names the file a bot records itself in: `bot.journal` when live, `bot.paper.journal` on paper, `bot.dry-run.journal` in a dry run. They are
 * never one file, because what was won on paper cannot be spent, and what was never sent did not happen.
 */
export function journalFile(
  { live }: Pick<BotConfig, 'live'>,
  mode: BotStatus['mode'] | 'dry-run',
): string {
  return mode === 'live' ? live.journal : live.journal.replace(EXTENSION, `.${mode}$1`);
}
