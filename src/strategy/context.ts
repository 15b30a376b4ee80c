import type { Observable } from 'rxjs';
import type {
  AccountEvent,
  Asset,
  Balance,
  Candle,
  Decimal,
  DepthReading,
  Direction,
  EpochMs,
  Fill,
  FundingPayment,
  Halt,
  IndexReading,
  InstrumentId,
  Interval,
  MarkPrice,
  Order,
  OrderIntent,
  Size,
  Position,
  ProductKind,
  RiskDecision,
  TickerReading,
  TradePrint,
} from '../domain/index.js';
import type { AnyIndicator } from './indicator.js';
import type { InstrumentInfo } from './instrument-info.js';
import type { EntryTerms, ExitTerms } from './intents.js';

/** One configured instrument with its intervals, in the order of the config. */
export interface InstrumentStreams {
  readonly instrumentId: InstrumentId;
  readonly intervals: readonly Interval[];
}

/** Names one candle stream; absent members mean the first instrument, and that instrument's first interval. */
export interface StreamReference {
  readonly instrument?: string | undefined;
  readonly interval?: Interval | undefined;
}

/** The decision of risk on one intent. */
export interface Verdict {
  readonly intentId: number;
  readonly time: EpochMs;
  readonly intent: OrderIntent;
  readonly decision: RiskDecision;
}

/** Structured log of a strategy; lines carry the engine's time. */
export interface StrategyLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Takes a value for a chart line, see `Strategy.plot`; without an instrument, the first. Absent if nothing draws it. */
  plot?(name: string, value: number, instrument: InstrumentId | undefined): void;
}

/** Market data of the configured streams. */
export interface Market {
  /**
   * Closed candles, each once, in order of their close.
   *
   * Hot; replays 0; completes when the run ends; never errors; scheduler: the engine's clock. Candles of the warm-up come first;
   * intents raised during it are dropped and counted.
   * @throws {DomainError} `E_STREAM_UNKNOWN` when the config has no such stream; `E_INSTRUMENT_UNKNOWN` when it has no such instrument.
   */
  candles$(instrument?: string, interval?: Interval): Observable<Candle>;
  /** All candles closed at one instant, longest interval first. Hot; replays 0; completes when the run ends; never errors. */
  readonly slices$: Observable<readonly Candle[]>;
  /**
   * Mark prices of a contract, by default of the first instrument, as the engine receives them. A mark comes before the candles that close
   * at the same time. None come before trading begins. Spot and margin pairs have no marks.
   *
   * Hot; replays 0; completes when the run ends; never errors.
   * @throws {DomainError} `E_INSTRUMENT_UNKNOWN` when the config has no such instrument.
   */
  marks$(instrument?: string): Observable<MarkPrice>;
  /**
   * Figures of the last 24 hours, by default of the first instrument. Polled once a second (contracts: every two seconds) while the strategy
   * listens, and emitted when they have changed. Paper and live only.
   *
   * Hot; replays 0; completes when the run ends; never errors.
   * @throws {DomainError} `E_STREAM_UNAVAILABLE` in a backtest; `E_INSTRUMENT_UNKNOWN` when the config has no such instrument.
   */
  ticker$(instrument?: string): Observable<TickerReading>;
  /** The order book with the best {@link DEPTH_LEVELS} levels per side, polled every two seconds. Otherwise as {@link ticker$}. */
  depth$(instrument?: string): Observable<DepthReading>;
  /**
   * Public trades on a pair, each once, oldest first, polled every two seconds. Otherwise as {@link ticker$}. For a contract it throws
   * `E_STREAM_UNAVAILABLE`, because the venue does not show trades of contracts.
   */
  trades$(instrument?: string): Observable<TradePrint>;
  /**
   * Mark, index and funding rates of a contract, polled every two seconds. Otherwise as {@link ticker$}. For a pair it throws
   * `E_STREAM_UNAVAILABLE`.
   */
  index$(instrument?: string): Observable<IndexReading>;
}

/** Entries on a side and the exit, as numbers: the engine compares one with every candle, and numbers compare faster than strings. */
export const PLAIN_INTENTS = { long: 1, short: 2, exit: 3 } as const;
export type PlainIntent = (typeof PLAIN_INTENTS)[keyof typeof PLAIN_INTENTS];

/** What the engine gives to a strategy. All members show the state at the event being processed. */
export interface StrategyContext {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly instruments: readonly InstrumentStreams[];
  readonly market: Market;
  readonly log: StrategyLog;
  readonly verdicts$: Observable<Verdict>;
  readonly orders$: Observable<Order>;
  readonly fills$: Observable<Fill>;
  readonly halts$: Observable<Halt>;
  readonly funding$: Observable<FundingPayment>;
  readonly accountEvents$: Observable<AccountEvent>;
  /** The kept state, for the strategy to read and write; undefined if the strategy declares no state. */
  readonly state?: object | undefined;
  now(): EpochMs;
  /** Uniform in [0, 1), from the run's seed. */
  random(): number;
  /**
   * Hands an intent to the engine and returns its sequence number, by which it can be canceled or replaced.
   *
   * @throws {StrategyError} `E_INTENT_OUTSIDE_EVENT` when no event is being processed, for example from a promise.
   */
  raise(intent: OrderIntent): number;
  /**
   * Counts an intent that would change nothing, instead of {@link raise}: no intent object has to be made for it. Returns its number. Returns
   * undefined if the intent may change something: then it has to be raised.
   */
  repeat(
    intent: PlainIntent,
    size: Size | undefined,
    terms: EntryTerms | ExitTerms | undefined,
  ): number | undefined;
  /** `direction`: by default the side that is held; the long side if neither or both are held. */
  position(instrument?: string, direction?: Direction): Position;
  /** `account`: by default that of the first instrument. */
  balance(asset: Asset, account?: ProductKind): Balance;
  /** Cash and positions less debt, in the equity currency. Assets count at last; contracts at mark, or at last while no mark is known. */
  equity(): Decimal;
  /** Last known price, float64; undefined before the first candle. */
  last(instrument?: string): number | undefined;
  /** Last known mark price of a contract, float64; undefined before the first. */
  markPrice(instrument?: string): number | undefined;
  /**
   * Funding rate of a contract as the venue shows it, a ratio per period, float64; longs pay when positive. It is the rate of the current period,
   * which is paid at its end; with `fundingRateKnown: settled` it is the rate paid last. Undefined while not known, as in the warm-up, and for pairs.
   */
  fundingRate(instrument?: string): number | undefined;
  /** Returns a live view of an instrument, by default the first. */
  instrument(name?: string): InstrumentInfo;
  /** Orders that may still fill, in order of creation. */
  workingOrders(instrument?: string): readonly Order[];
  /** Orders of one intent, and the orders that replaced them, as far as they may still fill; oldest first. */
  ordersOf(intentId: number): readonly Order[];
  /** See {@link OrderHandle.status$}. */
  statusOf(intentId: number): Observable<Order>;
  /** Updates an indicator with each candle of one stream, before the candle is delivered to the strategy. */
  attachIndicator(indicator: AnyIndicator, stream: StreamReference): void;
  /**
   * Calls the handler at each time of a schedule in UTC, once the strategy is warm: "@hourly :30", "@daily 00:00", "@weekly mon 00:00", or a duration
   * that divides a day, such as "15min". Returns a function that ends the calls.
   *
   * @throws {DomainError} `E_SCHEDULE` if the text is not a schedule, or the handler is not a function.
   */
  every(schedule: string, handler: () => void): () => void;
  /** Calls `onCandle` with each candle after the warm-up; {@link CandleStrategy} uses it, because it is cheap. Returns a function that ends the calls. */
  listen(onCandle: (candle: Candle) => void): () => void;
}
