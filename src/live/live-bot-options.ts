import type { Instrument } from '../domain/index.js';
import type { Engine } from '../engine/index.js';
import type { FeedTime } from '../feed/index.js';
import type { BotEnd, BotStatus, GuardStandby } from './bot-control.js';
import type { BotLog } from './bot-log.js';
import type { OpenSession } from './bot-session.js';
import type { WarmStream } from './engine-session.js';
import type { SessionTime } from './session-time.js';
import type { Warming } from './warming.js';

/** What a bot that runs is made of. */
export interface LiveBotOptions {
  readonly name: string;
  readonly mode: BotStatus['mode'];
  readonly log: BotLog;
  /** Constructed, started, and before its first event, or replayed. */
  readonly engine: Engine;
  /** @defaultValue false */
  readonly isReplayed?: boolean | undefined;
  readonly instruments: readonly Instrument[];
  readonly streams: readonly Pick<WarmStream, 'instrumentId' | 'interval'>[];
  /** The venue's time. */
  readonly time: SessionTime;
  /** The machine's time, for what must not follow the venue's. */
  readonly machine: FeedTime;
  readonly staleAfterMs: number;
  readonly loopStallMs: number;
  readonly budgets: () => BotStatus['budgets'];
  /** What would take over from it. @defaultValue nothing */
  readonly guarded?: (() => GuardStandby) | undefined;
  /** Begins to watch what the bot records itself in; `onState` says what is wrong with it, undefined: nothing any more. @defaultValue nobody does */
  readonly watchJournal?: ((onState: (text: string | undefined) => void) => () => void) | undefined;
  /** Called between two events: keeps what the engine owns where that is due, so that a recovery need not read a long epoch whole. @defaultValue nobody does */
  readonly keepCheckpoint?: (() => void) | undefined;
  /** Whether it guards what a dead bot holds: it makes no entry, and ends when nothing is left. @defaultValue false */
  readonly isGuard?: boolean | undefined;
  /** What is wrong with key or address at the venue, by name with a line for people. @defaultValue nothing */
  readonly troubles?: (() => ReadonlyMap<string, string>) | undefined;
  /** What its indicators miss. @defaultValue nothing */
  readonly warming?: Warming | undefined;
  /** Makes what the bot runs on. */
  readonly openSession: OpenSession;
  /** Called once when the bot has ended: closes what it had open. */
  readonly onEnd: (end: BotEnd) => Promise<void>;
}
