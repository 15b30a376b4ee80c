import {
  worthOfFill,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type OrderIntent,
  type QuantityUnit,
  type RecordedWork,
  type Work,
} from '../../../domain/index.js';
import { addKept } from '../../history/add-kept.js';
import { labelOf, type OrderRole } from '../working/order-cause.js';
import { refersTo, type PositionSide } from '../position-side.js';
import type { LiveTally, WorkTally } from './work-tally.js';
import type { WorkingOrder } from '../working/working-order.js';

/** A worked intent at its start. */
interface BegunWork {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  readonly arrivalPrice: Fixed;
  readonly now: EpochMs;
  /** Total quantity, if it is sent in parts. */
  readonly whole?: { readonly quantity: Fixed; readonly unit: QuantityUnit } | undefined;
}

/**
 * Counts the results of worked intents: filled quantities, and their prices compared with the arrival price. A side without worked intents has no
 * tallies, and costs no more than the check for that.
 */
export class WorkTallies {
  readonly #kept: number;
  /** Records of intents that are no longer worked, in the order in which their tallies were closed. */
  readonly #ended: RecordedWork[] = [];

  /** `kept`: how many of the last ended records are kept. */
  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  /** Begins a tally, unless the intent has one. */
  begin(positionSide: PositionSide, begun: BegunWork): void {
    const { intentId, intent, role, arrivalPrice, now, whole } = begun;
    const work = 'work' in intent ? intent.work : undefined;
    if (work === undefined || positionSide.tallies?.has(intentId) === true) return;
    const label = labelOf({ role, intent });
    positionSide.tallies ??= new Map<number, LiveTally>();
    positionSide.tallies.set(intentId, {
      intentId,
      ...(label !== undefined && { label }),
      work: plainWork(work),
      arrivalPrice,
      since: now,
      action: role === 'entry' ? 'open' : 'close',
      quantity: whole?.quantity ?? 0n,
      unit: whole?.unit ?? 'base',
      filledQuantity: 0n,
      worth: 0n,
      sent: 0,
      working: 0,
    });
  }

  /** Counts an order that was sent, on a side that has tallies. */
  follow({ tallies }: PositionSide, order: WorkingOrder): void {
    const tally = tallies?.get(order.origin);
    if (tally === undefined) return;
    const { request, createdTime } = order;
    tally.working += 1;
    tally.sent += 1;
    if ('twap' in tally.work) return;
    // Only the first order or its legs count for the quantity: later orders are rests of them, or try them again.
    if (createdTime !== tally.since || tally.endedTime !== undefined) return;
    if (request.intentId !== tally.intentId) return;
    tally.quantity += request.quantity;
    tally.unit = request.unit;
  }

  /** Counts a fill, on a side that has tallies. */
  fill({ tallies, account }: PositionSide, order: WorkingOrder, fill: FillRecord): void {
    const tally = tallies?.get(order.origin);
    if (tally === undefined) return;
    tally.filledQuantity += fill.quantity;
    tally.worth += worthOfFill(account.instrument, tally.arrivalPrice, fill);
  }

  /** Counts the end of an order, on a side that has tallies. */
  ended({ tallies }: PositionSide, order: WorkingOrder): void {
    const tally = tallies?.get(order.origin);
    if (tally === undefined) return;
    tally.working -= 1;
    tally.endedTime = order.updatedTime;
  }

  /** Call after the end of an order and all that followed from it. */
  settle(positionSide: PositionSide, { origin }: WorkingOrder): void {
    this.review(positionSide, origin);
  }

  /** Call after a refusal or an end: closes the tally of an intent if nothing works or waits for it any more. */
  review(positionSide: PositionSide, intentId: number): void {
    const tally = positionSide.tallies?.get(intentId);
    if (tally !== undefined && !isOpen(positionSide, tally)) this.#close(positionSide, tally);
  }

  #close(positionSide: PositionSide, tally: WorkTally): void {
    const { tallies } = positionSide;
    tallies?.delete(tally.intentId);
    if (tallies?.size === 0) positionSide.tallies = undefined;
    // An intent without any order was refused, and its refusal is the record.
    if (tally.sent > 0)
      addKept(this.#ended, recordOf(positionSide, tally, tally.endedTime), this.#kept);
  }

  /** Closes tallies of intents that were given up while none of their orders worked: no call reports that. */
  sweep(positionSides: readonly PositionSide[]): void {
    for (const positionSide of positionSides)
      for (const intentId of positionSide.tallies?.keys() ?? [])
        this.review(positionSide, intentId);
  }

  /** Records of all worked intents, or of the last that have ended, by intent id. An intent that is still worked has no end. */
  list(positionSides: readonly PositionSide[]): readonly RecordedWork[] {
    this.sweep(positionSides);
    const open = positionSides.flatMap((positionSide) =>
      [...(positionSide.tallies?.values() ?? [])]
        .filter(({ sent }) => sent > 0)
        .map((tally) => recordOf(positionSide, tally, undefined)),
    );
    return [...this.#ended, ...open].sort(
      (one, other) => one.intentId - other.intentId || (one.side < other.side ? -1 : 1),
    );
  }
}

/** A side's tallies, as a checkpoint has them. */
export function takeTallies({ tallies }: PositionSide): readonly WorkTally[] | undefined {
  return (
    tallies &&
    [...tallies.values()].map((tally) => {
      const { intentId, label, work, arrivalPrice, since, action, endedTime } = tally;
      const { quantity, unit, filledQuantity, worth, sent } = tally;
      return {
        ...{ intentId, work, arrivalPrice, since, action },
        ...{ quantity, unit, filledQuantity, worth, sent },
        ...(label !== undefined && { label }),
        ...(endedTime !== undefined && { endedTime }),
      };
    })
  );
}

/** Restores tallies. Call after the orders of the side were restored. */
export function restoreTallies(positionSide: PositionSide, from: readonly WorkTally[]): void {
  const orders = positionSide.working.all;
  positionSide.tallies = new Map(
    from.map((tally) => [
      tally.intentId,
      { ...tally, working: orders.filter(({ origin }) => origin === tally.intentId).length },
    ]),
  );
}

/** Whether an order works, a part is still to be sent, or an exit of the intent waits or is tried again. */
function isOpen({ remainders, exitJobs, failedExits }: PositionSide, tally: LiveTally): boolean {
  const { intentId, working } = tally;
  if (working > 0) return true;
  if ([...exitJobs, ...failedExits].some((job) => job.intentId === intentId)) return true;
  for (const rest of remainders.values()) if (refersTo({ intentId }, rest)) return true;
  return false;
}

function recordOf(
  { instrumentId, direction }: PositionSide,
  tally: WorkTally,
  to: EpochMs | undefined,
): RecordedWork {
  const { intentId, label, work, arrivalPrice, since: from, action } = tally;
  const { quantity, unit, filledQuantity, worth } = tally;
  const side = (direction === 'long') === (action === 'open') ? 'buy' : 'sell';
  return {
    ...{ intentId, instrumentId, side, action, label, work, arrivalPrice },
    ...{ quantity, unit, filledQuantity, worth, from, to },
  };
}

/** With plain text for its amount. */
function plainWork(work: Work): Work {
  if (!('chase' in work)) return work;
  const { every, maxBps } = work.chase;
  return { chase: { every, maxBps: String(maxBps) } };
}
