import type { BotStatus } from '../../live/index.js';
import type { BotConfig } from '../../config/index.js';

const EXTENSION = /(\.[^./\\]+)?$/;

/**
 * Names the file a bot records itself in: `bot.journal` when live, `bot.paper.journal` on paper. They are never one file, because what
 * was won on paper cannot be spent.
 */
export function journalFile({ live }: Pick<BotConfig, 'live'>, mode: BotStatus['mode']): string {
  return mode === 'live' ? live.journal : live.journal.replace(EXTENSION, '.paper$1');
}
