import type { SessionConfig } from '../../assembly/index.js';
import type { Credentials } from '../../client/index.js';
import { UsageError, type EpochMs } from '../../domain/index.js';
import type { BotControl, BotLog, BotStatus, EpochSource } from '../../runtime/index.js';
import type { LoadedBot } from '../bot/load-bot.js';

/** One bot that is to run. */
export interface BotSetup {
  readonly config: SessionConfig;
  readonly bot: LoadedBot;
  readonly mode: BotStatus['mode'];
  /** Absolute path of what it records itself in. */
  readonly journal: string;
  /** What its epochs say of where it came from. */
  readonly source: EpochSource;
  /** Undefined on paper. */
  readonly credentials: Credentials | undefined;
  readonly log: BotLog;
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
}

/**
 * Makes bots that run from now on and share client, budgets and feeds. A bot that cannot start is one whose `ended` says that it failed; it
 * does not keep the others from running.
 *
 * @throws {TradingError} when none can run.
 */
export type CreateBots = (
  setups: readonly BotSetup[],
  deps: CreateBotsDeps,
) => Promise<readonly BotControl[]>;

/** The one place that knows how a session is made. */
export const createBots: CreateBots = () =>
  Promise.reject(new UsageError('E_USAGE', 'this version has no live sessions'));
