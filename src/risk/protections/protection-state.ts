import type {
  EpochMs,
  Fixed,
  Halt,
  HaltAction,
  InstrumentId,
  PositionAction,
} from '../../domain/index.js';

/** What the engine tells the protections; the only inputs of their state, so that a replay rebuilds it. */
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
  /** The strategy has failed: nobody is there who could look after entries. */
  | { readonly kind: 'strategy-failed'; readonly time: EpochMs; readonly text: string }
  /** Whether all that entries rest on is known; `text` says what is not, or that it is again. */
  | {
      readonly kind: 'health';
      readonly time: EpochMs;
      readonly isDegraded: boolean;
      readonly text: string;
      /** Where it concerns one instrument. @defaultValue all */
      readonly instrumentId?: InstrumentId | undefined;
      /** @defaultValue false */
      readonly untilResumed?: boolean | undefined;
    };

/**
 * `resume` ends every halt but that of a strategy that has failed, and the reduce-only state, and lets all losses count from here; what is degraded
 * stays so. `restart-strategy` ends the halt of a strategy that has failed.
 */
export type OperatorCommand =
  | { readonly kind: 'halt'; readonly action: HaltAction; readonly text: string }
  | { readonly kind: 'reduce-only' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'restart-strategy' };

/** A high of the equity curve that no later one in the window exceeds. */
export interface EquityPeak {
  readonly time: EpochMs;
  readonly equity: Fixed;
}

/** Something that entries rest on is stale or unknown. */
export interface Degradation {
  readonly since: EpochMs;
  /** What it is, as last told. */
  readonly text: string;
  /** Whether the operator's `resume` ends it. @defaultValue false */
  readonly untilResumed?: boolean;
}

/** What the protections remember. A value: each event makes a new one. */
export interface ProtectionState {
  /** In force at the last event. */
  readonly halts: readonly Halt[];
  readonly isReduceOnly: boolean;
  readonly degraded: Degradation | undefined;
  /** Instruments in which nothing is entered, and why. */
  readonly closed: ReadonlyMap<InstrumentId, Degradation>;
  /** Last known. */
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
