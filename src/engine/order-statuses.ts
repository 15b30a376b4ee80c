import { Observable, Subject } from 'rxjs';
import type { Order } from '../domain/index.js';
import type { IntentQueue } from './intent-queue.js';
import type { OrderManager } from './orders/order-manager.js';
import { refersTo } from './orders/position-side.js';
import type { WorkingOrder } from './orders/working-order.js';

/** Streams of the orders of single intents, made when somebody asks for one: where nobody does, nothing is done. */
export class OrderStatuses {
  readonly #intents: IntentQueue;
  readonly #orderManager: OrderManager;
  readonly #subjects = new Map<number, Subject<Order>>();
  /** Intents of which something was said since the last {@link review}. */
  readonly #touched = new Set<number>();
  /** Intents of which nothing works and something waits or is still to be sent: when that is given up, no order changes. */
  readonly #withoutOrders = new Set<number>();

  constructor(intents: IntentQueue, orderManager: OrderManager) {
    this.#intents = intents;
    this.#orderManager = orderManager;
  }

  get areHeard(): boolean {
    return this.#subjects.size > 0;
  }

  /** The orders of an intent that may still fill, oldest first. */
  ordersOf(intentId: number): readonly WorkingOrder[] {
    return this.#orderManager.ownOrders.referenced({ intentId });
  }

  /** Cold until subscribed to: begins with the orders that work, completes once nothing of the intent works or waits. */
  of(intentId: number): Observable<Order> {
    return new Observable((subscriber) => {
      if (!this.#isAlive(intentId)) {
        subscriber.complete();
        return undefined;
      }
      for (const order of this.ordersOf(intentId)) subscriber.next(order.snapshot());
      let subject = this.#subjects.get(intentId);
      if (subject === undefined) {
        subject = new Subject<Order>();
        this.#subjects.set(intentId, subject);
      }
      const heard = subject;
      const subscription = heard.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        if (!heard.observed) this.#subjects.delete(intentId);
      };
    });
  }

  changed(order: WorkingOrder, snapshot: Order): void {
    const { origin, request } = order;
    this.#tell(origin, snapshot);
    // The intent by which an order was replaced has its new one.
    if (request.intentId !== origin) this.#tell(request.intentId, snapshot);
  }

  #tell(intentId: number, snapshot: Order): void {
    this.#subjects.get(intentId)?.next(snapshot);
    this.touch(intentId);
  }

  /** Something was said of an intent, which may have been the last. */
  touch(intentId: number): void {
    if (this.#subjects.has(intentId)) this.#touched.add(intentId);
  }

  /** Completes the streams of what has ended. What listens may raise intents: they belong to this event. */
  review(): void {
    for (const intentId of [...this.#withoutOrders, ...this.#touched]) {
      this.#touched.delete(intentId);
      if (!this.#isAlive(intentId)) this.#complete(intentId);
    }
  }

  /** The run has ended. */
  complete(): void {
    for (const intentId of this.#subjects.keys()) this.#complete(intentId);
  }

  #complete(intentId: number): void {
    const subject = this.#subjects.get(intentId);
    this.#subjects.delete(intentId);
    this.#withoutOrders.delete(intentId);
    subject?.complete();
  }

  /** Whether anything works, waits or is to be sent again for an intent. */
  #isAlive(intentId: number): boolean {
    const hasOrders = this.ordersOf(intentId).length > 0;
    const waits = !hasOrders && this.#waits(intentId);
    if (waits) this.#withoutOrders.add(intentId);
    else this.#withoutOrders.delete(intentId);
    return hasOrders || waits;
  }

  #waits(intentId: number): boolean {
    const { waiting, targets, ownOrders } = this.#orderManager;
    if (this.#intents.awaits(intentId) || waiting.has(intentId) || targets.has(intentId))
      return true;
    for (const { remainders } of ownOrders.account.positionSides())
      for (const rest of remainders.values()) if (refersTo({ intentId }, rest)) return true;
    return false;
  }
}
