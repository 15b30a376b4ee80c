import type { EnterIntent } from '../../domain/index.js';
import type { AccountView } from './account-view.js';
import {
  canceledRefusal,
  leavingRefusal,
  outdatedRefusal,
  protectionRefusal,
  rivalRefusal,
  supersededRefusal,
} from './order-refusals.js';
import type { Exits } from './exits.js';
import { NO_EXITS } from './failed-exits.js';
import { createGuard, entryPriceBy, findWrongSide, type GuardProblem } from './guards/guard.js';
import type { OwnOrders } from './own-orders.js';
import { mayWaitOn, type WaitingIntents } from './waiting-intents.js';
import type { TimeSlices } from './worked/time-slices.js';
import {
  hasRemainder,
  isDust,
  isRest,
  isEntering,
  isIdle,
  isLeaving,
  type PositionSide,
  type PositionSides,
} from './position-side.js';

interface EntriesOptions {
  readonly ownOrders: OwnOrders;
  readonly exits: Exits;
  readonly waiting: WaitingIntents;
  readonly slices: TimeSlices;
  readonly nextIntentId: () => number;
}

/**
 * Opens positions. If only one side of an instrument can be held, an entry on the other side is a flip: the held side is left, and the entry
 * is sent after the exit has ended (DESIGN §7).
 */
export class Entries {
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  readonly #exits: Exits;
  readonly #waiting: WaitingIntents;
  readonly #slices: TimeSlices;
  readonly #nextIntentId: () => number;

  constructor({ ownOrders, exits, waiting, slices, nextIntentId }: EntriesOptions) {
    this.#ownOrders = ownOrders;
    this.#waiting = waiting;
    this.#slices = slices;
    this.#account = ownOrders.account;
    this.#exits = exits;
    this.#nextIntentId = nextIntentId;
  }

  /** Does nothing while the side is held or being entered, unless the intent adds to it. */
  enter(positionSide: PositionSide, intentId: number, intent: EnterIntent): void {
    const { rival } = positionSide;
    positionSide.failedExits = NO_EXITS;
    // The newest intent counts: an entry that waits to open the other side is dropped.
    if (rival !== undefined) this.withdraw(rival, supersededRefusal);
    if (this.#isThere(positionSide) && intent.add !== true) return;
    if (isLeaving(positionSide) || hasRemainder(positionSide, 'exit')) {
      this.#ownOrders.refuse(
        positionSide,
        intentId,
        intent,
        leavingRefusal(positionSide.instrumentId),
      );
      return;
    }
    const problem = this.#problemOf(positionSide, intent);
    if (problem !== undefined) {
      this.#ownOrders.refuse(positionSide, intentId, intent, protectionRefusal(problem));
      return;
    }
    if (rival !== undefined && !(isIdle(rival) && !this.#account.isHeld(rival))) {
      this.withdraw(positionSide, supersededRefusal);
      this.#waiting.setEntry(positionSide, { intentId, intent, since: this.#account.now });
      this.#leave(rival, intent.label);
      // If the exit sent no order, no end of an order will follow.
      this.settled(rival);
    } else {
      this.#send(positionSide, intentId, intent);
    }
  }

  /** Finds a problem of the protection or the bracket at the last price, or at the limit if the order would fill there. */
  #problemOf(positionSide: PositionSide, intent: EnterIntent): GuardProblem | undefined {
    const { direction, limitPrice } = intent;
    const protection = intent.protection ?? intent.bracket;
    if (protection === undefined) return undefined;
    const last = this.#account.lastPrice(positionSide.instrumentId);
    if (last === undefined) return undefined;
    const checked = createGuard(protection, last, direction);
    if (checked.kind === 'problem') return checked.problem;
    return findWrongSide(protection, entryPriceBy(limitPrice, last, direction), direction);
  }

  /** Whether {@link enter} would do nothing. */
  changesNothing({ long, short }: PositionSides, { add, direction }: EnterIntent): boolean {
    const positionSide = direction === 'long' ? long : short;
    // A plugin may be JavaScript and name a side that does not exist.
    if (add === true || positionSide.direction !== direction || !this.#isThere(positionSide))
      return false;
    if (positionSide.failedExits.length > 0) return false;
    return positionSide.rival?.waiting === undefined;
  }

  /** `label`: that of the entry for which the side is left. */
  #leave(rival: PositionSide, label: string | undefined): void {
    const { instrumentId: instrument, direction } = rival;
    this.#exits.exit(rival, {
      intentId: this.#nextIntentId(),
      intent: { kind: 'exit', instrument, direction, ...(label !== undefined && { label }) },
      role: 'flip',
      withdrawsEntries: true,
    });
  }

  /** Call at a new candle. Drops a waiting entry that has a price, because the price belongs to the candle before. */
  dropOutdated(positionSide: PositionSide): void {
    const { waiting } = positionSide;
    if (waiting !== undefined && !mayWaitOn(waiting.intent))
      this.withdraw(positionSide, outdatedRefusal);
  }

  /** Drops a waiting entry. By default the refusal says that it was canceled. */
  withdraw(positionSide: PositionSide, refusalOf = canceledRefusal): void {
    const entry = this.#waiting.takeEntry(positionSide);
    if (entry === undefined) return;
    const { intentId, intent } = entry;
    this.#ownOrders.refuse(positionSide, intentId, intent, refusalOf(positionSide.instrumentId));
  }

  /** Call after an order has ended on a side. Sends the entry that waits for the side to be left, or refuses it if the side is still held. */
  settled(positionSide: PositionSide): void {
    const { rival } = positionSide;
    const waiting = rival?.waiting;
    if (rival === undefined || waiting === undefined || !isIdle(positionSide)) return;
    this.#waiting.takeEntry(rival);
    const { intentId, intent } = waiting;
    if (this.#account.isHeld(positionSide))
      this.#ownOrders.refuse(rival, intentId, intent, rivalRefusal(positionSide));
    else this.#send(rival, intentId, intent);
  }

  #send(positionSide: PositionSide, intentId: number, intent: EnterIntent): void {
    const planned = { intentId, intent, role: 'entry', size: intent.size } as const;
    if (intent.work === undefined || !this.#slices.takes(positionSide, planned))
      this.#ownOrders.propose(positionSide, planned);
  }

  #isThere(positionSide: PositionSide): boolean {
    return (
      isEntering(positionSide) ||
      (this.#account.isHeld(positionSide) && !isDust(positionSide) && !isRest(positionSide))
    );
  }
}
