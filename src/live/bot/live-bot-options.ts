import type { Instrument } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { FeedTime } from '../../feed/index.js';
import type { BotEnd, BotStatus, GuardStandby } from './bot-control.js';
import type { BotLog } from './bot-log.js';
import type { OpenSession } from '../session/bot-session.js';
import type { WarmStream } from '../session/engine-session.js';
import type { SessionTime } from '../session/session-time.js';
import type { Warming } from './warming.js';

/** Dependencies of a running bot. */
export interface LiveBotOptions {
  readonly name: string;
  readonly mode: BotStatus['mode'];
  readonly log: BotLog;
  /** Constructed and started: before its first event, or replayed. */
  readonly engine: Engine;
  /** @defaultValue false */
  readonly isReplayed?: boolean | undefined;
  readonly instruments: readonly Instrument[];
  readonly streams: readonly Pick<WarmStream, 'instrumentId' | 'interval'>[];
  /** The venue's time. */
  readonly time: SessionTime;
  /** The machine's time, for timers that must not follow the venue's clock. */
  readonly machine: FeedTime;
  readonly staleAfterMs: number;
  readonly loopStallMs: number;
  readonly budgets: () => BotStatus['budgets'];
  /** State of the guard process that would take over. @defaultValue none */
  readonly guarded?: (() => GuardStandby) | undefined;
  /** Starts to watch the journal file. `onState` takes the problem, or undefined when there is none any more. @defaultValue not watched */
  readonly watchJournal?: ((onState: (text: string | undefined) => void) => () => void) | undefined;
  /** Called between two events. Stores a checkpoint when one is due, so that a recovery need not read a long epoch. @defaultValue no checkpoints */
  readonly keepCheckpoint?: (() => void) | undefined;
  /** Whether this is the guard of a dead bot: it makes no entry, and ends when nothing is left. @defaultValue false */
  readonly isGuard?: boolean | undefined;
  /** Problems with key or address at the venue, by name, with a line for people. @defaultValue none */
  readonly troubles?: (() => ReadonlyMap<string, string>) | undefined;
  /** Counts missing candles of the indicators. @defaultValue none are missing */
  readonly warming?: Warming | undefined;
  /** Makes the session. */
  readonly openSession: OpenSession;
  /** Called once when the bot has ended. Closes its resources. */
  readonly onEnd: (end: BotEnd) => Promise<void>;
}
