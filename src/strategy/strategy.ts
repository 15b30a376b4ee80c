import type { Observable } from 'rxjs';
import type {
  AccountEvent,
  Balance,
  Candle,
  Decimal,
  Direction,
  EpochMs,
  Fill,
  FundingPayment,
  Halt,
  Order,
  OrderIntent,
  Position,
  ProductKind,
  Size,
} from '../domain/index.js';
import { AttachedIndicators, type IndicatorOptions } from './attached-indicators.js';
import { CandleHistory, type RecentCandles } from './candle-history.js';
import type { Market, StrategyContext, StrategyLog, StreamReference, Verdict } from './context.js';
import {
  STRATEGY,
  type StrategyDefinition,
  type StrategyMark,
  type StrategyRequirements,
} from './definition.js';
import type { AnyIndicator } from './indicator.js';
import type { InstrumentInfo } from './instrument-info.js';
import type { StrategyInstance } from './instance.js';
import { declareState, type StateOptions, type WithState } from './kept-state.js';
import { OrderHandle } from './order-handle.js';
import type { ParameterDeclarations, ParameterValues } from './parameters.js';
import type { Sizing } from './sizing.js';

/**
 * Base of every strategy: what it is given, and the streams of what became of its intents.
 *
 * `onVerdict`, `onOrder`, `onFill`, `onHalt`, `onFunding` and `onAccountEvent` may be defined instead of subscribing to the streams.
 */
export abstract class TradingStrategy<Values> implements StrategyInstance {
  readonly #context: StrategyContext;
  readonly #indicators: AttachedIndicators;
  readonly parameters: Values;
  readonly warmup: number = 0;

  constructor(context: StrategyContext) {
    this.#context = context;
    this.#indicators = new AttachedIndicators(context);
    // The engine has checked the values against the declarations that `Values` is derived from.
    this.parameters = context.parameters as Values;
    // No member of the class: strategies that keep nothing may have a `state` of their own.
    const { state } = context;
    if (state !== undefined)
      Object.defineProperty(this, 'state', { value: state, enumerable: true });
  }

  /**
   * Returns the stream of what the strategy wants. Called once; subscribed once; unsubscribed when the run ends.
   */
  abstract intents(market: Market): Observable<OrderIntent>;

  onVerdict?(verdict: Verdict): void;
  onOrder?(order: Order): void;
  onFill?(fill: Fill): void;
  onHalt?(halt: Halt): void;
  onFunding?(payment: FundingPayment): void;
  onAccountEvent?(event: AccountEvent): void;

  get market(): Market {
    return this.#context.market;
  }

  get log(): StrategyLog {
    return this.#context.log;
  }

  /**
   * Records a value of now for a line of that name, drawn over the candles of an instrument, by default of the first. What is undefined or not finite is left out, so
   * that an indicator which is not ready can be given. It changes nothing, and costs nothing where nobody looks: a sweep, a run without report.
   */
  plot(name: string, value: number | undefined, instrument?: string): void {
    const { log } = this.#context;
    if (log.plot !== undefined && value !== undefined && Number.isFinite(value))
      log.plot(name, value, instrument);
  }

  /** The engine's time in UTC milliseconds. */
  get now(): EpochMs {
    return this.#context.now();
  }

  /** Uniform in [0, 1), from the run's seed. */
  random(): number {
    return this.#context.random();
  }

  /** Hot; replays 0; completes when the run ends; never errors. */
  get verdicts$(): Observable<Verdict> {
    return this.#context.verdicts$;
  }

  /** Each change of an order. Hot; replays 0; completes when the run ends; never errors. */
  get orders$(): Observable<Order> {
    return this.#context.orders$;
  }

  /** Hot; replays 0; completes when the run ends; never errors. */
  get fills$(): Observable<Fill> {
    return this.#context.fills$;
  }

  /**
   * A loss limit was reached, or the owner halted: entries are refused until the halt ends. Hot; replays 0; completes when the run
   * ends; never errors.
   */
  get halts$(): Observable<Halt> {
    return this.#context.halts$;
  }

  /** Funding paid or received on contracts. Hot; replays 0; completes when the run ends; never errors. */
  get funding$(): Observable<FundingPayment> {
    return this.#context.funding$;
  }

  /**
   * Interest on what is borrowed, warnings of the margin level, and trades that the venue forced (their fills come by `fills$` too).
   * Hot; replays 0; completes when the run ends; never errors.
   */
  get accountEvents$(): Observable<AccountEvent> {
    return this.#context.accountEvents$;
  }

  get instruments(): StrategyContext['instruments'] {
    return this.#context.instruments;
  }

  /**
   * What is known of an instrument, by default of the first: its terms, the rules in force, position, distance to liquidation, funding. It shows what is
   * known when it is read, so that a field may hold it.
   *
   * @throws {DomainError} `E_INSTRUMENT_UNKNOWN` when none or several have the name.
   */
  instrument(name?: string): InstrumentInfo {
    return this.#context.instrument(name);
  }

  /** Position in the first instrument, on the side that is held: long where none is, or both are. */
  get position(): Position {
    return this.#context.position();
  }

  /** Like {@link position}; of one side where `direction` says so. */
  positionOf(instrument: string, direction?: Direction): Position {
    return this.#context.position(instrument, direction);
  }

  /** Balance of an asset, by default on the account of the first instrument: spot, margin and futures are kept apart. */
  balanceOf(asset: string, account?: ProductKind): Balance {
    return this.#context.balance(asset, account);
  }

  /** Cash and positions at last prices, in the equity currency. */
  get equity(): Decimal {
    return this.#context.equity();
  }

  /** Works out a size by a rule, from what is known now; by default of a long entry into the first instrument. */
  sizeBy(sizing: Sizing, instrument?: string, direction: Direction = 'long'): Size {
    return sizing({ instrument: this.instrument(instrument), direction, equity: this.equity });
  }

  /** Last known price; undefined before the first candle. */
  last(instrument?: string): number | undefined {
    return this.#context.last(instrument);
  }

  /** Last known mark price of a contract; undefined before the first. */
  markPrice(instrument?: string): number | undefined {
    return this.#context.markPrice(instrument);
  }

  /** Funding rate of a contract as the venue shows it; see {@link StrategyContext.fundingRate}. */
  fundingRate(instrument?: string): number | undefined {
    return this.#context.fundingRate(instrument);
  }

  workingOrders(instrument?: string): readonly Order[] {
    return this.#context.workingOrders(instrument);
  }

  /**
   * Keeps an indicator up to date with one stream (by default the first), or with the values of another one, and adds its lookback to the warm-up.
   *
   * @throws {DomainError} `E_INDICATOR_LATE` once the strategy is constructed; `E_INDICATOR_SOURCE` where `of` is nothing to be computed of.
   */
  protected indicator<I extends AnyIndicator>(indicator: I, options: IndicatorOptions = {}): I {
    this.#indicators.attach(indicator, options);
    return indicator;
  }

  /** The last candles of one stream (by default the first), the newest included; they are there once the strategy is warm. */
  protected candles(count: number, stream: StreamReference = {}): RecentCandles {
    const history = new CandleHistory(count);
    this.#context.attachIndicator(history, stream);
    return history;
  }

  /**
   * Calls the handler at each instant of a schedule in UTC, once the strategy is warm: `'@hourly :30'`, `'@daily 00:00'`, `'@weekly mon 00:00'`, or a
   * duration that divides a day, such as `'15min'`, counted from 00:00. After the candles that close at that instant. Returns a function that ends it.
   *
   * @throws {DomainError} `E_SCHEDULE` where the text says no schedule.
   */
  protected every(schedule: string, handler: () => void): () => void {
    return this.#context.every(schedule, handler);
  }

  /** Hands over an intent outside the stream of {@link intents}; see {@link StrategyContext.raise}. */
  protected raise(intent: OrderIntent): number {
    return this.#context.raise(intent);
  }

  /** What an intent has become, by its number: of one that was raised, or whose number was kept. */
  protected handleOf(intentId: number): OrderHandle {
    return new OrderHandle(this.#context, intentId);
  }

  /** Calls back with each candle after warm-up. */
  protected listen(onCandle: (candle: Candle) => void): () => void {
    return this.#context.listen(onCandle);
  }
}

type StrategyConstructor<Values, S> = (abstract new (
  context: StrategyContext,
) => TradingStrategy<Values> & WithState<S>) &
  StrategyMark;

/**
 * Makes the base class of an RxJS-style strategy with these parameters, and what it keeps.
 *
 * @example see strategies/breakout-trail/breakout-trail.strategy.ts
 */
export function Strategy<
  const D extends ParameterDeclarations = Readonly<Record<string, never>>,
  S = undefined,
>(
  parameters: D = {} as D,
  options: StrategyRequirements & StateOptions<S> = {},
): StrategyConstructor<ParameterValues<D>, S> {
  abstract class DeclaredStrategy extends TradingStrategy<ParameterValues<D>> {
    static readonly [STRATEGY]: StrategyDefinition = {
      parameters,
      requirements: options,
      state: declareState(options),
    };
  }
  // The engine gives what was declared.
  return DeclaredStrategy as StrategyConstructor<ParameterValues<D>, S>;
}
