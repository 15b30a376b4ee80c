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

/** What risk said to one intent. */
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
  /** Where somebody looks: a value to be drawn, see `Strategy.plot`. */
  plot?(name: string, value: number, instrument: string | undefined): void;
}

/** Market data of the configured streams. */
export interface Market {
  /**
   * Closed candles, each once, in order of their close.
   *
   * Hot; replays 0; completes when the run ends; never errors; scheduler: the engine's clock. Candles of the warm-up come first;
   * intents raised during it are dropped and counted.
   * @throws {StrategyError} `E_STREAM_UNKNOWN` when the config has no such stream.
   */
  candles$(instrument?: string, interval?: Interval): Observable<Candle>;
  /** All candles closed at one instant, longest interval first. Hot; replays 0; completes when the run ends; never errors. */
  readonly slices$: Observable<readonly Candle[]>;
  /**
   * Mark prices of a contract, by default of the first instrument, as the engine learns them; before the candles of their instant. A
   * spot or margin pair has none.
   *
   * Hot; replays 0; completes when the run ends; never errors.
   * @throws {StrategyError} `E_INSTRUMENT_UNKNOWN` when the config has no such instrument.
   */
  marks$(instrument?: string): Observable<MarkPrice>;
  /**
   * Figures of the last 24 hours, as polled once a second, where they have changed; by default of the first instrument. It is polled while
   * somebody listens, in paper and live.
   *
   * Hot; replays 0; completes when the run ends; never errors.
   * @throws {StrategyError} `E_STREAM_UNAVAILABLE` in a backtest, which has none; `E_INSTRUMENT_UNKNOWN` when the config has no such instrument.
   */
  ticker$(instrument?: string): Observable<TickerReading>;
  /** The order book, best {@link DEPTH_LEVELS} levels per side, as polled every two seconds, where it has changed; otherwise as {@link ticker$}. */
  depth$(instrument?: string): Observable<DepthReading>;
  /**
   * Trades of other people on a pair, each once, oldest first, as polled every two seconds; otherwise as {@link ticker$}. The venue shows none of
   * contracts: `E_STREAM_UNAVAILABLE`.
   */
  trades$(instrument?: string): Observable<TradePrint>;
  /**
   * Mark, index and funding rates of a contract, as polled every two seconds, where they have changed; otherwise as {@link ticker$}. Pairs have
   * none: `E_STREAM_UNAVAILABLE`.
   */
  index$(instrument?: string): Observable<IndexReading>;
}

/** An entry on a side, or an exit from what is held. Numbers: one is compared with every candle, and a text is asked what it is. */
export const PLAIN_INTENTS = { long: 1, short: 2, exit: 3 } as const;
export type PlainIntent = (typeof PLAIN_INTENTS)[keyof typeof PLAIN_INTENTS];

/** What the engine gives to a strategy. Everything reads the state at the event being processed. */
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
  /** What the strategy keeps, to be read and written; undefined where it declares nothing. */
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
   * Says an intent again, in place of {@link raise}, whose intent need not be made then. Returns its number; undefined where it is not known that it
   * changes nothing, so that it has to be raised.
   */
  repeat(
    intent: PlainIntent,
    size: Size | undefined,
    terms: EntryTerms | ExitTerms | undefined,
  ): number | undefined;
  /** By default of the side that is held: long where none is, or both are. */
  position(instrument?: string, direction?: Direction): Position;
  /** By default on the account of the first instrument. */
  balance(asset: Asset, account?: ProductKind): Balance;
  /** Cash and positions at last prices, in the equity currency. */
  equity(): Decimal;
  /** Last known price, float64; undefined before the first candle. */
  last(instrument?: string): number | undefined;
  /** Last known mark price of a contract, float64; undefined before the first. */
  markPrice(instrument?: string): number | undefined;
  /**
   * Funding rate of a contract as the venue shows it, a ratio per period, float64: longs pay when positive. That of the period now running, which
   * is paid at its end, or with `fundingRateKnown: settled` the one paid last. Undefined where none is known: during the warm-up, and of pairs.
   */
  fundingRate(instrument?: string): number | undefined;
  /** What is known of an instrument, by default of the first. */
  instrument(name?: string): InstrumentInfo;
  /** Orders that may still fill, in order of creation. */
  workingOrders(instrument?: string): readonly Order[];
  /** Orders of one intent, and of what replaces them, that may still fill. */
  ordersOf(intentId: number): readonly Order[];
  /** See {@link OrderHandle.status$}. */
  statusOf(intentId: number): Observable<Order>;
  /** Keeps an indicator fed by one stream, before the stream's candle is delivered. */
  attachIndicator(indicator: AnyIndicator, stream: StreamReference): void;
  /**
   * Calls back at each instant of a schedule in UTC, once the strategy is warm: "@hourly :30", "@daily 00:00", "@weekly mon 00:00", or a duration
   * that divides a day, such as "15min". Returns what ends it.
   *
   * @throws {DomainError} `E_SCHEDULE` where the text says no schedule.
   */
  every(schedule: string, handler: () => void): () => void;
  /** Calls back with each candle after warm-up. The cheap way that {@link CandleStrategy} uses. */
  listen(onCandle: (candle: Candle) => void): () => void;
}
