import type { EpochMs } from '../../domain/index.js';
import type { Engine, EngineEvent } from '../../engine/index.js';
import type { MarketSessionOptions } from '../../live/index.js';
import type { OpenedEngine, OpenEngineOptions } from '../bot/open-engine.js';

/** What the live side begins with: a new engine, or one that goes on from what another has left. */
export interface LiveBeginning
  extends
    Pick<OpenedEngine, 'engine' | 'streams'>,
    Pick<MarketSessionOptions, 'openingPrices' | 'since' | 'history' | 'fills'>,
    Partial<Pick<MarketSessionOptions, 'lastTrades'>> {}

/** Makes the engine of the live side. */
export type BeginLive = (options: OpenEngineOptions) => Promise<LiveBeginning>;

/** The live bot of a parity run, to who interrupts it. */
export interface InterruptedBot {
  /** Of the process that runs, or ran last. */
  readonly engine: Engine;
  /** Tells it something, and waits for what comes of it at this instant. */
  tell(make: (time: EpochMs) => EngineEvent): Promise<void>;
  /** Ends its process in order: nothing of it is on its way. The market goes on. */
  stop(): Promise<void>;
  /** Begins anew, as `begin` makes it. */
  start(): Promise<void>;
}

/** Something that is done to the live bot when it is at rest, and none of its commands is on its way: at an instant or right after it. */
export interface Interruption {
  readonly time: EpochMs;
  readonly act: (bot: InterruptedBot) => Promise<void>;
}
