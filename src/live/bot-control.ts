import type { VenueStop } from '../engine/index.js';
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
} from '../domain/index.js';

/**
 * A bot's life: `starting → warming → running ⇄ paused → halting → stopped`. `degraded`: something is stale or unknown, and only what
 * reduces is done until it is resolved; `frozen`: so, and the venue refuses exits of a position; `halted`: a protection or the operator has ended entries until resumed; `strategy-failed`: the strategy has
 * thrown, and all that is the bot's own goes on without it until the owner restarts it.
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

/** What becomes of orders and positions when a bot stops: everything stays, orders are canceled, or positions are left too. */
export type StopPolicy = 'keep' | 'cancel' | 'flatten';

/** The guard process beside a bot: it is ready to take over, is being started, has ended, or is not wanted. */
export const GUARD_STANDBYS = ['ready', 'starting', 'gone', 'off'] as const;
export type GuardStandby = (typeof GUARD_STANDBYS)[number];

/** What a bot is doing, for people. Amounts are decimal text, times UTC milliseconds. */
export interface BotStatus {
  readonly name: string;
  readonly mode: 'paper' | 'live';
  readonly state: BotState;
  /** Of the state. */
  readonly since: EpochMs;
  /** Why the bot is degraded, halted or paused; empty otherwise. */
  readonly reasons: readonly string[];
  readonly time: EpochMs;
  readonly equity: { readonly amount: string; readonly currency: Asset } | undefined;
  /** Equity less what the account of the bot began with; negative: a loss. */
  readonly profit: { readonly amount: string; readonly currency: Asset } | undefined;
  /** Streams with fewer candles than their indicators need to forget where they began. */
  readonly warmUp: readonly {
    readonly instrumentId: InstrumentId;
    readonly interval: VenueInterval;
    /** Candles still to come, of those wanted. */
    readonly missing: number;
    readonly candles: number;
    /** What each indicator's beginning still weighs in its value, 0 to 1, at most. */
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
    /** Whether it is too small for the venue's rules, or what an exit left because it was: no stop sells it, and an entry tops it up. */
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
    /** Why it was sent: `signal` where the strategy wanted it. */
    readonly cause: OrderCause;
    readonly label: string | undefined;
  }[];
  /** Which process samples stops, since when it does, and whether another would take over. */
  readonly guardedBy: {
    readonly process: 'bot' | 'guard';
    /** Undefined while it is being made, and samples nothing. */
    readonly since: EpochMs | undefined;
    readonly standby: GuardStandby;
  };
  /** How the stops of each instrument that has some are sampled now. */
  readonly sampled: readonly {
    readonly instrumentId: InstrumentId;
    /** By last, or while its price is far from every level by the mark alone. */
    readonly by: 'last' | 'mark';
    /** When that was read last. */
    readonly at: EpochMs | undefined;
    /** As often as the limits of the venue allow, in ms. */
    readonly everyMs: number;
    /** Between the two latest readings, in ms. */
    readonly latelyMs: number | undefined;
  }[];
  /** What guards positions, and single entries by their brackets. */
  readonly guards: readonly {
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly quantity: string;
    readonly stop: string | undefined;
    readonly takeProfit: string | undefined;
    /** Where it stands now. */
    readonly trailingStop: string | undefined;
    /** Of the entry that is guarded alone; undefined where the position is. */
    readonly intentId: number | undefined;
    readonly label: string | undefined;
  }[];
  /** Triggers at the venue that may fire, as far as the bot knows; one without a known answer counts as there. */
  readonly triggers: readonly {
    readonly clientOrderId: string;
    /** The venue's, where it has given one. */
    readonly triggerId: string | undefined;
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly trigger: VenueStop['trigger'];
    readonly state: VenueStop['state'];
    /** Of the state. */
    readonly since: EpochMs;
    /** Whether the position that it was made for is closed: it would close a later one. */
    readonly isOrphan: boolean;
    readonly quantity: string;
    readonly level: string;
    /** What is held of its side beyond all triggers of its kind there; undefined of one that has outlived its position. */
    readonly uncovered: string | undefined;
  }[];
  /** Intents that are being worked, with what that has cost beyond the arrival price. */
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
  /** Intents that wait for other orders to end before they are sent. */
  readonly waiting: readonly {
    readonly intentId: number;
    readonly kind: 'enter' | 'exit' | 'target';
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly label: string | undefined;
    readonly since: EpochMs;
  }[];
  /** Cancels that the venue has not answered yet: they wait for its limits, are on their way, or are sent again. */
  readonly cancels: readonly { readonly instrumentId: InstrumentId; readonly count: number }[];
  /** What the venue said of the margins of positions in contracts when the account was read last. */
  readonly margins: readonly {
    readonly instrumentId: InstrumentId;
    readonly direction: Direction;
    readonly markPrice: string | undefined;
    /** As the venue says of isolated positions, and the bot's own books of those on cross. */
    readonly liquidationPrice: string | undefined;
    /** Of the mark from it, as a share of the mark. */
    readonly distance: string | undefined;
    readonly marginRate: string | undefined;
    readonly maintenanceRate: string | undefined;
    readonly pendingClose: string | undefined;
    /** Whether the venue refuses exits, and why. */
    readonly frozen: 'no' | 'liquidation' | 'delivery';
  }[];
  /**
   * What the margin account owes of each asset, which the venue does not show: by the bot's own executions, with the interest that it has estimated at the
   * configured rate.
   */
  readonly debts: readonly {
    readonly asset: string;
    readonly principal: string;
    readonly estimatedInterest: string;
  }[];
  /** Assets ÷ debt of the margin account by the bot's own books, at last: at 1.3 the venue warns, at 1.1 it sells all. */
  readonly marginLevel: string | undefined;
  /** Calls used of each of the venue's limits that were used at all, in the window that ends now: by all bots of the process. */
  readonly budgets: readonly {
    readonly name: string;
    readonly used: number;
    readonly limit: number;
    readonly windowMs: number;
    /** Until when nothing of it is sent, because the venue refused a call. */
    readonly restsUntil: EpochMs | undefined;
  }[];
  /** Events taken in and commands given since the process started. */
  readonly events: number;
  readonly commands: number;
  /** What became of its last reload; undefined before the first. */
  readonly reload: ReloadStatus | undefined;
  readonly lastDecision: { readonly time: EpochMs; readonly text: string } | undefined;
}

/** How far a reload is. `refused`: the bot goes on as it was. */
export const RELOAD_STATES = ['checking', 'replacing', 'done', 'refused'] as const;

export interface ReloadStatus {
  readonly state: (typeof RELOAD_STATES)[number];
  /** When it came to that. */
  readonly since: EpochMs;
  /** In one line, for people. */
  readonly text: string;
}

export type BotEnd =
  { readonly kind: 'stopped' } | { readonly kind: 'failed'; readonly error: TradingError };

/** A bot that runs, as its operator handles it. */
export interface BotControl {
  readonly name: string;
  /** Resolves when the bot has stopped, however; never rejects. */
  readonly ended: Promise<BotEnd>;
  /** Resolves when it has been made, or cannot be; never rejects. @defaultValue it is there */
  readonly made?: Promise<void>;
  status(): BotStatus;
  /** No entries until resumed; exits, stops and cancels go on. */
  pause(): void;
  /** Ends a pause, every halt, and what losses count so far. */
  resume(): void;
  /** The kill switch: entries end, and their working orders are canceled. */
  halt(text: string): void;
  /** Every order is withdrawn and every position left; no entries until resumed. */
  flatten(): void;
  /**
   * Lets a strategy that has failed begin anew, with what the bot has: it warms up as after a stop in order.
   *
   * @throws {UsageError} `E_STRATEGY_RUNS` where none has failed, and on paper, where nothing is carried over to a strategy that begins anew.
   */
  restartStrategy(): void;
  /**
   * The owner has removed triggers at the venue by hand: those with these ids, the bot's or the venue's; without any, all that have outlived their
   * positions. The bot does not look: what is cleared and stands there nevertheless may close a position.
   *
   * @throws {UsageError} `E_TRIGGER_UNKNOWN` where an id is of none, or none is named and none has outlived its position.
   */
  clearTriggers(ids: readonly string[]): void;
  /**
   * Replaces the strategy of a bot that runs by what its file and its plugin say now: both are checked, the new strategy is warmed up beside, and then
   * the bot goes on with it, with all that it owns. Where that cannot be it goes on as it was; `status` says which. Absent of what has none.
   *
   * @throws {UsageError} `E_RELOAD` where nothing can be replaced now.
   */
  readonly reload?: (() => void) | undefined;
  /** For what guards a dead bot: the bot is back and takes over. Absent of a bot. */
  readonly handBack?: (() => void) | undefined;
  /** Ends the bot in order. A second call with another policy changes nothing. */
  stop(policy: StopPolicy): Promise<BotEnd>;
}
