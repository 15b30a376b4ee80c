import type { InstrumentId, OrderReference } from '../../domain/index.js';
import type { AccountView } from './account-view.js';
import type { Entries } from './entries.js';
import type { Exits } from './exits.js';
import { giveUpRests } from './give-up-rests.js';
import { canceledRefusal, closedRefusal } from './order-refusals.js';
import type { OwnOrders } from './own-orders.js';
import { isUnended } from './working/order-questions.js';
import { isRival, refersTo, type PositionSide, type Wanted } from './position-side.js';
import type { Targets } from './targets/targets.js';
import type { WorkingOrder } from './working/working-order.js';

/** Withdraws orders with their replacements, waiting intents, and remaining quantities. */
export class Withdrawals {
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  readonly #entries: Entries;
  readonly #exits: Exits;
  readonly #targets: Targets;

  constructor(ownOrders: OwnOrders, entries: Entries, exits: Exits, targets: Targets) {
    this.#ownOrders = ownOrders;
    this.#account = ownOrders.account;
    this.#entries = entries;
    this.#exits = exits;
    this.#targets = targets;
  }

  /** Withdraws all that a strategy refers to. */
  referenced(target: OrderReference): void {
    this.#those((one) => refersTo(target, one), this.#ownOrders.referenced(target));
  }

  /** Withdraws the others of an OCO group of which an order was filled. */
  othersOf(filled: WorkingOrder, group: string): void {
    const isMeant = (one: Wanted): boolean => isRival(filled, one);
    this.#those(isMeant, this.#ownOrders.meant(isMeant, this.#ownOrders.ofGroup(group)));
  }

  /** Repeats the cancel of orders that should have ended but work on. */
  again(instrumentId: InstrumentId): void {
    for (const order of this.#ownOrders.list(instrumentId))
      if (isUnended(order)) this.#ownOrders.cancel(order);
  }

  /** Withdraws all that would open or add to a position. */
  entries(): void {
    this.#targets.withdraw();
    const isOfEntry = ({ role }: Wanted): boolean => role === 'entry';
    for (const positionSide of this.#account.positionSides()) {
      this.#entries.withdraw(positionSide);
      giveUpRests(this.#ownOrders, positionSide, canceledRefusal, isOfEntry);
    }
    for (const order of this.#ownOrders.list())
      if (order.request.action === 'open') this.#ownOrders.withdraw(order);
  }

  /** Withdraws the exits of a position that is closed, and what was still to be sent of it. */
  ofClosed(positionSide: PositionSide): void {
    giveUpRests(this.#ownOrders, positionSide, (id, { intent }) =>
      intent.kind === 'exit' ? closedRefusal(id) : canceledRefusal(id),
    );
    for (const order of positionSide.working.all)
      if (order.request.action === 'close') this.#ownOrders.withdraw(order, closedRefusal);
  }

  all(): void {
    this.#targets.withdraw();
    for (const positionSide of this.#account.positionSides()) {
      this.#entries.withdraw(positionSide);
      this.#exits.withdraw(positionSide);
      giveUpRests(this.#ownOrders, positionSide, canceledRefusal);
    }
    for (const order of this.#ownOrders.list()) this.#ownOrders.withdraw(order);
  }

  #those(isMeant: (one: Wanted) => boolean, orders: readonly WorkingOrder[]): void {
    this.#targets.withdraw(canceledRefusal, isMeant);
    for (const order of orders) this.#ownOrders.withdraw(order);
    for (const positionSide of this.#account.positionSides()) {
      const { waiting } = positionSide;
      if (waiting !== undefined && isMeant({ ...waiting, role: 'entry' }))
        this.#entries.withdraw(positionSide);
      this.#exits.withdraw(positionSide, canceledRefusal, isMeant);
      giveUpRests(this.#ownOrders, positionSide, canceledRefusal, isMeant);
    }
  }
}
