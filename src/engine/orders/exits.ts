import type { ExitIntent } from '../../domain/index.js';
import type { AccountView, PositionSides } from './account-view.js';
import type { OwnOrders } from './own-orders.js';
import {
  forgetRemainders,
  isIdle,
  isLeaving,
  leavesAll,
  type ExitJob,
  type PositionSide,
} from './position-side.js';

const ALL = { all: true } as const;

/** Leaves positions: an exit waits for the end of whatever works on its side (DESIGN R9). */
export class Exits {
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  /** Called when risk has refused to send an exit. */
  readonly #onRefused: (positionSide: PositionSide) => void;

  constructor(ownOrders: OwnOrders, onRefused: (positionSide: PositionSide) => void) {
    this.#ownOrders = ownOrders;
    this.#account = ownOrders.account;
    this.#onRefused = onRefused;
  }

  /**
   * Leaves a position once whatever works on this side has ended. Does nothing when there is nothing, or it is being left as a whole
   * already; what leaves it as a whole takes the place of what only would have left a part, or at a limit.
   */
  exit(positionSide: PositionSide, job: ExitJob): void {
    if (!this.#hasNothing(positionSide)) this.#leave(positionSide, job);
  }

  #leave(positionSide: PositionSide, job: ExitJob): void {
    if (isLeaving(positionSide) || (positionSide.exitJob !== undefined && !leavesAll(job.intent))) {
      this.makeWay(positionSide);
      return;
    }
    forgetRemainders(positionSide);
    if (positionSide.working.size > 0) {
      positionSide.exitJob = job;
      this.makeWay(positionSide);
    } else if (this.#account.isHeld(positionSide)) {
      this.#send(positionSide, job);
    }
  }

  /** Cancels what an exit waits for, also again where a cancel was refused and the order works on. */
  makeWay(positionSide: PositionSide): void {
    if (positionSide.exitJob !== undefined)
      for (const order of positionSide.working.all) this.#ownOrders.cancel(order);
  }

  /** Sends the exit that waits, once nothing works any more. */
  goOn(positionSide: PositionSide): void {
    const job = positionSide.exitJob;
    if (job === undefined || positionSide.working.size > 0) return;
    if (this.#account.isHeld(positionSide)) this.#send(positionSide, job);
    else positionSide.exitJob = undefined;
  }

  #send(positionSide: PositionSide, { intentId, intent, role }: ExitJob): void {
    positionSide.exitJob = undefined;
    const size = intent.size ?? ALL;
    if (this.#ownOrders.propose(positionSide, { intentId, intent, role, size })) return;
    if (role === 'stop') positionSide.stopFailed = true;
    this.#onRefused(positionSide);
  }

  /** Leaves whichever side is held of an instrument, or the one that the intent names; what waits to enter there is given up. */
  exitWhereHeld(
    instrumentId: PositionSide['instrumentId'],
    intentId: number,
    intent: ExitIntent,
  ): void {
    const { direction } = intent;
    if (direction !== undefined) {
      this.#exitSide(this.#account.positionSide(instrumentId, direction), intentId, intent);
      return;
    }
    const { long, short } = this.#account.sides(instrumentId);
    this.#exitSide(long, intentId, intent);
    this.#exitSide(short, intentId, intent);
  }

  #exitSide(positionSide: PositionSide, intentId: number, intent: ExitIntent): void {
    positionSide.waiting = undefined;
    // A strategy may say on every candle that it wants out: having nothing must cost nothing.
    if (!this.#hasNothing(positionSide))
      this.#leave(positionSide, { intentId, intent, role: 'exit' });
  }

  /** Whether {@link exitWhereHeld} would do nothing. */
  changesNothing({ long, short }: PositionSides, { direction }: ExitIntent): boolean {
    if (direction === undefined) return this.#isLeft(long) && this.#isLeft(short);
    const positionSide = direction === 'long' ? long : short;
    // A plugin may be JavaScript and name a side that there is not.
    return positionSide.direction === direction && this.#isLeft(positionSide);
  }

  #isLeft(positionSide: PositionSide): boolean {
    return positionSide.waiting === undefined && this.#hasNothing(positionSide);
  }

  #hasNothing(positionSide: PositionSide): boolean {
    return isIdle(positionSide) && !this.#account.isHeld(positionSide);
  }
}
