import type { BotFlags } from '../bot/bot-options.js';

/** Options of `parity` as commander parses them. */
export interface ParityFlags extends BotFlags {
  readonly journal?: string;
  readonly brief?: true;
}
