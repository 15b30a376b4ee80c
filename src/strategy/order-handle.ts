import type { Observable } from 'rxjs';
import type { DecimalInput, Order } from '../domain/index.js';
import type { StrategyContext } from './context.js';
import { cancel, replace } from './intents.js';

/**
 * One intent of a strategy, with its orders and the orders that replaced them. It may be passed as an {@link OrderReference}:
 * `this.cancel(bid)`. To keep it over a restart, keep its number in the state: `this.handleOf(number)` returns a handle again.
 */
export class OrderHandle {
  /** The intent's number; it stays the same when its order is replaced. */
  readonly intentId: number;
  readonly #context: StrategyContext;

  constructor(context: StrategyContext, intentId: number) {
    this.intentId = intentId;
    this.#context = context;
  }

  /** Its orders that may still fill, oldest first; empty before the intent is judged. */
  get orders(): readonly Order[] {
    return this.#context.ordersOf(this.intentId);
  }

  /**
   * Emits the working orders upon subscription, then each change of an order. Completes when no order of the intent works or waits any more (also if the
   * intent was refused or changed nothing), or when the run ends; never errors. The verdict tells why an intent was refused.
   */
  get status$(): Observable<Order> {
    return this.#context.statusOf(this.intentId);
  }

  /** Withdraws its working and waiting orders. Returns the number of the cancel intent. */
  cancel(): number {
    return this.#context.raise(cancel({ intentId: this.intentId }));
  }

  /** Moves its working LIMIT order to new terms: cancels it, and sends the remaining quantity once its end is known. Returns the number of the replace intent. */
  replace(terms: {
    readonly limitPrice?: DecimalInput | undefined;
    /** New total, including the quantity already filled. */
    readonly quantity?: DecimalInput | undefined;
  }): number {
    return this.#context.raise(replace({ intentId: this.intentId }, terms));
  }
}
