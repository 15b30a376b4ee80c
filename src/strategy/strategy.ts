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
import { reserveUpdates } from './engine-updates.js';
import type { AnyIndicator } from './indicator.js';
import type { InstrumentInfo } from './instrument-info.js';
import type { StrategyInstance } from './instance.js';
import { declareState, type StateOptions, type WithState } from './kept-state.js';
import { refusedArgument, requireKeys } from './option-keys.js';
import { OrderHandle } from './order-handle.js';
import {
  requireDeclarations,
  type ParameterDeclarations,
  type ParameterValues,
} from './parameters.js';
import type { Sizing } from './sizing.js';

/** Keys of the second argument of `CandleStrategy` and `Strategy`. */
export const STRATEGY_OPTIONS = [
  'instruments',
  'intervals',
  'state',
  'stateVersion',
  'migrateState',
] as const satisfies readonly (keyof (StrategyRequirements & StateOptions<unknown>))[];

/**
 * Base class of every strategy: gives access to market, account, orders and log, and to streams that report verdicts, orders and fills.
 *
 * Instead of subscribing to the streams, a strategy may define `onVerdict`, `onOrder`, `onFill`, `onHalt`, `onFunding` and `onAccountEvent`.
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
    // Not a class member: a strategy that keeps no state may use the name `state` for a field of its own.
    const { state } = context;
    if (state !== undefined)
      Object.defineProperty(this, 'state', { value: state, enumerable: true });
  }

  /**
   * Returns the stream of the strategy's intents. The engine calls it once, subscribes once, and unsubscribes when the run ends.
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
   * Records the current value of the chart line `name`. The report draws it over the candles of an instrument, by default the first. A value that is undefined
   * or not finite is skipped, so an indicator may be passed before it is ready. Trading does not depend on it. Without a report, as in a sweep, it costs nothing.
   *
   * @throws {DomainError} `E_STRATEGY_ARGUMENT` for a value that is no number, such as a Decimal; `E_INSTRUMENT_UNKNOWN` when the config has no such
   * instrument. Both with and without a report.
   */
  plot(name: string, value: number | undefined, instrument?: string): void {
    if (value !== undefined && typeof value !== 'number')
      throw refusedArgument(`this.plot("${name}"): expected a number or undefined`, value);
    const drawnOn =
      instrument === undefined ? undefined : this.#context.instrument(instrument).instrumentId;
    const { log } = this.#context;
    if (log.plot !== undefined && value !== undefined && Number.isFinite(value))
      log.plot(name, value, drawnOn);
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
   * Each halt: a loss limit was reached, or the operator halted the bot. Entries are refused until the halt ends. Hot; replays 0; completes
   * when the run ends; never errors.
   */
  get halts$(): Observable<Halt> {
    return this.#context.halts$;
  }

  /** Funding paid or received on contracts. Hot; replays 0; completes when the run ends; never errors. */
  get funding$(): Observable<FundingPayment> {
    return this.#context.funding$;
  }

  /**
   * Interest on debt, warnings about the margin level, and trades that the venue forced (their fills are in `fills$` too).
   * Hot; replays 0; completes when the run ends; never errors.
   */
  get accountEvents$(): Observable<AccountEvent> {
    return this.#context.accountEvents$;
  }

  get instruments(): StrategyContext['instruments'] {
    return this.#context.instruments;
  }

  /**
   * Returns a live view of an instrument, by default the first: its terms, the rules in force, position, distance to liquidation, funding. Its members are
   * up to date whenever they are read, so a field of the strategy may hold it.
   *
   * @throws {DomainError} `E_INSTRUMENT_UNKNOWN` if no instrument or several have this name.
   */
  instrument(name?: string): InstrumentInfo {
    return this.#context.instrument(name);
  }

  /** Position in the first instrument, on the side that is held. The long side if neither or both are held. */
  get position(): Position {
    return this.#context.position();
  }

  /** Position in an instrument, like {@link position}; with `direction`, the position on that side. */
  positionOf(instrument: string, direction?: Direction): Position {
    return this.#context.position(instrument, direction);
  }

  /** Balance of an asset on one account. Spot, margin and futures are separate accounts. `account`: by default that of the first instrument. */
  balanceOf(asset: string, account?: ProductKind): Balance {
    return this.#context.balance(asset, account);
  }

  /** Cash and positions less debt, in the equity currency. Assets count at last; contracts at mark, or at last while no mark is known. */
  get equity(): Decimal {
    return this.#context.equity();
  }

  /**
   * Computes an entry size by a sizing rule from the current state. By default for a long entry into the first instrument.
   *
   * @throws {DomainError} `E_STRATEGY_ARGUMENT` for something else than a rule, which is a function.
   */
  sizeBy(sizing: Sizing, instrument?: string, direction: Direction = 'long'): Size {
    if (typeof sizing !== 'function')
      throw refusedArgument('this.sizeBy: expected a sizing rule, which is a function', sizing);
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
   * Updates an indicator with each candle of one stream (by default the first), or with the values of another indicator. The warm-up covers its lookback.
   * From then on, `update` of the indicator is `E_INDICATOR_UPDATE` in the strategy.
   *
   * @throws {DomainError} `E_INDICATOR_LATE` once the strategy is constructed; `E_INDICATOR_SOURCE` if `of` is not an indicator of this strategy or a line
   * of one, or comes together with `instrument` or `interval`; `E_INDICATOR_OPTION` for an indicator that this strategy has already, or a line of one.
   */
  protected indicator<I extends AnyIndicator>(indicator: I, options: IndicatorOptions = {}): I {
    this.#indicators.attach(indicator, options);
    return indicator;
  }

  /** Returns the last `count` candles of one stream (by default the first), including the newest. All of them are present once the strategy is warm. */
  protected candles(count: number, stream: StreamReference = {}): RecentCandles {
    requireKeys('this.candles', stream, ['instrument', 'interval']);
    const history = new CandleHistory(count);
    reserveUpdates(history);
    this.#context.attachIndicator(history, stream);
    return history;
  }

  /**
   * Calls the handler at each time of a schedule in UTC, once the strategy is warm: `'@hourly :30'`, `'@daily 00:00'`, `'@weekly mon 00:00'`, or a
   * duration that divides a day, such as `'15min'`, counted from 00:00. Candles that close at that time come first. Returns a function that ends the calls.
   *
   * @throws {DomainError} `E_SCHEDULE` if the text is not a schedule, or the handler is not a function.
   */
  protected every(schedule: string, handler: () => void): () => void {
    return this.#context.every(schedule, handler);
  }

  /** Hands an intent to the engine outside the stream of {@link intents}; see {@link StrategyContext.raise}. */
  protected raise(intent: OrderIntent): number {
    return this.#context.raise(intent);
  }

  /** Returns the handle of an intent by its number, which {@link raise} returned or the strategy's state has kept. */
  protected handleOf(intentId: number): OrderHandle {
    return new OrderHandle(this.#context, intentId);
  }

  /** Calls `onCandle` with each candle after the warm-up. Returns a function that ends the calls. */
  protected listen(onCandle: (candle: Candle) => void): () => void {
    return this.#context.listen(onCandle);
  }
}

type StrategyConstructor<Values, S> = (abstract new (
  context: StrategyContext,
) => TradingStrategy<Values> & WithState<S>) &
  StrategyMark;

/**
 * Makes the base class of an RxJS-style strategy with these parameters and this kept state.
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
  requireDeclarations('Strategy', parameters);
  requireKeys('Strategy', options, STRATEGY_OPTIONS, 'E_PARAMETER_DECLARATION');
  abstract class DeclaredStrategy extends TradingStrategy<ParameterValues<D>> {
    static readonly [STRATEGY]: StrategyDefinition = {
      parameters,
      requirements: options,
      state: declareState(options),
    };
  }
  // The engine provides values of the declared types.
  return DeclaredStrategy as StrategyConstructor<ParameterValues<D>, S>;
}
