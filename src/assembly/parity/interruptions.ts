import type { EpochMs } from '../../domain/index.js';
import type { Engine, EngineEvent } from '../../engine/index.js';
import type { MarketSessionOptions } from '../../live/index.js';
import type { OpenedEngine, OpenEngineOptions } from '../bot/open-engine.js';

/** The beginning of the live side: a new engine, or one that continues from the state of another. */
export interface LiveBeginning
  extends
    Pick<OpenedEngine, 'engine' | 'streams'>,
    Pick<MarketSessionOptions, 'openingPrices' | 'isReplayed' | 'since' | 'history' | 'fills'>,
    Partial<Pick<MarketSessionOptions, 'lastTrades'>> {}

/** Makes the engine of the live side. */
export type BeginLive = (options: OpenEngineOptions) => Promise<LiveBeginning>;

/** The live bot of a parity run, for tests that interrupt it. */
export interface InterruptedBot {
  /** The engine of the process that runs, or ran last. */
  readonly engine: Engine;
  /** Gives the engine an event, and waits for all its effects at this instant. */
  tell(make: (time: EpochMs) => EngineEvent): Promise<void>;
  /** Ends the bot's process in order: none of its commands is on its way. The market continues. */
  stop(): Promise<void>;
  /** Begins again, with an engine from `begin`. */
  start(): Promise<void>;
}

/** An action on the live bot, done when the bot is at rest and none of its commands is on its way: at an instant or right after it. */
export interface Interruption {
  readonly time: EpochMs;
  readonly act: (bot: InterruptedBot, now: EpochMs) => Promise<void>;
}
