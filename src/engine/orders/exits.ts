import type { EpochMs, ExitIntent, Fixed, OrderIntent, Work } from '../../domain/index.js';
import { readPart } from '../../risk/index.js';
import type { AccountView } from './account-view.js';
import {
  canceledRefusal,
  closedRefusal,
  leavingRefusal,
  outdatedRefusal,
  supersededRefusal,
} from './order-refusals.js';
import { takeProfitsOf } from './brackets/bracket.js';
import type { Dust } from './dust.js';
import { failedExitOf, NO_EXITS } from './failed-exits.js';
import { giveUpRests } from './give-up-rests.js';
import type { OwnOrders } from './own-orders.js';
import {
  isClosingNoMore,
  isEntry,
  isEntryToGiveWay,
  isGivingWay,
  isGivingWayToPart,
  isLeavingAll,
  isSuperseded,
  isTakingEntry,
  isToGiveWay,
  isToGiveWayToPart,
  leavesAll,
} from './working/order-questions.js';
import {
  heldQuantity,
  isLeaving,
  type ExitJob,
  type PositionSide,
  type PositionSides,
} from './position-side.js';
import { mayWaitOn, type WaitingIntents } from './waiting-intents.js';
import type { TimeSlices } from './worked/time-slices.js';
import type { WorkingOrder } from './working/working-order.js';

const ALL = { all: true } as const;

/** An exit before it is known whether it has to wait. */
type WantedExit = Omit<ExitJob, 'since'>;

interface ExitsOptions {
  readonly ownOrders: OwnOrders;
  readonly waiting: WaitingIntents;
  readonly dust: Dust;
  readonly slices: TimeSlices;
  /** Called when risk has refused an exit, or when waiting exits were dropped. */
  readonly onRefused: (positionSide: PositionSide) => void;
}

/**
 * Leaves positions. An exit of the whole position replaces all other exits of its side. It waits until they have ended, and until entries that
 * cannot rest have ended. Resting entries stay, unless the exit withdraws them. An exit of a part works beside other exits. It waits only if the
 * take-profit, or an exit that is being canceled, holds the quantity that it needs (DESIGN R9).
 */
export class Exits {
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  readonly #waiting: WaitingIntents;
  readonly #dust: Dust;
  readonly #slices: TimeSlices;
  readonly #onRefused: (positionSide: PositionSide) => void;

  constructor({ ownOrders, waiting, dust, slices, onRefused }: ExitsOptions) {
    this.#ownOrders = ownOrders;
    this.#account = ownOrders.account;
    this.#waiting = waiting;
    this.#dust = dust;
    this.#slices = slices;
    this.#onRefused = onRefused;
  }

  /** Does nothing if there is nothing to leave, or if the whole position is already being left. */
  exit(positionSide: PositionSide, wanted: WantedExit): void {
    // A stop is no newer intent: it may fail as well, and last may be back before it is tried again.
    if (wanted.role !== 'stop') positionSide.failedExits = NO_EXITS;
    if (wanted.intent.work !== undefined && isWorkedAlike(positionSide, wanted.intent)) return;
    if (wanted.withdrawsEntries && wanted.intent.size !== undefined)
      this.withdrawEntries(positionSide);
    this.#begin(positionSide, wanted);
  }

  /**
   * Cancels the entries of a side, and gives up what of them is still to be sent. An exit of a part does not wait for their end: what they may still add is
   * not in its way.
   */
  withdrawEntries(positionSide: PositionSide): void {
    const { working } = positionSide;
    giveUpRests(this.#ownOrders, positionSide, supersededRefusal, ({ role }) => role === 'entry');
    if (!working.some(isEntryToGiveWay)) return;
    for (const order of working.all)
      if (isEntryToGiveWay(order)) this.#ownOrders.withdraw(order, supersededRefusal);
  }

  #begin(positionSide: PositionSide, wanted: WantedExit): void {
    // Usually no order works, and nothing is in the way.
    if (positionSide.working.size === 0 && positionSide.exitJobs.length === 0) {
      if (wanted.intent.size === undefined && positionSide.remainders.size > 0)
        this.#giveUpRests(positionSide);
      if (this.#account.isHeld(positionSide)) this.#send(positionSide, wanted);
    } else if (!this.#hasNothing(positionSide, wanted.withdrawsEntries))
      this.#leave(positionSide, wanted);
  }

  #leave(positionSide: PositionSide, wanted: WantedExit): void {
    const { intent, intentId } = wanted;
    const mustWithdraw = wanted.withdrawsEntries && positionSide.working.some(isEntry);
    if (isLeaving(positionSide) && !mustWithdraw && this.#isOffered(positionSide)) {
      this.makeWay(positionSide);
      if (intent.size !== undefined) this.#refuse(positionSide, intentId, intent, leavingRefusal);
      else if (wanted.role === 'flatten' && !isAwaited(positionSide))
        // The working exit may end unfilled, and a flatten is not repeated.
        this.#waiting.addExit(positionSide, jobOf(wanted, this.#account.now));
      return;
    }
    const job = jobOf(wanted, this.#account.now);
    if (intent.size === undefined) {
      for (const { intentId: id, intent: before } of this.#waiting.takeExits(
        positionSide,
        () => true,
      ))
        this.#refuse(positionSide, id, before, supersededRefusal);
      this.#giveUpRests(positionSide);
    }
    if (this.#hasWay(positionSide, job)) {
      if (this.#account.isHeld(positionSide)) this.#send(positionSide, job);
      return;
    }
    this.#waiting.addExit(positionSide, job);
    this.#makeWayFor(positionSide, job);
  }

  /** Call after the venue has rejected an order, or it was never sent. An exit is kept, to be tried again. */
  noteRejected(positionSide: PositionSide, order: WorkingOrder): void {
    const job = failedExitOf(positionSide, order, this.#account.now);
    if (job !== undefined) this.#waiting.addFailed(positionSide, job);
  }

  /** Tries exits again that the venue has rejected. A worked one waits for its other legs, and any for a stop that leaves the position. */
  again(positionSide: PositionSide): void {
    if (isLeaving(positionSide) && this.#isOffered(positionSide)) return;
    const jobs = this.#waiting.takeFailed(
      positionSide,
      ({ intent }) => intent.work === undefined || !isWorkedAlike(positionSide, intent),
    );
    for (const job of jobs) this.#begin(positionSide, job);
    this.#waiting.restore(positionSide);
  }

  /** Cancels the orders that exits wait for. Repeats a cancel that was refused. */
  makeWay(positionSide: PositionSide): void {
    for (const job of positionSide.exitJobs) this.#makeWayFor(positionSide, job);
  }

  #makeWayFor(positionSide: PositionSide, job: ExitJob): void {
    const { working } = positionSide;
    if (job.intent.size !== undefined) this.#makeWayForPart(positionSide, job);
    else if (working.some(isToGiveWay) || working.some(isEntryOf(job)))
      for (const order of working.all)
        if (isInWay(order, job)) this.#ownOrders.withdraw(order, supersededRefusal);
  }

  /** Take-profits of brackets are canceled one by one, oldest first, because a sale counts against the oldest bracket. */
  #makeWayForPart(positionSide: PositionSide, job: ExitJob): void {
    const { working, brackets = [] } = positionSide;
    let lacking = this.#lackingFor(positionSide, job) - working.remaining(isGivingWayToPart);
    for (const order of working.those(isToGiveWayToPart)) this.#ownOrders.cancel(order);
    for (const bracket of brackets) {
      if (lacking <= 0n) return;
      for (const order of takeProfitsOf(positionSide, bracket)) {
        if (lacking <= 0n) return;
        lacking -= order.remaining;
        this.#ownOrders.cancel(order);
      }
    }
  }

  /** Whether an order is being canceled for good, because an exit of the whole position replaces it. */
  isGivingWay(positionSide: PositionSide, order: WorkingOrder): boolean {
    return positionSide.exitJobs.some(
      (job) => job.intent.size === undefined && isInWay(order, job),
    );
  }

  /** Sends waiting exits that nothing blocks any more. */
  goOn(positionSide: PositionSide): void {
    for (const job of positionSide.exitJobs) {
      if (!this.#hasWay(positionSide, job)) continue;
      this.#waiting.takeExits(positionSide, (one) => one === job);
      if (job.role === 'flatten') this.#giveUpRests(positionSide);
      if (this.#account.isHeld(positionSide)) this.#send(positionSide, job);
      else if (job.role === 'exit' && !job.withdrawsEntries)
        this.#refuse(positionSide, job.intentId, job.intent, closedRefusal);
    }
  }

  /** Call at a new candle. Drops waiting exits that have a price or are for a part, because they belong to the candle before. */
  dropOutdated(positionSide: PositionSide): void {
    const dropped = this.#waiting.takeExits(positionSide, ({ intent }) => !mayWaitOn(intent));
    for (const { intentId, intent } of dropped)
      this.#refuse(positionSide, intentId, intent, outdatedRefusal);
    this.#waiting.takeFailed(positionSide, ({ intent }) => !mayWaitOn(intent));
    if (dropped.length > 0) this.#onRefused(positionSide);
  }

  /** Drops waiting exits, by default all of the side. By default the refusal says that they were canceled. */
  withdraw(
    positionSide: PositionSide,
    refusalOf = canceledRefusal,
    isMeant: (job: ExitJob) => boolean = () => true,
  ): void {
    this.#waiting.takeFailed(positionSide, isMeant);
    for (const { intentId, intent } of this.#waiting.takeExits(positionSide, isMeant))
      this.#refuse(positionSide, intentId, intent, refusalOf);
  }

  /** Whether an exit can be sent now. An exit of a part can if enough unoffered quantity is left, or if no order is about to free quantity. */
  #hasWay(positionSide: PositionSide, job: ExitJob): boolean {
    if (job.role === 'flatten' && this.#isBeingLeft(positionSide)) return false;
    if (!hasInWay(positionSide, job)) return true;
    return job.intent.size !== undefined && this.#lackingFor(positionSide, job) <= 0n;
  }

  #giveUpRests(positionSide: PositionSide): void {
    giveUpRests(this.#ownOrders, positionSide, supersededRefusal);
  }

  /** Quantity that an exit of a part needs beyond the unoffered quantity; 0 or less if there is enough. */
  #lackingFor(positionSide: PositionSide, { intent: { size } }: ExitJob): Fixed {
    const held = heldQuantity(positionSide, this.#account.rules(positionSide));
    const asked = size === undefined ? held : readPart(size, held);
    // Risk refuses a size that cannot be read.
    return typeof asked === 'bigint' ? asked - this.#unoffered(positionSide) : 0n;
  }

  /** Whether exits offer the whole position, or will once waiting exits are sent. */
  #isOffered(positionSide: PositionSide): boolean {
    return isAwaited(positionSide) || this.#offersAll(positionSide);
  }

  /** Whether an exit of the whole position at any price works, and working exits offer all of it. */
  #isBeingLeft(positionSide: PositionSide): boolean {
    const { working } = positionSide;
    return working.some(isLeavingAll) && this.#offersAll(positionSide);
  }

  #offersAll(positionSide: PositionSide): boolean {
    const step = this.#account.rules(positionSide)?.step ?? 1n;
    // An order that is being canceled may leave its quantity unsold.
    const leaving = positionSide.working.remaining(isClosingNoMore);
    return this.#unoffered(positionSide) + leaving < step;
  }

  /** Held quantity that no working exit offers. */
  #unoffered(positionSide: PositionSide): Fixed {
    const { instrumentId, direction } = positionSide;
    const held = heldQuantity(positionSide, this.#account.rules(positionSide));
    return held - this.#account.closing(instrumentId, direction);
  }

  #send(positionSide: PositionSide, { intentId, intent, role, parent }: WantedExit): void {
    const planned = { intentId, intent, role, parent, size: intent.size ?? ALL };
    if (intent.work !== undefined && this.#slices.takes(positionSide, planned)) return;
    if (this.#ownOrders.propose(positionSide, planned)) return;
    if (role === 'stop') positionSide.stopFailed = true;
    this.#dust.note(positionSide);
    this.#onRefused(positionSide);
  }

  #refuse(
    positionSide: PositionSide,
    intentId: number,
    intent: WorkingOrder['intent'],
    refusalOf: typeof leavingRefusal,
  ): void {
    this.#ownOrders.refuse(positionSide, intentId, intent, refusalOf(positionSide.instrumentId));
  }

  /** Leaves each held side of an instrument, or only the side that the intent names. An entry that waits there is dropped. */
  exitWhereHeld(
    instrumentId: PositionSide['instrumentId'],
    intentId: number,
    intent: ExitIntent,
    role: 'exit' | 'flatten' = 'exit',
  ): void {
    const withdrawsEntries = role === 'flatten' || intent.cancelEntries === true;
    const wanted = { intentId, intent, role, withdrawsEntries } as const;
    const { direction } = intent;
    if (direction !== undefined) {
      this.#exitSide(this.#account.positionSide(instrumentId, direction), wanted);
      return;
    }
    const { long, short } = this.#account.sides(instrumentId);
    this.#exitSide(long, wanted);
    // Spot has long positions only.
    if (short.account.instrument.kind !== 'spot') this.#exitSide(short, wanted);
  }

  #exitSide(positionSide: PositionSide, wanted: WantedExit): void {
    const entry = this.#waiting.takeEntry(positionSide);
    if (entry !== undefined)
      this.#refuse(positionSide, entry.intentId, entry.intent, supersededRefusal);
    // A strategy may send an exit with every candle, so the case without a position must be cheap.
    this.exit(positionSide, wanted);
  }

  /** Whether {@link exitWhereHeld} would do nothing. */
  changesNothing(
    { long, short }: PositionSides,
    { direction, cancelEntries }: ExitIntent,
  ): boolean {
    const withEntries = cancelEntries === true;
    if (direction === undefined)
      return this.#isLeft(long, withEntries) && this.#isLeft(short, withEntries);
    const positionSide = direction === 'long' ? long : short;
    // A plugin may be JavaScript and name a side that does not exist.
    return positionSide.direction === direction && this.#isLeft(positionSide, withEntries);
  }

  #isLeft(positionSide: PositionSide, withEntries: boolean): boolean {
    return positionSide.waiting === undefined && this.#hasNothing(positionSide, withEntries);
  }

  /** Whether an exit would find nothing: no holding, no entry under way, and no order to withdraw. */
  #hasNothing(positionSide: PositionSide, withEntries: boolean): boolean {
    const { working, remainders, exitJobs } = positionSide;
    if (remainders.size > 0 || exitJobs.length > 0) return false;
    if (working.size > 0)
      if (withEntries || working.closing > 0 || working.some(isTakingEntry)) return false;
    return !this.#account.isHeld(positionSide);
  }
}

/** One literal: a spread before another member would give each job a shape of its own in V8, and slow down each read of a member. */
function jobOf(wanted: WantedExit, since: EpochMs): ExitJob {
  const { intentId, intent, role, withdrawsEntries, parent } = wanted;
  return { intentId, intent, role, withdrawsEntries, parent, since };
}

/** Whether an exit of the whole position with the same kind of work is already under way. A strategy may repeat such an exit with every candle. */
function isWorkedAlike(
  { remainders, exitJobs, working }: PositionSide,
  { size, limitPrice, work }: ExitIntent,
): boolean {
  if (size !== undefined || limitPrice !== undefined) return false;
  const kind = kindOf(work);
  const isAlike = ({ intent }: { readonly intent: OrderIntent }): boolean =>
    intent.kind === 'exit' && intent.size === undefined && kindOf(intent.work) === kind;
  return (
    exitJobs.some(isAlike) ||
    working.all.some((order) => !order.isWithdrawn && isAlike(order)) ||
    [...remainders.values()].some((rest) => rest.schedule !== undefined && isAlike(rest))
  );
}

function kindOf(work: Work | undefined): string | undefined {
  return work && Object.keys(work)[0];
}

/** Whether an exit of the whole position at any price waits. */
function isAwaited({ exitJobs }: PositionSide): boolean {
  return exitJobs.some(({ intent }) => leavesAll(intent));
}

/** Whether an order has to end before an exit can be sent. */
function isInWay(order: WorkingOrder, job: ExitJob): boolean {
  const isOfAll = job.intent.size === undefined;
  if (order.role !== 'entry') return isGivingWay(order) || (isOfAll && isSuperseded(order));
  return isOfAll && (job.withdrawsEntries || (!order.canRest && isOlder(order, job)));
}

/** Whether {@link isInWay} is true for any working order. */
function hasInWay({ working }: PositionSide, job: ExitJob): boolean {
  if (working.some(isGivingWay)) return true;
  if (job.intent.size !== undefined) return false;
  if (working.some(isSuperseded)) return true;
  if (job.withdrawsEntries) return working.some(isEntry);
  for (const entry of working.those(isTakingEntry)) if (isOlder(entry, job)) return true;
  return false;
}

/** The question that finds entries which an exit of the whole position may have to withdraw. */
function isEntryOf({ withdrawsEntries }: ExitJob): typeof isEntry {
  return withdrawsEntries ? isEntryToGiveWay : isTakingEntry;
}

/** An entry of a later intent is not in the way of an exit. */
function isOlder({ request }: WorkingOrder, { intentId }: ExitJob): boolean {
  return request.intentId < intentId;
}
