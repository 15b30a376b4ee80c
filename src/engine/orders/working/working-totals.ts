import type { Fixed } from '../../../domain/index.js';
import type { OrderTotals, WorkingOrder } from './working-order.js';

/** A question about an order. It depends on the order alone, and must be the same function each time, because totals are found by it. */
export type OrderQuestion = (order: WorkingOrder) => boolean;

/** An amount to add up. It may change only with the status or the remaining quantity of the order. */
export type OrderAmount = (order: WorkingOrder) => Fixed;

export const remainingOf: OrderAmount = ({ remaining }) => remaining;

/** Orders for which a question is true, with the counted amount of each. They are in order of age as long as their answers do not change. */
interface Counted {
  readonly isMeant: OrderQuestion;
  readonly amountOf: OrderAmount;
  readonly orders: Map<WorkingOrder, Fixed>;
  sum: Fixed;
}

/** Totals of many working orders by question. A total is counted on first use, then updated with each change of an order, without a search through all. */
export class WorkingTotals implements OrderTotals {
  readonly #working: ReadonlyMap<unknown, WorkingOrder>;
  readonly #counted: Counted[] = [];

  constructor(working: ReadonlyMap<unknown, WorkingOrder>) {
    this.#working = working;
    for (const order of working.values()) order.totals = this;
  }

  /** Orders for which the question is true. */
  those(isMeant: OrderQuestion): ReadonlyMap<WorkingOrder, Fixed> {
    return this.#of(isMeant, remainingOf).orders;
  }

  /** Sum of an amount over these orders. A question must always come with the same amount. */
  sum(isMeant: OrderQuestion, amountOf: OrderAmount): Fixed {
    return this.#of(isMeant, amountOf).sum;
  }

  add(order: WorkingOrder): void {
    order.totals = this;
    this.changed(order);
  }

  remove(order: WorkingOrder): void {
    order.totals = undefined;
    for (const counted of this.#counted) uncount(counted, order);
  }

  changed(order: WorkingOrder): void {
    for (const counted of this.#counted)
      if (counted.isMeant(order)) count(counted, order);
      else uncount(counted, order);
  }

  #of(isMeant: OrderQuestion, amountOf: OrderAmount): Counted {
    for (const counted of this.#counted) if (counted.isMeant === isMeant) return counted;
    const counted: Counted = { isMeant, amountOf, orders: new Map(), sum: 0n };
    for (const order of this.#working.values()) if (isMeant(order)) count(counted, order);
    this.#counted.push(counted);
    return counted;
  }
}

function count(counted: Counted, order: WorkingOrder): void {
  const amount = counted.amountOf(order);
  counted.sum += amount - (counted.orders.get(order) ?? 0n);
  counted.orders.set(order, amount);
}

function uncount(counted: Counted, order: WorkingOrder): void {
  const before = counted.orders.get(order);
  if (before === undefined) return;
  counted.sum -= before;
  counted.orders.delete(order);
}
