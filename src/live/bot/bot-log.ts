import type {
  EpochMs,
  ErrorCode,
  FillRecord,
  ForcedCause,
  InstrumentId,
  OrderReason,
  OrderRequest,
  OrderStatus,
} from '../../domain/index.js';
import type { OrderCondition, StrategyLog, Verdict } from '../../engine/index.js';
import type { BotState, BotStatus } from './bot-control.js';

/** A decision of a bot, or news of its orders. `time` is the engine's. */
export type LogDecision = { readonly time: EpochMs } & (
  | { readonly kind: 'verdict'; readonly instrumentId: InstrumentId; readonly verdict: Verdict }
  /** A command that was given to the venue, or on paper to the simulator. */
  | {
      readonly kind: 'submit';
      readonly order: OrderRequest;
      /** Set for a trigger order, which the venue holds back. */
      readonly condition?: OrderCondition | undefined;
    }
  | {
      readonly kind: 'cancel';
      readonly clientOrderId: string;
      readonly instrumentId: InstrumentId;
      readonly isCondition?: boolean | undefined;
    }
  /** An order with a new status, and the venue's reason if it gave one. */
  | {
      readonly kind: 'order';
      readonly clientOrderId: string;
      readonly instrumentId: InstrumentId;
      readonly status: OrderStatus;
      readonly reason: OrderReason | undefined;
    }
  | {
      readonly kind: 'fill';
      readonly fill: FillRecord;
      /** Why the venue made the trade by itself; undefined for a fill of the bot's order. */
      readonly cause?: ForcedCause | undefined;
    }
);

/** A bot with a new state. */
export interface LogStateChange {
  readonly time: EpochMs;
  readonly from: BotState;
  readonly to: BotState;
  readonly reasons: readonly string[];
}

/** Shows that a bot is awake and its data is fresh. */
export interface LogHeartbeat {
  readonly time: EpochMs;
  readonly state: BotState;
  readonly reasons: readonly string[];
  /** Time since the engine's last event; undefined before the first. */
  readonly lastEventAgeMs: number | undefined;
  /** Largest lateness of the process since the last heartbeat. */
  readonly loopLagMs: number;
  readonly streams: readonly {
    readonly name: string;
    readonly state: string;
    /** Time since the stream's last data; undefined before the first. */
    readonly ageMs: number | undefined;
  }[];
  readonly events: number;
  readonly commands: number;
  readonly equity: BotStatus['equity'];
  readonly workingOrders: number;
}

/** Something that needs a person's attention and does not end the bot. */
export interface LogWarning {
  readonly time: EpochMs;
  /** Code of the failure that caused it, if any. */
  readonly code?: ErrorCode;
  readonly text: string;
  readonly fields?: Readonly<Record<string, string | number | boolean>>;
}

/** The log of a running bot: one line per call. A call never throws if the line cannot be written. */
export interface BotLog {
  decision(decision: LogDecision): void;
  stateChanged(change: LogStateChange): void;
  heartbeat(heartbeat: LogHeartbeat): void;
  warning(warning: LogWarning): void;
  /** For the strategy's own lines; `now` is the engine's clock. */
  strategy(now: () => EpochMs): StrategyLog;
}

/** Writes nothing. */
export const SILENT_BOT_LOG: BotLog = {
  decision: () => undefined,
  stateChanged: () => undefined,
  heartbeat: () => undefined,
  warning: () => undefined,
  strategy: () => ({ debug: () => undefined, info: () => undefined, warn: () => undefined }),
};
