import type { Observable } from 'rxjs';
import type { DecimalInput, Order } from '../domain/index.js';
import type { StrategyContext } from './context.js';
import { cancel, replace } from './intents.js';

/**
 * One intent of a strategy, with the orders that serve it and those that replace them. It stands wherever an {@link OrderReference} does:
 * `this.cancel(bid)`. What a strategy keeps over a restart is its number, of which `this.handleOf(number)` makes one again.
 */
export class OrderHandle {
  /** The intent's number; it stays the same when its order is replaced. */
  readonly intentId: number;
  readonly #context: StrategyContext;

  constructor(context: StrategyContext, intentId: number) {
    this.intentId = intentId;
    this.#context = context;
  }

  /** Its orders that may still fill, oldest first; none before the intent has been judged. */
  get orders(): readonly Order[] {
    return this.#context.ordersOf(this.intentId);
  }

  /**
   * Its orders as they are when it is subscribed to, then each change of one. Completes when nothing works or waits for the intent any more, also where it
   * was refused or changed nothing, or when the run ends; never errors. What was wrong is told by the verdict.
   */
  get status$(): Observable<Order> {
    return this.#context.statusOf(this.intentId);
  }

  /** Withdraws what works and waits of it. Returns the number of the intent to do so. */
  cancel(): number {
    return this.#context.raise(cancel({ intentId: this.intentId }));
  }

  /** Moves its working LIMIT order to new terms: it is canceled, and when its end is known, what was left of it is sent. Returns the number of that intent. */
  replace(terms: {
    readonly limitPrice?: DecimalInput;
    /** New total; what has been filled counts toward it. */
    readonly quantity?: DecimalInput;
  }): number {
    return this.#context.raise(replace({ intentId: this.intentId }, terms));
  }
}
