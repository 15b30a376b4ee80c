import {
  A_FUNCTION,
  A_SIGNAL,
  A_TEXT,
  A_FILE,
  CHECKED_LATER,
  oneOf,
  type OptionChecks,
} from '../config/index.js';
import type { EpochMs } from '../domain/index.js';
import type { BotStatus } from '../live/index.js';
import type { StrategyClass } from '../strategy/index.js';
import type { Venue } from '../venue/index.js';
import type { BotRunDescription } from './run-description.js';

export interface RunBotOptions {
  /** `paper` sends nothing to the venue: the bot reads the venue's prices and trades at a simulated venue. */
  readonly mode: BotStatus['mode'];
  /** The bot, in the shape of its YAML file. Messages call it `config`. */
  readonly config: BotRunDescription;
  /** The strategy class. @defaultValue the plugin that `config.strategy.path` names */
  readonly strategy?: StrategyClass | undefined;
  /**
   * Path or `file:` URL of the file that contains `strategy`. If that file has changed, the bot continues in a new epoch of its journal.
   *
   * @defaultValue only the text of the class counts, not its imports
   */
  readonly strategyFile?: string | URL | undefined;
  /** The venue to trade at. The bot does not close it. @defaultValue the addresses of `config.venue` */
  readonly venue?: Venue | undefined;
  /** Folder that relative paths start from. @defaultValue the folder of the process */
  readonly directory?: string | undefined;
  /**
   * Whether the journal is kept. `temporary` (paper only) writes it to a folder of its own, which is removed when the bot has ended. A live bot must keep
   * its journal, because after a crash it finds its orders by the journal.
   *
   * @defaultValue 'kept': at the path `config.live.journal`, and the bot continues from it
   */
  readonly journal?: 'kept' | 'temporary' | undefined;
  /** Environment in which `keyEnv` and `secretEnv` of the configuration are looked up. @defaultValue empty: keys must be in files */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Stops the bot in order, by `config.live.onStop`, as SIGTERM does on the command line. */
  readonly signal?: AbortSignal | undefined;
  /** Receives each line of the log: JSON, with its line end. @defaultValue no log */
  readonly onLog?: ((line: string) => void) | undefined;
  /** Clock and timers. They must run at the pace of the venue's clock, and nobody may set the clock. @defaultValue those of the machine */
  readonly time?: {
    now(): EpochMs;
    after(delayMs: number, action: () => void): () => void;
  };
}

export const BOT_CHECKS: OptionChecks<RunBotOptions> = {
  ...{
    mode: { ...oneOf(['paper', 'live']), isRequired: true },
    journal: oneOf(['kept', 'temporary']),
  },
  ...{ config: CHECKED_LATER, strategy: CHECKED_LATER, strategyFile: A_FILE },
  ...{ venue: CHECKED_LATER, env: CHECKED_LATER, time: CHECKED_LATER },
  ...{ directory: A_TEXT, signal: A_SIGNAL, onLog: A_FUNCTION },
};
