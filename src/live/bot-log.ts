import type {
  EpochMs,
  ErrorCode,
  FillRecord,
  ForcedCause,
  InstrumentId,
  OrderReason,
  OrderRequest,
  OrderStatus,
} from '../domain/index.js';
import type { OrderCondition, StrategyLog, Verdict } from '../engine/index.js';
import type { BotState, BotStatus } from './bot-control.js';

/** Something a bot decided or learned of its orders. `time` is the engine's. */
export type LogDecision = { readonly time: EpochMs } & (
  | { readonly kind: 'verdict'; readonly instrumentId: InstrumentId; readonly verdict: Verdict }
  /** A command that was handed to the venue, or on paper to the simulator. */
  | {
      readonly kind: 'submit';
      readonly order: OrderRequest;
      /** Where the venue holds it back. */
      readonly condition?: OrderCondition | undefined;
    }
  | {
      readonly kind: 'cancel';
      readonly clientOrderId: string;
      readonly instrumentId: InstrumentId;
      readonly isCondition?: boolean | undefined;
    }
  /** An order that took another status, and why where the venue said so. */
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
      /** Why the venue traded for the bot; undefined for what an order of the bot did. */
      readonly cause?: ForcedCause | undefined;
    }
);

/** A bot that took another state. */
export interface LogStateChange {
  readonly time: EpochMs;
  readonly from: BotState;
  readonly to: BotState;
  readonly reasons: readonly string[];
}

/** Proof that a bot is awake and its data fresh. */
export interface LogHeartbeat {
  readonly time: EpochMs;
  readonly state: BotState;
  readonly reasons: readonly string[];
  /** Time since the engine took its last event in; undefined before the first. */
  readonly lastEventAgeMs: number | undefined;
  /** How late the process was at worst since the last heartbeat. */
  readonly loopLagMs: number;
  readonly streams: readonly {
    readonly name: string;
    readonly state: string;
    /** Time since the stream last brought something; undefined: nothing yet. */
    readonly ageMs: number | undefined;
  }[];
  readonly events: number;
  readonly commands: number;
  readonly equity: BotStatus['equity'];
  readonly workingOrders: number;
}

/** Something a person should look at, without an end to the bot. */
export interface LogWarning {
  readonly time: EpochMs;
  /** Of the failure that led to it, where there was one. */
  readonly code?: ErrorCode;
  readonly text: string;
  readonly fields?: Readonly<Record<string, string | number | boolean>>;
}

/** Where a running bot writes what it does: one line per call. Nobody throws for a line that cannot be written. */
export interface BotLog {
  decision(decision: LogDecision): void;
  stateChanged(change: LogStateChange): void;
  heartbeat(heartbeat: LogHeartbeat): void;
  warning(warning: LogWarning): void;
  /** For the strategy's own lines; `now` is the engine's clock. */
  strategy(now: () => EpochMs): StrategyLog;
}

/** Says nothing. */
export const SILENT_BOT_LOG: BotLog = {
  decision: () => undefined,
  stateChanged: () => undefined,
  heartbeat: () => undefined,
  warning: () => undefined,
  strategy: () => ({ debug: () => undefined, info: () => undefined, warn: () => undefined }),
};
