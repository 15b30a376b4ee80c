import {
  worthOfFill,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type OrderIntent,
  type QuantityUnit,
  type Work,
} from '../../domain/index.js';
import { addKept } from '../history/add-kept.js';
import type { RecordedWork } from '../records.js';
import { labelOf, type OrderRole } from './order-cause.js';
import { refersTo, type PositionSide } from './position-side.js';
import type { LiveTally, WorkTally } from './work-tally.js';
import type { WorkingOrder } from './working-order.js';

/** What is to be worked, as it begins. */
export interface BegunWork {
  readonly intentId: number;
  readonly intent: OrderIntent;
  readonly role: OrderRole;
  readonly arrivalPrice: Fixed;
  readonly now: EpochMs;
  /** Of what is sent in parts. */
  readonly whole?: { readonly quantity: Fixed; readonly unit: QuantityUnit } | undefined;
}

/**
 * Counts what becomes of intents that are worked: what was filled at which prices beside the arrival price. A side on which nothing is worked has none, and is
 * asked no more than that.
 */
export class WorkTallies {
  readonly #kept: number;
  /** Of intents that are worked no more, in the order in which that was found. */
  readonly #ended: RecordedWork[] = [];

  /** `kept`: how many of the last that have ended are wanted. */
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

  /** An order was sent on a side that has tallies. */
  follow({ tallies }: PositionSide, order: WorkingOrder): void {
    const tally = tallies?.get(order.origin);
    if (tally === undefined) return;
    const { request, createdTime } = order;
    tally.working += 1;
    tally.sent += 1;
    if ('twap' in tally.work) return;
    // Its first order, or the legs of that: what follows is what is left of them.
    if (createdTime !== tally.since || request.intentId !== tally.intentId) return;
    tally.quantity += request.quantity;
    tally.unit = request.unit;
  }

  /** Something was filled on a side that has tallies. */
  fill({ tallies, account }: PositionSide, order: WorkingOrder, fill: FillRecord): void {
    const tally = tallies?.get(order.origin);
    if (tally === undefined) return;
    tally.filledQuantity += fill.quantity;
    tally.worth += worthOfFill(account.instrument, tally.arrivalPrice, fill);
  }

  /** An order of a side that has tallies has ended. */
  ended({ tallies }: PositionSide, order: WorkingOrder): void {
    const tally = tallies?.get(order.origin);
    if (tally === undefined) return;
    tally.working -= 1;
    tally.endedTime = order.updatedTime;
  }

  /** After the end of an order, and what followed from it. */
  settle(positionSide: PositionSide, { origin }: WorkingOrder): void {
    this.review(positionSide, origin);
  }

  /** Something was refused, or has ended, of an intent: where nothing works or waits for it any more its tally is closed. */
  review(positionSide: PositionSide, intentId: number): void {
    const tally = positionSide.tallies?.get(intentId);
    if (tally !== undefined && !isOpen(positionSide, tally)) this.#close(positionSide, tally);
  }

  #close(positionSide: PositionSide, tally: WorkTally): void {
    const { tallies } = positionSide;
    tallies?.delete(tally.intentId);
    if (tallies?.size === 0) positionSide.tallies = undefined;
    // What was never sent was refused, and is told of there.
    if (tally.sent > 0)
      addKept(this.#ended, recordOf(positionSide, tally, tally.endedTime), this.#kept);
  }

  /** Closes tallies of what was given up while no order of it worked: nothing is said of that. */
  sweep(positionSides: readonly PositionSide[]): void {
    for (const positionSide of positionSides)
      for (const intentId of positionSide.tallies?.keys() ?? [])
        this.review(positionSide, intentId);
  }

  /** Of all there have been, or the last that have ended; what is still worked has no end. By number. */
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

/** What a checkpoint has of a side's tallies. */
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

/** Goes on with tallies, after the orders of the side. */
export function restoreTallies(positionSide: PositionSide, from: readonly WorkTally[]): void {
  const orders = positionSide.working.all;
  positionSide.tallies = new Map(
    from.map((tally) => [
      tally.intentId,
      { ...tally, working: orders.filter(({ origin }) => origin === tally.intentId).length },
    ]),
  );
}

/** Whether an order works, a part is still to be sent, or an exit waits for it. */
function isOpen({ remainders, exitJobs }: PositionSide, tally: LiveTally): boolean {
  const { intentId, working } = tally;
  if (working > 0 || exitJobs.some((job) => job.intentId === intentId)) return true;
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
