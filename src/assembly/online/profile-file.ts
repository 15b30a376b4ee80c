import path from 'node:path';
import type { BotConfig } from '../../config/index.js';

/** Names the file for a venue's capabilities, which `check --online` writes and `live` reads: `NAME.venue.json` beside the bot's journal. */
export function profileFile({ name, live }: Pick<BotConfig, 'name' | 'live'>): string {
  return path.join(path.dirname(live.journal), `${name}.venue.json`);
}
