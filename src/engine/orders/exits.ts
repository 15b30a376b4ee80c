import type { EpochMs, ExitIntent, Fixed, OrderIntent, Work } from '../../domain/index.js';
import { readPart } from '../../risk/index.js';
import type { AccountView, PositionSides } from './account-view.js';
import {
  canceledRefusal,
  closedRefusal,
  leavingRefusal,
  outdatedRefusal,
  supersededRefusal,
} from './order-refusals.js';
import { takeProfitsOf } from './bracket.js';
import type { Dust } from './dust.js';
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
} from './order-questions.js';
import { heldQuantity, isLeaving, type ExitJob, type PositionSide } from './position-side.js';
import { mayWaitOn, type WaitingIntents } from './waiting-intents.js';
import type { TimeSlices } from './time-slices.js';
import type { WorkingOrder } from './working-order.js';

const ALL = { all: true } as const;

/** An exit as it is wanted, before it is known whether it has to wait. */
export type WantedExit = Omit<ExitJob, 'since'>;

/**
 * Leaves positions. An exit of the whole position takes the place of all other exits of its side, and waits for their end and for that of entries
 * that take what there is; entries that rest are left alone, unless it says otherwise. An exit of a part stands beside the others, and waits only
 * where the take-profit, or an exit that is being canceled, holds what it needs (DESIGN R9).
 */
export class Exits {
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  readonly #waiting: WaitingIntents;
  readonly #dust: Dust;
  readonly #slices: TimeSlices;
  /** Called when risk has refused to send an exit, or one waits no longer. */
  readonly #onRefused: (positionSide: PositionSide) => void;

  constructor(
    ownOrders: OwnOrders,
    waiting: WaitingIntents,
    dust: Dust,
    slices: TimeSlices,
    onRefused: (positionSide: PositionSide) => void,
  ) {
    this.#ownOrders = ownOrders;
    this.#account = ownOrders.account;
    this.#waiting = waiting;
    this.#dust = dust;
    this.#slices = slices;
    this.#onRefused = onRefused;
  }

  /** Does nothing when there is nothing, or the position is being left as a whole already. */
  exit(positionSide: PositionSide, wanted: WantedExit): void {
    positionSide.failedExit = undefined;
    if (wanted.intent.work !== undefined && isWorkedAlike(positionSide, wanted.intent)) return;
    // Mostly nothing works, and nothing is in the way.
    if (positionSide.working.size === 0 && positionSide.exitJobs.length === 0) {
      if (wanted.intent.size === undefined) this.#giveUpRests(positionSide);
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
        // What leaves it may end unfilled, and nobody says it again.
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

  /** An order has ended: where it was to leave all of a position at any price, and the venue has not taken it, that is still wanted. */
  noteEnd(positionSide: PositionSide, order: WorkingOrder): void {
    const { status, role, intent, isWithdrawn, request } = order;
    // Who halts or flattens goes on by itself, and a flip is refused with what waits for it.
    if (status !== 'rejected' || isWithdrawn || role !== 'exit') return;
    if (intent.kind !== 'exit' || !leavesAll(intent)) return;
    const withdrawsEntries = intent.cancelEntries === true;
    const { intentId } = request;
    const since = this.#account.now;
    this.#waiting.noteFailed(positionSide, { intentId, intent, role, withdrawsEntries, since });
  }

  /** Tries an exit again that the venue has not taken. */
  again(positionSide: PositionSide): void {
    if (positionSide.failedExit !== undefined) this.exit(positionSide, positionSide.failedExit);
    this.#waiting.restore(positionSide);
  }

  /** Cancels what exits wait for, also again where a cancel was refused and the order works on. */
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

  /** Brackets give way one by one, the oldest first: what is sold counts against that. */
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

  /** Whether an order is being canceled for good, because an exit takes its place. */
  isGivingWay(positionSide: PositionSide, order: WorkingOrder): boolean {
    return positionSide.exitJobs.some(
      (job) => job.intent.size === undefined && isInWay(order, job),
    );
  }

  /** Sends the exits that wait, once nothing is in their way any more. */
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

  /** A new candle is known: what waited with a price of before, or for a part, is not sent. */
  dropOutdated(positionSide: PositionSide): void {
    const dropped = this.#waiting.takeExits(positionSide, ({ intent }) => !mayWaitOn(intent));
    for (const { intentId, intent } of dropped)
      this.#refuse(positionSide, intentId, intent, outdatedRefusal);
    if (dropped.length > 0) this.#onRefused(positionSide);
  }

  /** Drops exits that wait, by default all of the side and because they were canceled. */
  withdraw(
    positionSide: PositionSide,
    refusalOf = canceledRefusal,
    isMeant: (job: ExitJob) => boolean = () => true,
  ): void {
    if (positionSide.failedExit !== undefined && isMeant(positionSide.failedExit))
      positionSide.failedExit = undefined;
    for (const { intentId, intent } of this.#waiting.takeExits(positionSide, isMeant))
      this.#refuse(positionSide, intentId, intent, refusalOf);
  }

  /** Whether nothing is in an exit's way: for a part, when what is left to be offered is enough, or nobody is about to give way. */
  #hasWay(positionSide: PositionSide, job: ExitJob): boolean {
    if (job.role === 'flatten' && this.#isBeingLeft(positionSide)) return false;
    if (!hasInWay(positionSide, job)) return true;
    return job.intent.size !== undefined && this.#lackingFor(positionSide, job) <= 0n;
  }

  #giveUpRests(positionSide: PositionSide): void {
    giveUpRests(this.#ownOrders, positionSide, supersededRefusal);
  }

  /** What an exit of a part wants beyond what is left to be offered. */
  #lackingFor(positionSide: PositionSide, { intent: { size } }: ExitJob): Fixed {
    const held = heldQuantity(positionSide, this.#account.rules(positionSide));
    const asked = size === undefined ? held : readPart(size, held);
    // What cannot be read is for risk to refuse.
    return typeof asked === 'bigint' ? asked - this.#unoffered(positionSide) : 0n;
  }

  /** Whether all that is held is offered, or will be when what waits is sent. */
  #isOffered(positionSide: PositionSide): boolean {
    return isAwaited(positionSide) || this.#offersAll(positionSide);
  }

  /** Whether orders that sell at any price offer all that is held. */
  #isBeingLeft(positionSide: PositionSide): boolean {
    const { working } = positionSide;
    return working.some(isLeavingAll) && this.#offersAll(positionSide);
  }

  #offersAll(positionSide: PositionSide): boolean {
    const step = this.#account.rules(positionSide)?.step ?? 1n;
    // What is being canceled may leave what it offers.
    const leaving = positionSide.working.remaining(isClosingNoMore);
    return this.#unoffered(positionSide) + leaving < step;
  }

  /** What is held and no working exit offers. */
  #unoffered(positionSide: PositionSide): Fixed {
    const { instrumentId, direction } = positionSide;
    const held = heldQuantity(positionSide, this.#account.rules(positionSide));
    return held - this.#account.closing(instrumentId, direction);
  }

  #send(positionSide: PositionSide, { intentId, intent, role }: WantedExit): void {
    const planned = { intentId, intent, role, size: intent.size ?? ALL };
    if (this.#slices.takes(positionSide, planned)) return;
    if (this.#ownOrders.propose(positionSide, planned) === undefined) return;
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

  /** Leaves whichever side is held of an instrument, or the one that the intent names; what waits to enter there is given up. */
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
    this.#exitSide(short, wanted);
  }

  #exitSide(positionSide: PositionSide, wanted: WantedExit): void {
    const entry = this.#waiting.takeEntry(positionSide);
    if (entry !== undefined)
      this.#refuse(positionSide, entry.intentId, entry.intent, supersededRefusal);
    // A strategy may say on every candle that it wants out: having nothing must cost nothing.
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
    // A plugin may be JavaScript and name a side that there is not.
    return positionSide.direction === direction && this.#isLeft(positionSide, withEntries);
  }

  #isLeft(positionSide: PositionSide, withEntries: boolean): boolean {
    return positionSide.waiting === undefined && this.#hasNothing(positionSide, withEntries);
  }

  /** Whether nothing is held, is being entered, or works that an exit would withdraw. */
  #hasNothing(positionSide: PositionSide, withEntries: boolean): boolean {
    const { working, remainders, exitJobs } = positionSide;
    if (remainders.size > 0 || exitJobs.length > 0) return false;
    if (working.size > 0)
      if (withEntries || working.closing > 0 || working.some(isTakingEntry)) return false;
    return !this.#account.isHeld(positionSide);
  }
}

/** One literal: a spread before another member would give each job a shape of its own, and each read of it would be a look-up. */
function jobOf({ intentId, intent, role, withdrawsEntries }: WantedExit, since: EpochMs): ExitJob {
  return { intentId, intent, role, withdrawsEntries, since };
}

/** Whether the whole position is being left in the way that an exit wants, at no other price: it may be said with every candle. */
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

/** Whether any is. */
function hasInWay({ working }: PositionSide, job: ExitJob): boolean {
  if (working.some(isGivingWay)) return true;
  if (job.intent.size !== undefined) return false;
  if (working.some(isSuperseded)) return true;
  if (job.withdrawsEntries) return working.some(isEntry);
  for (const entry of working.those(isTakingEntry)) if (isOlder(entry, job)) return true;
  return false;
}

/** Entries of which some may have to be withdrawn for an exit of the whole position. */
function isEntryOf({ withdrawsEntries }: ExitJob): typeof isEntry {
  return withdrawsEntries ? isEntryToGiveWay : isTakingEntry;
}

/** What is wanted later is not in the way. */
function isOlder({ request }: WorkingOrder, { intentId }: ExitJob): boolean {
  return request.intentId < intentId;
}
