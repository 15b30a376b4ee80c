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
  /** Intents of which a part is still to be sent: nothing is said of them when that is given up. */
  readonly #inParts = new Set<number>();

  constructor(intents: IntentQueue, orderManager: OrderManager) {
    this.#intents = intents;
    this.#orderManager = orderManager;
  }

  get areHeard(): boolean {
    return this.#subjects.size > 0;
  }

  /** The orders of an intent that may still fill, oldest first. */
  ordersOf(intentId: number): readonly WorkingOrder[] {
    return this.#orderManager.ownOrders.meant((one) => refersTo({ intentId }, one));
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
    this.#subjects.get(order.origin)?.next(snapshot);
    this.touch(order.origin);
  }

  /** Something was said of an intent, which may have been the last. */
  touch(intentId: number): void {
    if (this.#subjects.has(intentId)) this.#touched.add(intentId);
  }

  /** Completes the streams of what has ended. What listens may raise intents: they belong to this event. */
  review(): void {
    for (const intentId of [...this.#inParts, ...this.#touched]) {
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
    this.#inParts.delete(intentId);
    subject?.complete();
  }

  /** Whether anything works, waits or is to be sent again for an intent. */
  #isAlive(intentId: number): boolean {
    const { waiting, targets, ownOrders } = this.#orderManager;
    if (this.#intents.awaits(intentId) || waiting.has(intentId) || targets.has(intentId))
      return true;
    for (const { remainders } of ownOrders.account.positionSides())
      for (const rest of remainders.values())
        if (refersTo({ intentId }, rest)) {
          this.#inParts.add(intentId);
          return true;
        }
    this.#inParts.delete(intentId);
    return this.ordersOf(intentId).length > 0;
  }
}
