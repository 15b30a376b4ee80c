import type { VenueStop } from '../../engine/index.js';
import type {
  Asset,
  Direction,
  EpochMs,
  InstrumentId,
  OrderCause,
  OrderStatus,
  QuantityUnit,
  Side,
  TradingError,
  VenueInterval,
} from '../../domain/index.js';

/**
 * A bot's life: `starting → warming → running ⇄ paused → halting → stopped`.
 * - `degraded`: something is stale or unknown. Until that is resolved, only orders that reduce are sent.
 * - `frozen`: degraded, and the venue refuses exits of a position.
 * - `halted`: a protection or the operator has ended entries until resumed.
 * - `strategy-failed`: the strategy has thrown. Stops and other work of the bot go on without it until the owner restarts it.
 */
export const BOT_STATES = [
  'starting',
  'warming',
  'running',
  'paused',
  'degraded',
  'frozen',
  'halted',
  'strategy-failed',
  'halting',
  'stopped',
] as const;
export type BotState = (typeof BOT_STATES)[number];

/** What a stopping bot does: `keep` leaves everything, `cancel` cancels the orders, `flatten` also closes the positions. */
export type StopPolicy = 'keep' | 'cancel' | 'flatten';

/** State of the guard process beside a bot: ready to take over, being started, ended, or switched off. */
export const GUARD_STANDBYS = ['ready', 'starting', 'gone', 'off'] as const;
export type GuardStandby = (typeof GUARD_STANDBYS)[number];

/** Status of a bot, for people. Amounts are decimal text, times UTC milliseconds. */
export interface BotStatus {
  readonly name: string;
  readonly mode: 'paper' | 'live';
  readonly state: BotState;
  /** Start of the state. */
  readonly since: EpochMs;
  /** Why the bot is degraded, halted or paused; empty otherwise. */
  readonly reasons: readonly string[];
  readonly time: EpochMs;
  readonly equity: { readonly amount: string; readonly currency: Asset } | undefined;
  /** Equity minus the equity at the start of the bot. Negative: a loss. */
  readonly profit: { readonly amount: string; readonly currency: Asset } | undefined;
  /** Streams that have fewer candles than their indicators need to forget their starting values. */
  readonly warmUp: readonly {
    readonly instrumentId: InstrumentId;
    readonly interval: VenueInterval;
    /** Missing candles; `candles` are needed in all. */
    readonly missing: number;
    readonly candles: number;
    /** Largest weight that the starting value of each indicator still has, 0 to 1. */
    readonly indicators: readonly { readonly name: string; readonly weight: number }[];
  }[];
  readonly streams: readonly {
    readonly name: string;
    readonly state: string;
    readonly lastData: EpochMs | undefined;
  }[];
  readonly positions: readonly {
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly quantity: string;
    /** Whether the position is too small for the venue's rules, or is the rest of an exit that was. No stop sells it; an entry adds to it. */
    readonly isDust: boolean;
  }[];
  readonly orders: readonly {
    readonly clientOrderId: string;
    readonly instrumentId: InstrumentId;
    readonly side: Side;
    readonly quantity: string;
    readonly filled: string;
    readonly limitPrice: string | undefined;
    readonly status: OrderStatus;
    /** Why it was sent; `signal`: the strategy asked for it. */
    readonly cause: OrderCause;
    readonly label: string | undefined;
  }[];
  /** The process that samples stops, since when, and the state of the other process. */
  readonly guardedBy: {
    readonly process: 'bot' | 'guard';
    /** Undefined while the process starts; it samples nothing yet. */
    readonly since: EpochMs | undefined;
    readonly standby: GuardStandby;
  };
  /** How the stops of each instrument are sampled now. Only instruments with stops. */
  readonly sampled: readonly {
    readonly instrumentId: InstrumentId;
    /** `last`: by last; `mark`: only by the mark, because the price is far from every level. */
    readonly by: 'last' | 'mark';
    /** When that price was last read. */
    readonly at: EpochMs | undefined;
    /** Sampling interval that the venue's limits allow, in ms. */
    readonly everyMs: number;
    /** Time between the two latest readings, in ms. */
    readonly latelyMs: number | undefined;
  }[];
  /** Stops and take-profits of positions, and of single entries (brackets). */
  readonly guards: readonly {
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly quantity: string;
    readonly stop: string | undefined;
    readonly takeProfit: string | undefined;
    /** The current level. */
    readonly trailingStop: string | undefined;
    /** Intent of the entry, for a bracket; undefined for the guard of the whole position. */
    readonly intentId: number | undefined;
    readonly label: string | undefined;
  }[];
  /** Triggers at the venue that may fire, as far as the bot knows. A trigger whose state is unknown counts as there. */
  readonly triggers: readonly {
    readonly clientOrderId: string;
    /** The venue's id; undefined until the venue has given one. */
    readonly triggerId: string | undefined;
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly trigger: VenueStop['trigger'];
    readonly state: VenueStop['state'];
    /** Start of the state. */
    readonly since: EpochMs;
    /** Whether its position is closed. Such a trigger would close a later position. */
    readonly isOrphan: boolean;
    readonly quantity: string;
    readonly level: string;
    /** Part of the position that the triggers of this kind do not cover; undefined for an orphan. */
    readonly uncovered: string | undefined;
  }[];
  /** Intents that are sent in parts, with their cost beyond the arrival price. */
  readonly worked: readonly {
    readonly intentId: number;
    readonly instrumentId: InstrumentId;
    readonly side: Side;
    readonly label: string | undefined;
    readonly arrival: string;
    readonly quantity: string;
    readonly unit: QuantityUnit;
    readonly filled: string;
    readonly averagePrice: string | undefined;
    readonly shortfallBps: number | undefined;
  }[];
  /** Intents that are sent when other orders have ended. */
  readonly waiting: readonly {
    readonly intentId: number;
    readonly kind: 'enter' | 'exit' | 'target';
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly label: string | undefined;
    readonly since: EpochMs;
  }[];
  /** Cancels without an answer of the venue: waiting for its limits, on their way, or to be sent again. */
  readonly cancels: readonly { readonly instrumentId: InstrumentId; readonly count: number }[];
  /** Margins of contract positions, from the venue's latest account reading. */
  readonly margins: readonly {
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly markPrice: string | undefined;
    /** From the venue for isolated positions, from the bot's own books for cross positions. */
    readonly liquidationPrice: string | undefined;
    /** Distance of the mark from the liquidation price, as a share of the mark. */
    readonly distance: string | undefined;
    readonly marginRate: string | undefined;
    readonly maintenanceRate: string | undefined;
    readonly pendingClose: string | undefined;
    /** Whether the venue refuses exits, and why. */
    readonly frozen: 'no' | 'liquidation' | 'delivery';
  }[];
  /**
   * Debt of the margin account by asset, which the venue does not show. From the bot's own executions, plus interest estimated at the configured
   * rate.
   */
  readonly debts: readonly {
    readonly asset: string;
    readonly principal: string;
    readonly estimatedInterest: string;
  }[];
  /** Assets ÷ debt of the margin account by the bot's own books, at last. At 1.3 the venue warns, at 1.1 it sells everything. */
  readonly marginLevel: string | undefined;
  /** Calls by all bots of the process in the current window, for each limit of the venue that was used. */
  readonly budgets: readonly {
    readonly name: string;
    readonly used: number;
    readonly limit: number;
    readonly windowMs: number;
    /** Time until which no call of this limit is sent, because the venue refused one. */
    readonly restsUntil: EpochMs | undefined;
  }[];
  /** Events processed and commands sent since the process started. */
  readonly events: number;
  readonly commands: number;
  /** Whether it goes on leaving every position, until nothing is held. */
  readonly isFlattening: boolean;
  /** Outcome of the last reload; undefined before the first. */
  readonly reload: ReloadStatus | undefined;
  readonly lastDecision: { readonly time: EpochMs; readonly text: string } | undefined;
}

/** Progress of a reload. `refused`: the bot goes on unchanged. */
export const RELOAD_STATES = ['checking', 'replacing', 'done', 'refused'] as const;

export interface ReloadStatus {
  readonly state: (typeof RELOAD_STATES)[number];
  /** Start of this state. */
  readonly since: EpochMs;
  /** One line for people. */
  readonly text: string;
}

export type BotEnd =
  { readonly kind: 'stopped' } | { readonly kind: 'failed'; readonly error: TradingError };

/** Control of a running bot, for its operator. */
export interface BotControl {
  readonly name: string;
  /** Resolves when the bot has stopped or failed; never rejects. */
  readonly ended: Promise<BotEnd>;
  /** Resolves when the bot was made, or could not be made; never rejects. @defaultValue the bot is already made */
  readonly made?: Promise<void>;
  status(): BotStatus;
  /** Stops entries until resumed. Exits, stops and cancels go on. */
  pause(): void;
  /** Ends a pause and every halt, and resets the losses counted by protections. */
  resume(): void;
  /** The kill switch: ends entries and cancels their working orders. */
  halt(text: string): void;
  /** Cancels every order and closes every position. No entries until resumed. */
  flatten(): void;
  /**
   * Restarts a failed strategy. It keeps the bot's orders and positions, and warms up as after an orderly stop.
   *
   * @throws {UsageError} `E_STRATEGY_RUNS` if the strategy has not failed, or on paper, where a restarted strategy carries nothing over.
   */
  restartStrategy(): void;
  /**
   * Forgets triggers that the owner has removed at the venue by hand. `ids` are ids of the bot or of the venue; an empty list means all triggers that
   * have outlived their positions. The bot does not check: a trigger that still stands at the venue may close a position.
   *
   * @throws {UsageError} `E_TRIGGER_UNKNOWN` if an id is unknown, or if `ids` is empty and no trigger has outlived its position.
   */
  clearTriggers(ids: readonly string[]): void;
  /**
   * Replaces the strategy of a running bot by the current content of its file and its plugin. Both are checked, and the new strategy warms up beside
   * the old one. Then the bot goes on with the new strategy and everything it owns. If this fails, the bot goes on unchanged; `status` shows the
   * outcome. Absent if nothing can be replaced.
   *
   * @throws {UsageError} `E_RELOAD` if nothing can be replaced now.
   */
  readonly reload?: (() => void) | undefined;
  /** For a guard process only: the bot is back and takes over again. Absent for a bot. */
  readonly handBack?: (() => void) | undefined;
  /** Stops the bot in an orderly way. A second call with another policy changes nothing. */
  stop(policy: StopPolicy): Promise<BotEnd>;
}
