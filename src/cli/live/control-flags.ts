import type { BotStatus } from '../../live/index.js';

/** Options of the commands that speak to a running bot, as commander parses them. */
export interface ControlFlags {
  readonly mode?: BotStatus['mode'];
  readonly json?: string;
  readonly reason?: string;
}
