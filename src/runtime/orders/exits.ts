import type { ExitIntent } from '../../domain/index.js';
import type { AccountView, SlotPair } from './account-view.js';
import type { OrderBook } from './order-book.js';
import { forgetRests, isIdle, isLeaving, leavesAll, type ExitJob, type Slot } from './slot.js';

const ALL = { all: true } as const;

/** Leaves positions: an exit waits for the end of whatever works on its side (DESIGN R9). */
export class Exits {
  readonly #book: OrderBook;
  readonly #account: AccountView;
  /** Called when risk has refused to send an exit. */
  readonly #onRefused: (slot: Slot) => void;

  constructor(book: OrderBook, onRefused: (slot: Slot) => void) {
    this.#book = book;
    this.#account = book.account;
    this.#onRefused = onRefused;
  }

  /**
   * Leaves a position once whatever works on this side has ended. Does nothing when there is nothing, or it is being left as a whole
   * already; what leaves it as a whole takes the place of what only would have left a part, or at a limit.
   */
  exit(slot: Slot, job: ExitJob): void {
    if (!this.#hasNothing(slot)) this.#leave(slot, job);
  }

  #leave(slot: Slot, job: ExitJob): void {
    if (isLeaving(slot) || (slot.exitJob !== undefined && !leavesAll(job.intent))) {
      this.makeWay(slot);
      return;
    }
    forgetRests(slot);
    if (slot.working.size > 0) {
      slot.exitJob = job;
      this.makeWay(slot);
    } else if (this.#account.isHeld(slot)) {
      this.#send(slot, job);
    }
  }

  /** Cancels what an exit waits for, also again where a cancel was refused and the order works on. */
  makeWay(slot: Slot): void {
    if (slot.exitJob !== undefined) for (const order of slot.working.all) this.#book.cancel(order);
  }

  /** Sends the exit that waits, once nothing works any more. */
  goOn(slot: Slot): void {
    const job = slot.exitJob;
    if (job === undefined || slot.working.size > 0) return;
    if (this.#account.isHeld(slot)) this.#send(slot, job);
    else slot.exitJob = undefined;
  }

  #send(slot: Slot, { intentId, intent, role }: ExitJob): void {
    slot.exitJob = undefined;
    const size = intent.size ?? ALL;
    if (this.#book.propose(slot, { intentId, intent, role, size })) return;
    if (role === 'stop') slot.stopFailed = true;
    this.#onRefused(slot);
  }

  /** Leaves whichever side is held of an instrument, or the one that the intent names; what waits to enter there is given up. */
  exitWhereHeld(instrumentId: Slot['instrumentId'], intentId: number, intent: ExitIntent): void {
    const { direction } = intent;
    if (direction !== undefined) {
      this.#exitSide(this.#account.slot(instrumentId, direction), intentId, intent);
      return;
    }
    const { long, short } = this.#account.sides(instrumentId);
    this.#exitSide(long, intentId, intent);
    this.#exitSide(short, intentId, intent);
  }

  #exitSide(slot: Slot, intentId: number, intent: ExitIntent): void {
    slot.waiting = undefined;
    // A strategy may say on every candle that it wants out: having nothing must cost nothing.
    if (!this.#hasNothing(slot)) this.#leave(slot, { intentId, intent, role: 'exit' });
  }

  /** Whether {@link exitWhereHeld} would do nothing. */
  changesNothing({ long, short }: SlotPair, { direction }: ExitIntent): boolean {
    if (direction === undefined) return this.#isLeft(long) && this.#isLeft(short);
    const slot = direction === 'long' ? long : short;
    // A plugin may be JavaScript and name a side that there is not.
    return slot.direction === direction && this.#isLeft(slot);
  }

  #isLeft(slot: Slot): boolean {
    return slot.waiting === undefined && this.#hasNothing(slot);
  }

  #hasNothing(slot: Slot): boolean {
    return isIdle(slot) && !this.#account.isHeld(slot);
  }
}
