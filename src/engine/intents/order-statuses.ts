import { Observable, Subject } from 'rxjs';
import type { Order } from '../../domain/index.js';
import type { OrderManager } from '../orders/order-manager.js';
import { refersTo } from '../orders/position-side.js';
import type { WorkingOrder } from '../orders/working/working-order.js';
import type { IntentQueue } from './intent-queue.js';

/** Streams of the orders of single intents. A stream is created on request; without a request, nothing is done. */
export class OrderStatuses {
  readonly #intents: IntentQueue;
  readonly #orderManager: OrderManager;
  readonly #subjects = new Map<number, Subject<Order>>();
  /** Intents with news since the last {@link review}. */
  readonly #touched = new Set<number>();
  /** Intents without a working order that still wait or have a quantity to send: when that is given up, no order changes. */
  readonly #withoutOrders = new Set<number>();
  /** Whether any stream of an intent has a subscriber. */
  areHeard = false;

  constructor(intents: IntentQueue, orderManager: OrderManager) {
    this.#intents = intents;
    this.#orderManager = orderManager;
  }

  /** The orders of an intent that may still fill, oldest first. */
  ordersOf(intentId: number): readonly WorkingOrder[] {
    return this.#orderManager.ownOrders.referenced({ intentId });
  }

  /** Cold: begins with the working orders of the intent, and completes once no order of it works and nothing of it waits. */
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
        this.areHeard = true;
      }
      const heard = subject;
      const subscription = heard.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        if (!heard.observed) this.#forget(intentId);
      };
    });
  }

  changed(order: WorkingOrder, snapshot: Order): void {
    const { origin, request } = order;
    this.#tell(origin, snapshot);
    // The new order also belongs to the intent that replaced the earlier order.
    if (request.intentId !== origin) this.#tell(request.intentId, snapshot);
  }

  #tell(intentId: number, snapshot: Order): void {
    this.#subjects.get(intentId)?.next(snapshot);
    this.touch(intentId);
  }

  /** Notes news of an intent, which may be its last. */
  touch(intentId: number): void {
    if (this.#subjects.has(intentId)) this.#touched.add(intentId);
  }

  /** Completes the streams of intents that have ended. Subscribers may raise intents, which belong to this event. */
  review(): void {
    for (const intentId of [...this.#withoutOrders, ...this.#touched]) {
      this.#touched.delete(intentId);
      if (!this.#isAlive(intentId)) this.#complete(intentId);
    }
  }

  /** Call at the end of the run. */
  complete(): void {
    for (const intentId of this.#subjects.keys()) this.#complete(intentId);
  }

  #complete(intentId: number): void {
    const subject = this.#subjects.get(intentId);
    this.#forget(intentId);
    this.#withoutOrders.delete(intentId);
    subject?.complete();
  }

  #forget(intentId: number): void {
    this.#subjects.delete(intentId);
    this.areHeard = this.#subjects.size > 0;
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
