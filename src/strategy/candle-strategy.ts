import { Observable } from 'rxjs';
import type {
  Candle,
  DecimalInput,
  Direction,
  OrderIntent,
  OrderReference,
  Protection,
  Size,
  TargetSize,
} from '../domain/index.js';
import { PLAIN_INTENTS, type StrategyContext } from './context.js';
import {
  STRATEGY,
  type StrategyDefinition,
  type StrategyMark,
  type StrategyRequirements,
} from './definition.js';
import {
  cancel,
  enterLong,
  enterShort,
  exit,
  flatten,
  protect,
  rebalance,
  replace,
  target,
  type EntryTerms,
  type ExitTerms,
  type TargetTerms,
} from './intents.js';
import { declareState, type StateOptions, type WithState } from './kept-state.js';
import { requireKeys } from './option-keys.js';
import { OrderHandle } from './order-handle.js';
import {
  requireDeclarations,
  type ParameterDeclarations,
  type ParameterValues,
} from './parameters.js';
import { STRATEGY_OPTIONS, TradingStrategy } from './strategy.js';

/**
 * Base class of candle-style strategies: one method that receives each closed candle, and methods that raise intents. Most strategies repeat the same intent
 * with nearly every candle, so no object is made for an intent that is known to change nothing.
 */
export abstract class CandleDrivenStrategy<Values> extends TradingStrategy<Values> {
  readonly #context: StrategyContext;

  constructor(context: StrategyContext) {
    super(context);
    this.#context = context;
  }

  /** Called with each closed candle of every configured stream, once all streams are warm. Indicators are already up to date. */
  abstract onCandle(candle: Candle): void;

  override intents(): Observable<OrderIntent> {
    return new Observable<OrderIntent>(() =>
      // The result of `onCandle` is passed on, because the engine refuses a promise.
      this.listen((candle): unknown => this.onCandle(candle)),
    );
  }

  /** Raises a long entry; see {@link enterLong}. */
  enterLong(size: Size, terms?: EntryTerms): OrderHandle {
    return new OrderHandle(
      this.#context,
      this.#context.repeat(PLAIN_INTENTS.long, size, terms) ?? this.raise(enterLong(size, terms)),
    );
  }

  /** Raises a short entry; see {@link enterShort}. */
  enterShort(size: Size, terms?: EntryTerms): OrderHandle {
    return new OrderHandle(
      this.#context,
      this.#context.repeat(PLAIN_INTENTS.short, size, terms) ?? this.raise(enterShort(size, terms)),
    );
  }

  /** Raises an exit from the position; does nothing if there is no position. */
  exit(terms?: ExitTerms): OrderHandle {
    return new OrderHandle(
      this.#context,
      this.#context.repeat(PLAIN_INTENTS.exit, undefined, terms) ?? this.raise(exit(terms)),
    );
  }

  protect(protection: Protection, instrument?: string, direction?: Direction): number {
    return this.raise(protect(protection, instrument, direction));
  }

  cancel(target: OrderReference): number {
    return this.raise(cancel(target));
  }

  replace(target: OrderReference, terms: Parameters<typeof replace>[1]): number {
    return this.raise(replace(target, terms));
  }

  /** Brings a position to a target size; see {@link target}. `instrument`: undefined means the first. */
  target(instrument: string | undefined, to: TargetSize, terms?: TargetTerms): OrderHandle {
    return this.handleOf(this.raise(target(instrument, to, terms)));
  }

  /** Brings positions to shares of equity: `{ BTCUSDT: '0.4', ETHUSDT: '0.2' }`; see {@link rebalance}. */
  rebalance(weights: Readonly<Record<string, DecimalInput>>, terms?: TargetTerms): OrderHandle {
    return this.handleOf(this.raise(rebalance(weights, terms)));
  }

  flatten(instrument?: string): number {
    return this.raise(flatten(instrument));
  }
}

type CandleStrategyConstructor<Values, S> = (abstract new (
  context: StrategyContext,
) => CandleDrivenStrategy<Values> & WithState<S>) &
  StrategyMark;

/**
 * Makes the base class of a candle-style strategy with these parameters and this kept state.
 *
 * @example see strategies/sma-crossover/sma-crossover.strategy.ts
 */
export function CandleStrategy<
  const D extends ParameterDeclarations = Readonly<Record<string, never>>,
  S = undefined,
>(
  parameters: D = {} as D,
  options: StrategyRequirements & StateOptions<S> = {},
): CandleStrategyConstructor<ParameterValues<D>, S> {
  requireDeclarations('CandleStrategy', parameters);
  requireKeys('CandleStrategy', options, STRATEGY_OPTIONS, 'E_PARAMETER_DECLARATION');
  abstract class DeclaredCandleStrategy extends CandleDrivenStrategy<ParameterValues<D>> {
    static readonly [STRATEGY]: StrategyDefinition = {
      parameters,
      requirements: options,
      state: declareState(options),
    };
  }
  // The engine provides values of the declared types.
  return DeclaredCandleStrategy as CandleStrategyConstructor<ParameterValues<D>, S>;
}
