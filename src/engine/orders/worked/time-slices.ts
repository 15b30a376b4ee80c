import {
  Decimal,
  divideFixed,
  fixedFromDecimal,
  floorToStep,
  formatFixed,
  type EpochMs,
  type ExitSize,
  type Fixed,
  type QuantityUnit,
} from '../../../domain/index.js';
import { canStandAlone, readPart, valueOfOne } from '../../../risk/index.js';
import type { TimerQueue } from '../../time/timer-queue.js';
import type { AccountView } from '../account-view.js';
import { giveUpRests } from '../give-up-rests.js';
import { canceledRefusal } from '../order-refusals.js';
import type { OwnOrders } from '../own-orders.js';
import { expiringAt, lifetimeOf, termsOf, type PlannedOrder } from '../planned-order.js';
import {
  dropRemainder,
  heldQuantity,
  type ExitJob,
  type PositionSide,
  type Remainder,
} from '../position-side.js';
import type { WaitingIntent } from '../waiting-intents.js';
import type { SliceSchedule } from './work-state.js';
import { workOf } from './work-terms.js';
import { expiryOf } from './worked-orders.js';

interface TimeSlicesOptions {
  readonly ownOrders: OwnOrders;
  readonly timers: TimerQueue;
  readonly exit: (positionSide: PositionSide, wanted: Omit<ExitJob, 'since'>) => void;
}

/** Sends a quantity in parts over time (`work: { twap }`). The unsent quantity is a remaining quantity of its intent, like any other. */
export class TimeSlices {
  readonly #options: TimeSlicesOptions;
  readonly #account: AccountView;

  constructor(options: TimeSlicesOptions) {
    this.#options = options;
    this.#account = options.ownOrders.account;
  }

  /**
   * Starts a quantity that is to be sent in parts, and sends the first part. Returns whether it is to be sent in parts. If the first part of an entry
   * is refused, the entry ends, like any refused entry. But if a part alone is too small for the venue, the entry goes on, and parts are sent
   * together. The size is checked here, because a journal does not record why a part was refused.
   */
  takes(positionSide: PositionSide, planned: PlannedOrder): boolean {
    const intent = termsOf(planned.intent);
    const terms = intent && workOf(intent);
    if (intent === undefined || terms?.kind !== 'twap') return false;
    const { intentId, role } = planned;
    const { tallies } = this.#options.ownOrders;
    const account = this.#account;
    const whole = this.#wholeOf(positionSide, planned);
    const arrivalPrice = account.lastPrice(positionSide.instrumentId);
    // Risk refuses a size that cannot be read. Nothing is started before the first price.
    if (whole === undefined || arrivalPrice === undefined) return false;
    const { now } = account;
    tallies.begin(positionSide, { intentId, intent, role, arrivalPrice, now, whole });
    const schedule = { since: now, due: now, everyMs: terms.everyMs, left: terms.slices };
    const lifetime = lifetimeOf(intent) ?? Infinity;
    // Risk refuses a lifetime that is not above 0.
    const until = lifetime > 0 ? expiryOf(lifetime, account) : Infinity;
    positionSide.remainders.set(intentId, {
      ...{ intentId, intent, role, quantity: whole.quantity, unit: whole.unit, schedule },
      parent: planned.parent ?? { filledQuantity: 0n },
      ...(Number.isFinite(until) && { until }),
    });
    const isAlone = this.#standsAlone(positionSide, whole, {
      last: arrivalPrice,
      slices: terms.slices,
    });
    const isRefused = !this.#send(positionSide, intentId);
    if (isRefused && isAlone) {
      dropRemainder(positionSide, intentId);
      tallies.review(positionSide, intentId);
    }
    return true;
  }

  /** Intents with parts that are still to be sent, for display. */
  list(): readonly WaitingIntent[] {
    return this.#account
      .positionSides()
      .flatMap(({ remainders, instrumentId, direction }) =>
        [...remainders.values()].flatMap(({ intentId, intent, schedule }) =>
          schedule !== undefined && (intent.kind === 'enter' || intent.kind === 'exit')
            ? [{ intentId, intent, instrumentId, direction, since: schedule.since }]
            : [],
        ),
      );
  }

  /** Sets the timers of restored schedules. */
  restore(positionSide: PositionSide): void {
    for (const { intentId, schedule, until } of positionSide.remainders.values())
      if (schedule !== undefined) this.#sendAt(positionSide, intentId, schedule.due, until);
  }

  /** Sends the next part at `due`, or gives up what is not sent if the intent's lifetime ends by then. */
  #sendAt(
    positionSide: PositionSide,
    intentId: number,
    due: EpochMs,
    until: EpochMs = Infinity,
  ): void {
    const { timers, ownOrders } = this.#options;
    const isMeant = (rest: Remainder): boolean => rest.intentId === intentId;
    const timer = timers.once(
      () => {
        if (due < until) this.#send(positionSide, intentId);
        else giveUpRests(ownOrders, positionSide, canceledRefusal, isMeant);
      },
      Math.min(due, until),
    );
    positionSide.partTimers ??= new Map();
    positionSide.partTimers.set(intentId, timer);
  }

  /** Sends the next part, unless the remaining quantity was given up meanwhile. Returns false if the part of an entry was refused. */
  #send(positionSide: PositionSide, intentId: number): boolean {
    const { remainders, instrumentId } = positionSide;
    const rest = remainders.get(intentId);
    const { schedule } = rest ?? {};
    if (rest === undefined || schedule === undefined || schedule.due > this.#account.now)
      return true;
    const { since, everyMs, left } = schedule;
    const part = this.#partOf(positionSide, rest, left);
    if (left === 1 || rest.quantity === part) dropRemainder(positionSide, intentId);
    else {
      const due = this.#nextDue(schedule);
      const price = rest.unit === 'quote' ? this.#account.lastPrice(instrumentId) : undefined;
      const priced = price === undefined ? {} : { price };
      const next = { since, due, everyMs, left: left - 1, ...priced };
      remainders.set(intentId, { ...rest, quantity: rest.quantity - part, schedule: next });
      this.#sendAt(positionSide, intentId, due, rest.until);
    }
    return part > 0n ? this.#sendPart(positionSide, rest, part) : true;
  }

  /**
   * When the part after the one that is due is sent. If that time has passed too, because no event came meanwhile, parts go on from the present event at
   * their distance: sent together they would be the large order that the parts were to avoid (D-280).
   */
  #nextDue({ due, everyMs }: SliceSchedule): EpochMs {
    const { eventTime } = this.#account;
    return (due + everyMs < eventTime ? eventTime : due) + everyMs;
  }

  #sendPart(positionSide: PositionSide, rest: Remainder, part: Fixed): boolean {
    const { intentId, role, unit, parent, until } = rest;
    const intent = expiringAt(rest.intent, until, this.#account.now);
    const amount = formatFixed(part);
    const before = sentOf(positionSide, intentId);
    let isSent = true;
    if (intent.kind === 'exit' && (role === 'exit' || role === 'flip' || role === 'flatten')) {
      // The last part of a whole position is all that is held then: a short that pays its fees in base has more to buy back.
      const isRest = intent.size === undefined && rest.schedule?.left === 1;
      const child = isRest
        ? { ...intent, work: undefined }
        : { ...intent, work: undefined, size: { quantity: amount } };
      const wanted = { intentId, intent: child, role, parent, withdrawsEntries: false };
      this.#options.exit(positionSide, wanted);
    } else if (intent.kind === 'enter') {
      const size = unit === 'quote' ? { notional: amount } : { quantity: amount };
      const child = { ...intent, work: undefined, size };
      const planned = { intentId, intent: child, role, parent, size };
      isSent = this.#options.ownOrders.propose(positionSide, planned);
    }
    // A refused part is added to the next part.
    const left = positionSide.remainders.get(intentId);
    if (left?.schedule !== undefined && sentOf(positionSide, intentId) === before)
      positionSide.remainders.set(intentId, { ...left, quantity: left.quantity + part });
    return isSent;
  }

  /** Whether the first part alone would reach the venue's minimums at a price. */
  #standsAlone(
    positionSide: PositionSide,
    { quantity, unit }: Pick<Remainder, 'quantity' | 'unit'>,
    { last, slices }: { readonly last: Fixed; readonly slices: number },
  ): boolean {
    const rules = this.#account.rules(positionSide);
    if (rules === undefined) return true;
    const oneCosts = valueOfOne(positionSide.account.instrument, last);
    const part = quantity / BigInt(slices);
    const traded = unit === 'quote' ? divideFixed(part, oneCosts) : part;
    return canStandAlone(floorToStep(traded, rules.step), oneCosts, rules);
  }

  /** Size of the next part, on the step so that rounding loses nothing. The last part takes the rest. */
  #partOf(positionSide: PositionSide, { quantity, unit }: Remainder, left: number): Fixed {
    const part = quantity / BigInt(left);
    if (left === 1 || unit === 'quote') return part;
    const step = this.#account.step(positionSide);
    return step === 0n ? part : part - (part % step);
  }

  #wholeOf(
    positionSide: PositionSide,
    { intent, size }: PlannedOrder,
  ): Pick<Remainder, 'quantity' | 'unit'> | undefined {
    const account = this.#account;
    const unit = positionSide.account.instrument.kind === 'futures' ? 'contracts' : 'base';
    if (intent.kind === 'enter' && 'notional' in size)
      return whole({ quantity: size.notional }, 0n, 'quote');
    const held = heldQuantity(positionSide, account.rules(positionSide));
    if ('all' in size) return { quantity: held, unit };
    return 'quantity' in size || 'share' in size ? whole(size, held, unit) : undefined;
  }
}

/** Undefined if the size is not an amount above 0. */
function whole(
  size: ExitSize,
  held: Fixed,
  unit: QuantityUnit,
): Pick<Remainder, 'quantity' | 'unit'> | undefined {
  const read = readPart(size, held);
  if (read === undefined) return undefined;
  // Decimals after the 18th are on no grid.
  const quantity =
    typeof read === 'bigint'
      ? read
      : fixedFromDecimal(read.toDecimalPlaces(18, Decimal.ROUND_DOWN));
  return quantity > 0n ? { quantity, unit } : undefined;
}

/** Number of working orders and waiting exits of an intent. */
function sentOf({ working, exitJobs }: PositionSide, intentId: number): number {
  let sent = 0;
  for (const { request } of working.ofIntent(intentId))
    if (request.intentId === intentId) sent += 1;
  for (const job of exitJobs) if (job.intentId === intentId) sent += 1;
  return sent;
}
