import type { BanMemory, LoadedPlugin, SessionConfig, VenueProfile } from '../assembly/index.js';
import type { CallQueue, Credentials } from '../client/index.js';
import type { PluginFinding } from '../determinism/index.js';
import type { EpochMs } from '../domain/index.js';
import type { EpochSource } from '../journal/index.js';
import type { BotLog, BotStatus, GuardStandby } from '../live/index.js';
import type { StrategyContext } from '../strategy/index.js';
import type { Venue } from '../venue/index.js';

/** A bot's strategy, and findings in its source about possible differences between two runs. */
interface BotStrategy {
  readonly plugin: Pick<LoadedPlugin, 'strategyClass' | 'sourceHash'>;
  readonly scan: { readonly findings: readonly PluginFinding[] };
}

/** One bot to run. */
export interface BotSetup extends GuardSetup {
  readonly bot: BotStrategy;
  /** State of the guard process that would take over. @defaultValue none */
  readonly guarded?: (() => GuardStandby) | undefined;
  /** Called each time the bot was made with a strategy, before it gets new events. @defaultValue not called */
  readonly onMade?: ((context: StrategyContext) => void) | undefined;
  /** Reads the bot's file and plugin again. @defaultValue the bot cannot be reloaded */
  readonly reload?: (() => Promise<BotSetup>) | undefined;
}

/** A bot without its strategy: only its positions are guarded. */
export interface GuardSetup {
  readonly config: SessionConfig;
  readonly mode: BotStatus['mode'];
  /** Absolute path of its journal. */
  readonly journal: string;
  /** Source that is recorded in its epochs. */
  readonly source: EpochSource;
  /** Undefined on paper. */
  readonly credentials: Credentials | undefined;
  /** Abilities of the venue that `check --online` has found. @defaultValue not checked */
  readonly profile?: VenueProfile | undefined;
  /** Opens a venue of its own, without the interface. @defaultValue the addresses of the configuration */
  readonly openVenue?: (() => Venue | Promise<Venue>) | undefined;
  readonly log: BotLog;
  /** Least time in ms since the end of the process that sent the orders in the journal. @defaultValue unknown: its end was not observed */
  readonly goneForMs?: (() => number) | undefined;
}

/** Dependencies that all bots of a process share. */
export interface CreateBotsDeps {
  /** The machine's clock and timers. */
  readonly time: {
    now(): EpochMs;
    after(delayMs: number, action: () => void): () => void;
  };
  /** Uniform in [0, 1); spreads retries. */
  readonly random: () => number;
  /** Whether commands are only logged and not sent. */
  readonly isDryRun: boolean;
  /** Bans that earlier processes have stored. @defaultValue nothing is stored */
  readonly bans?: BanMemory | undefined;
  /** Limits shared with bots of the process that began earlier. @defaultValue new limits */
  readonly queue?: CallQueue | undefined;
  /** Whether new bots may make a smallest round trip to find out terms of their contracts that the venue does not show. */
  readonly probes: boolean;
}
