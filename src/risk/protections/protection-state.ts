import type {
  EpochMs,
  Fixed,
  Halt,
  HaltAction,
  InstrumentId,
  PositionAction,
} from '../../domain/index.js';

/** Events that the engine sends to the protections. They are the only inputs of their state, so a replay rebuilds it. */
export type RiskStateEvent =
  | { readonly kind: 'equity'; readonly time: EpochMs; readonly equity: Fixed }
  | {
      readonly kind: 'order-sent';
      readonly time: EpochMs;
      readonly instrumentId: InstrumentId;
      readonly action: PositionAction;
    }
  | { readonly kind: 'stop-fired'; readonly time: EpochMs; readonly instrumentId: InstrumentId }
  /** A trade from flat to flat ended; profit net of costs. */
  | { readonly kind: 'trade-closed'; readonly time: EpochMs; readonly profit: Fixed }
  | { readonly kind: 'operator'; readonly time: EpochMs; readonly command: OperatorCommand }
  /** The strategy has failed, so nothing can look after entries. */
  | { readonly kind: 'strategy-failed'; readonly time: EpochMs; readonly text: string }
  | HealthEvent;

/**
 * Whether all data that entries depend on is fresh and known. While it is not, entries are refused with the text; exits, stops and cancels
 * go on. It neither begins nor ends a halt, and `resume` does not end it, except with `untilResumed`.
 */
export interface HealthEvent {
  readonly kind: 'health';
  readonly time: EpochMs;
  readonly isDegraded: boolean;
  /** Describes the stale or unknown data, or how the problem was resolved. */
  readonly text: string;
  /** Set if it concerns one instrument: entries of the others go on. @defaultValue all */
  readonly instrumentId?: InstrumentId | undefined;
  /** Whether it ends when the operator resumes, and not before. @defaultValue false */
  readonly untilResumed?: boolean | undefined;
}

/**
 * `resume` ends every halt except that of a failed strategy, and the reduce-only state. All losses count from then on. It reopens instruments that
 * were closed with `untilResumed`; any other degradation stays. `restart-strategy` ends the halt of a failed strategy.
 */
export type OperatorCommand =
  | { readonly kind: 'halt'; readonly action: HaltAction; readonly text: string }
  | { readonly kind: 'reduce-only' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'restart-strategy' };

/** A high of the equity curve that no later high in the window exceeds. */
export interface EquityPeak {
  readonly time: EpochMs;
  readonly equity: Fixed;
}

/** Data or orders that entries depend on are stale or unknown. */
export interface Degradation {
  readonly since: EpochMs;
  /** The cause, as last reported. */
  readonly text: string;
  /** Whether the operator's `resume` ends it. @defaultValue false */
  readonly untilResumed?: boolean;
}

/** The state of the protections. Immutable: each event makes a new one. */
export interface ProtectionState {
  /** Halts in force at the last event. */
  readonly halts: readonly Halt[];
  readonly isReduceOnly: boolean;
  readonly degraded: Degradation | undefined;
  /** Instruments that are closed for entries, and why. */
  readonly closed: ReadonlyMap<InstrumentId, Degradation>;
  /** Last known equity. */
  readonly equity: Fixed | undefined;
  /** 0 before the first event. */
  readonly dayStart: EpochMs;
  /** Equity from which the day's loss counts. */
  readonly dayEquity: Fixed | undefined;
  readonly dayOrders: number;
  /** Falling highs of the window, oldest first. */
  readonly peaks: readonly EquityPeak[];
  readonly consecutiveLosses: number;
  /** Times of the last orders, as many as the rate per minute needs, oldest first. */
  readonly recentOrders: readonly EpochMs[];
  readonly lastEntries: ReadonlyMap<InstrumentId, EpochMs>;
  readonly lastStops: ReadonlyMap<InstrumentId, EpochMs>;
}

export const INITIAL_PROTECTION_STATE: ProtectionState = {
  halts: [],
  isReduceOnly: false,
  degraded: undefined,
  closed: new Map(),
  equity: undefined,
  dayStart: 0,
  dayEquity: undefined,
  dayOrders: 0,
  peaks: [],
  consecutiveLosses: 0,
  recentOrders: [],
  lastEntries: new Map(),
  lastStops: new Map(),
};
