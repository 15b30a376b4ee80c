import type { EnterIntent } from '../../domain/index.js';
import type { AccountView, SlotPair } from './account-view.js';
import { leavingRefusal, protectionRefusal, rivalRefusal } from './order-refusals.js';
import type { Exits } from './exits.js';
import { createGuard, type GuardProblem } from './guard.js';
import type { OrderBook } from './order-book.js';
import { hasRest, isEntering, isIdle, isLeaving, type Slot } from './slot.js';

/**
 * Opens positions. Where only one side of an instrument can be held, an entry on the other side is a flip: the one is left, its end
 * awaited, then the other opened (DESIGN §7).
 */
export class Entries {
  readonly #book: OrderBook;
  readonly #account: AccountView;
  readonly #exits: Exits;
  readonly #nextIntentId: () => number;

  constructor(book: OrderBook, exits: Exits, nextIntentId: () => number) {
    this.#book = book;
    this.#account = book.account;
    this.#exits = exits;
    this.#nextIntentId = nextIntentId;
  }

  /** Does nothing while the side is held or being entered, unless the intent adds to it. */
  enter(slot: Slot, intentId: number, intent: EnterIntent): void {
    const rival = this.#account.rival(slot);
    // The newest wish counts: what waits to open the other side once this one is left waits no longer.
    if (rival !== undefined) rival.waiting = undefined;
    if (this.#isThere(slot) && intent.add !== true) return;
    if (isLeaving(slot) || hasRest(slot, 'exit')) {
      this.#book.refuse(slot, intentId, intent, leavingRefusal(slot.instrumentId));
      return;
    }
    const problem = this.#problemOf(slot, intent);
    if (problem !== undefined) {
      this.#book.refuse(slot, intentId, intent, protectionRefusal(problem));
      return;
    }
    if (rival !== undefined && !(isIdle(rival) && !this.#account.isHeld(rival))) {
      slot.waiting = { intentId, intent };
      this.#leave(rival);
    } else {
      this.#book.propose(slot, { intentId, intent, role: 'entry', size: intent.size });
    }
  }

  /** What is wrong with the protection at the last price. */
  #problemOf(slot: Slot, { protection, direction }: EnterIntent): GuardProblem | undefined {
    if (protection === undefined) return undefined;
    const last = this.#account.lastPrice(slot.instrumentId);
    const checked = last === undefined ? undefined : createGuard(protection, last, direction);
    return checked?.kind === 'problem' ? checked.problem : undefined;
  }

  /** Whether {@link enter} would do nothing. */
  changesNothing({ long, short }: SlotPair, { add, direction }: EnterIntent): boolean {
    const slot = direction === 'long' ? long : short;
    // A plugin may be JavaScript and name a side that there is not.
    if (add === true || slot.direction !== direction || !this.#isThere(slot)) return false;
    return this.#account.rival(slot)?.waiting === undefined;
  }

  #leave(rival: Slot): void {
    const { instrumentId: instrument, direction } = rival;
    this.#exits.exit(rival, {
      intentId: this.#nextIntentId(),
      intent: { kind: 'exit', instrument, direction, label: 'flip' },
      role: 'exit',
    });
  }

  /** After something has ended on a side: the entry that waits for it to be left goes on, or is refused where it was not left. */
  settled(slot: Slot): void {
    const rival = this.#account.rival(slot);
    const waiting = rival?.waiting;
    if (rival === undefined || waiting === undefined || !isIdle(slot)) return;
    rival.waiting = undefined;
    const { intentId, intent } = waiting;
    if (this.#account.isHeld(slot)) this.#book.refuse(rival, intentId, intent, rivalRefusal(slot));
    else this.#book.propose(rival, { intentId, intent, role: 'entry', size: intent.size });
  }

  #isThere(slot: Slot): boolean {
    return this.#account.isHeld(slot) || isEntering(slot);
  }
}
