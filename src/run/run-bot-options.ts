import type { EpochMs } from '../domain/index.js';
import type { BotStatus } from '../live/index.js';
import type { StrategyClass } from '../strategy/index.js';
import type { Venue } from '../venue/index.js';
import type { BotRunDescription } from './run-description.js';

export interface RunBotOptions {
  /** `paper` sends nothing: it trades what the venue shows at a simulated one. */
  readonly mode: BotStatus['mode'];
  /** The bot, of the shape of its YAML file. Messages call it `config`. */
  readonly config: BotRunDescription;
  /** What trades. @defaultValue the plugin that `config.strategy.path` names */
  readonly strategy?: StrategyClass | undefined;
  /**
   * Path or `file:` URL of the file that `strategy` stands in: a bot whose file has changed goes on with a new epoch of its journal.
   *
   * @defaultValue the text of the class alone is looked at, not what it imports
   */
  readonly strategyFile?: string | URL | undefined;
  /** Where it trades; it is not closed. @defaultValue the addresses of `config.venue` */
  readonly venue?: Venue | undefined;
  /** Folder that paths are relative to. @defaultValue the folder of the process */
  readonly directory?: string | undefined;
  /**
   * What becomes of the journal. `temporary`, on paper only: it is written to a folder of its own, and removed when the bot has ended. A live bot keeps
   * its own, because it is what its orders are found by after a crash.
   *
   * @defaultValue 'kept': where `config.live.journal` says, and the bot goes on from it
   */
  readonly journal?: 'kept' | 'temporary' | undefined;
  /** Where `keyEnv` and `secretEnv` of the configuration are looked up. @defaultValue nothing: keys are in files */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Stops the bot in order, as SIGTERM stops that of the command line: by `config.live.onStop`. */
  readonly signal?: AbortSignal | undefined;
  /** Takes the lines of its log, of JSON, each with its end. @defaultValue it is quiet */
  readonly onLog?: ((line: string) => void) | undefined;
  /** Clock and timers, which have to go as those of the venue. @defaultValue those of the machine */
  readonly time?: {
    now(): EpochMs;
    after(delayMs: number, action: () => void): () => void;
  };
}
