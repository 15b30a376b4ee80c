import type { BanMemory, LoadedPlugin, SessionConfig, VenueProfile } from '../assembly/index.js';
import type { CallQueue, Credentials } from '../client/index.js';
import type { PluginFinding } from '../determinism/index.js';
import type { EpochMs } from '../domain/index.js';
import type { EpochSource } from '../journal/index.js';
import type { BotLog, BotStatus, GuardStandby } from '../live/index.js';
import type { StrategyContext } from '../strategy/index.js';
import type { Venue } from '../venue/index.js';

/** What a bot's strategy is, and what its text says of why two runs may differ. */
export interface BotStrategy {
  readonly plugin: Pick<LoadedPlugin, 'strategyClass' | 'sourceHash'>;
  readonly scan: { readonly findings: readonly PluginFinding[] };
}

/** One bot that is to run. */
export interface BotSetup extends GuardSetup {
  readonly bot: BotStrategy;
  /** What would take over from it. @defaultValue nothing */
  readonly guarded?: (() => GuardStandby) | undefined;
  /** Called each time that the bot has been made with a strategy, before it hears of anything that is new. @defaultValue nobody looks */
  readonly onMade?: ((context: StrategyContext) => void) | undefined;
  /** Reads its file and its plugin again. @defaultValue it cannot be reloaded */
  readonly reload?: (() => Promise<BotSetup>) | undefined;
}

/** A bot without its strategy: what it holds is to be guarded. */
export interface GuardSetup {
  readonly config: SessionConfig;
  readonly mode: BotStatus['mode'];
  /** Absolute path of what it records itself in. */
  readonly journal: string;
  /** What its epochs say of where it came from. */
  readonly source: EpochSource;
  /** Undefined on paper. */
  readonly credentials: Credentials | undefined;
  /** What `check --online` has found the venue to be able to do. @defaultValue nobody has looked */
  readonly profile?: VenueProfile | undefined;
  /** Opens its venue, where that is none of the interface. @defaultValue the addresses of the configuration */
  readonly openVenue?: (() => Venue | Promise<Venue>) | undefined;
  readonly log: BotLog;
  /** As of what makes a bot. */
  readonly goneForMs?: (() => number) | undefined;
}

/** What all bots of a process share. */
export interface CreateBotsDeps {
  /** The machine's clock and timers. */
  readonly time: {
    now(): EpochMs;
    after(delayMs: number, action: () => void): () => void;
  };
  /** Uniform in [0, 1); spreads retries. */
  readonly random: () => number;
  /** Commands are logged and go nowhere. */
  readonly isDryRun: boolean;
  /** What earlier processes were told of bans. @defaultValue nothing is remembered */
  readonly bans?: BanMemory | undefined;
  /** Limits that they share with bots of the process that were begun before. @defaultValue their own */
  readonly queue?: CallQueue | undefined;
  /** Whether new bots may find out by a smallest round trip what the venue does not show of their contracts. */
  readonly probes: boolean;
}
