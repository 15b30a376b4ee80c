import path from 'node:path';
import type { BotConfig } from '../../config/index.js';

/** Names the file in which `check --online` writes what a bot's venue can do, and from which `live` reads it: `NAME.venue.json` beside its journal. */
export function profileFile({ name, live }: Pick<BotConfig, 'name' | 'live'>): string {
  return path.join(path.dirname(live.journal), `${name}.venue.json`);
}
