import type { Halt } from '../domain/index.js';
import { ORDERED_FLATTEN, STOP_FLATTEN } from './orders/failed-exits.js';
import type { OrderManager } from './orders/order-manager.js';
import type { EngineEvent } from './events.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { Protections } from './protections.js';

/** Actions of halts and of the operator's commands besides refusing entries: withdraw entries, or leave every position. */
export class HaltActions {
  readonly #orderManager: OrderManager;
  readonly #protections: Protections;
  readonly #portfolio: Portfolio;
  readonly #nextIntentId: () => number;
  /** Halts whose action is still to be taken, after the whole event has been learned. */
  readonly untaken: Halt[] = [];
  #ordersBeforeFlatten = 0;

  constructor(options: {
    readonly orderManager: OrderManager;
    readonly protections: Protections;
    readonly portfolio: Portfolio;
    readonly nextIntentId: () => number;
  }) {
    this.#orderManager = options.orderManager;
    this.#protections = options.protections;
    this.#portfolio = options.portfolio;
    this.#nextIntentId = options.nextIntentId;
  }

  get hasOrderedSinceFlatten(): boolean {
    return this.#orderManager.ownOrders.orders.added > this.#ordersBeforeFlatten;
  }

  restore(hasOrderedSinceFlatten: boolean): void {
    this.#ordersBeforeFlatten =
      this.#orderManager.ownOrders.orders.added - (hasOrderedSinceFlatten ? 1 : 0);
  }

  obey(event: Extract<EngineEvent, { readonly kind: 'operator' }>): void {
    const { time } = event;
    switch (event.action) {
      case 'flatten': {
        const label = this.#protections.isFlattening(time) ? ORDERED_FLATTEN : STOP_FLATTEN;
        this.#orderManager.flatten(this.#nextIntentId(), undefined, label);
        break;
      }
      case 'withdraw':
        this.#orderManager.withdrawals.all();
        break;
      case 'halt': {
        const command = { kind: 'halt', action: event.onHalt, text: event.text } as const;
        this.#protections.take({ kind: 'operator', time, command });
        break;
      }
      case 'clear-triggers':
        break;
      case 'resume':
        this.#dropStopFlatten();
        this.#protections.take({ kind: 'operator', time, command: { kind: 'resume' } });
        break;
      case 'reduce-only':
      case 'restart-strategy':
        this.#protections.take({ kind: 'operator', time, command: { kind: event.action } });
        break;
    }
  }

  #dropStopFlatten(): void {
    const { ownOrders, waiting } = this.#orderManager;
    for (const positionSide of ownOrders.account.positionSides())
      waiting.takeFailed(
        positionSide,
        ({ role, intent }) => role === 'flatten' && intent.label === STOP_FLATTEN,
      );
  }

  take(): void {
    for (const { action } of this.untaken.splice(0)) {
      if (action === 'cancel') this.#orderManager.withdrawals.entries();
      else if (action === 'flatten') this.#flatten();
    }
  }

  /** Repeats the exits of a halt that flattens, if they filled only in part; not if risk refused to send more. */
  goOn(): void {
    const isLeftOver =
      this.#portfolio.isExposed &&
      this.hasOrderedSinceFlatten &&
      this.#orderManager.ownOrders.list().length === 0;
    if (isLeftOver) this.#flatten();
  }

  #flatten(): void {
    this.#ordersBeforeFlatten = this.#orderManager.ownOrders.orders.added;
    this.#orderManager.flatten(this.#nextIntentId(), undefined, ORDERED_FLATTEN);
  }
}
