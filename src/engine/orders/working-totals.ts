import type { Fixed } from '../../domain/index.js';
import type { OrderTotals, WorkingOrder } from './working-order.js';

/** A question about an order; a function of the order alone, written down once, by which what was counted is found again. */
export type OrderQuestion = (order: WorkingOrder) => boolean;

/** Something to be added up. It changes only when the status of the order does, or what of it may still fill. */
export type OrderAmount = (order: WorkingOrder) => Fixed;

export const remainingOf: OrderAmount = ({ remaining }) => remaining;

/** Orders of which a question is true, with what of each was added up. They are in order of age as long as their answers do not change. */
interface Counted {
  readonly isMeant: OrderQuestion;
  readonly amountOf: OrderAmount;
  readonly orders: Map<WorkingOrder, Fixed>;
  sum: Fixed;
}

/** What many working orders come to, question by question: counted when it is first asked, then with each change of an order, so that nobody looks through all of them. */
export class WorkingTotals implements OrderTotals {
  readonly #working: ReadonlyMap<unknown, WorkingOrder>;
  readonly #counted: Counted[] = [];

  constructor(working: ReadonlyMap<unknown, WorkingOrder>) {
    this.#working = working;
    for (const order of working.values()) order.totals = this;
  }

  /** Those of which it is true. */
  those(isMeant: OrderQuestion): ReadonlyMap<WorkingOrder, Fixed> {
    return this.#of(isMeant, remainingOf).orders;
  }

  /** Of those of which it is true; with one question always the same amount. */
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
