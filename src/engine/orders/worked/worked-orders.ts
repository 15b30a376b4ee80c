import {
  formatFixed,
  maxFixed,
  minFixed,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type Side,
} from '../../../domain/index.js';
import type { TimerQueue } from '../../time/timer-queue.js';
import type { VirtualTimer } from '../../time/virtual-timer.js';
import type { AccountView } from '../account-view.js';
import { chaseRangeOf, type ChaseRange } from './chase-range.js';
import { lifetimeOf, termsOf, type PlannedOrder } from '../planned-order.js';
import type { PositionSide } from '../position-side.js';
import type { StopWatch } from '../guards/stop-watch.js';
import type { WorkTallies } from './work-tallies.js';
import { workOf } from './work-terms.js';
import type { WorkingOrder } from '../working/working-order.js';

/** Delay until a refused cancel is tried again. */
const AGAIN_MS = 1_000;

/** When an order with this lifetime is withdrawn, if it is sent now. At least 1 ms from now. */
export function expiryOf(lifetimeMs: number, { now }: Pick<AccountView, 'now'>): EpochMs {
  return now + Math.max(1, Math.trunc(lifetimeMs));
}

interface WorkedOrdersOptions {
  readonly account: AccountView;
  readonly timers: TimerQueue;
  readonly tallies: WorkTallies;
  /** Cancels an order; its replacement is sent after its end. */
  readonly cancel: (order: WorkingOrder) => void;
}

/** Moves worked orders: after its time, an order with `limitFor` is sent without a limit price; a chasing order follows last. */
export class WorkedOrders {
  readonly #options: WorkedOrdersOptions;
  /** Orders that follow last. Changed by this class alone. */
  readonly chases = new Set<WorkingOrder>();
  /** Timers of orders with `limitFor`. */
  readonly #limits = new Map<WorkingOrder, VirtualTimer>();

  constructor(options: WorkedOrdersOptions) {
    this.#options = options;
  }

  /** Gives a worked order its first price: its own limit price, or last. Returns any other order unchanged. Undefined while there is no last price. */
  begin(positionSide: PositionSide, planned: PlannedOrder): PlannedOrder | undefined {
    const { intent, worked } = planned;
    const terms = termsOf(intent);
    if (terms?.work === undefined || worked !== undefined) return planned;
    const { account, tallies } = this.#options;
    const arrivalPrice = account.lastPrice(positionSide.instrumentId);
    if (arrivalPrice === undefined) return undefined;
    tallies.begin(positionSide, { ...planned, arrivalPrice, now: account.now });
    const lifetime = lifetimeOf(terms);
    const expiry = lifetime === undefined ? undefined : expiryOf(lifetime, account);
    const limitPrice = terms.limitPrice ?? formatFixed(arrivalPrice);
    const work = workOf(terms);
    const limit = work?.kind === 'limit-for' ? { limitUntil: account.now + work.forMs } : undefined;
    return {
      ...planned,
      intent: { ...terms, limitPrice },
      worked: { arrivalPrice, expiry, ...limit },
    };
  }

  /** Starts to work an order that was sent or restored. */
  follow(order: WorkingOrder): void {
    const terms = workOf(order.intent);
    if (order.worked === undefined || terms === undefined) return;
    if (terms.kind === 'chase') this.chases.add(order);
    if (terms.kind === 'limit-for') this.#endAt(order, limitEndOf(order, terms.forMs));
  }

  /** Call after an order has ended. */
  forget(order: WorkingOrder): void {
    this.chases.delete(order);
    this.#limits.get(order)?.cancel();
    this.#limits.delete(order);
  }

  /** Call after a refused cancel: sets the timer of an order with `limitFor` again, because its time may be over. */
  again(order: WorkingOrder): void {
    const terms = order.worked && workOf(order.intent);
    if (terms?.kind !== 'limit-for') return;
    const { now } = this.#options.account;
    this.#endAt(order, Math.max(limitEndOf(order, terms.forMs), now + AGAIN_MS));
  }

  #endAt(order: WorkingOrder, due: EpochMs): void {
    const timer = this.#options.timers.once(() => {
      this.#move(order, undefined);
    }, due);
    this.#limits.set(order, timer);
  }

  /** Replaces an order, so that its rest is sent on other terms. */
  #move(order: WorkingOrder, limitPrice: Fixed | undefined): void {
    const { status, isFinal, isWithdrawn, replacement, request } = order;
    if (isFinal || isWithdrawn || replacement !== undefined || status === 'canceling') return;
    order.replaceBy({
      intentId: request.intentId,
      limitPrice: limitPrice === undefined ? undefined : formatFixed(limitPrice),
      quantity: request.quantity,
    });
    this.#options.cancel(order);
  }

  // Chasing orders.

  /** Samples that may move a chasing order: those at or beyond the next price at which it could rest. */
  watches(): readonly StopWatch[] {
    return [...this.chases].flatMap((order) => {
      const chase = this.#chaseOf(order);
      if (chase === undefined) return [];
      const { instrumentId, side } = order.request;
      const direction = side === 'buy' ? 'short' : 'long';
      const quantity = order.remaining;
      const level = chase.next;
      return [
        { instrumentId, direction, level, quantity, trail: undefined, best: level, guardNumber: 0 },
      ];
    });
  }

  /** Samples last: moves chasing orders. */
  onLast(instrumentId: InstrumentId, last: Fixed): void {
    for (const order of this.chases) {
      if (order.request.instrumentId !== instrumentId) continue;
      const chase = this.#chaseOf(order);
      if (chase === undefined || this.#options.account.now < chase.from) continue;
      const { side } = order.request;
      if (side === 'buy' ? last < chase.next : last > chase.next) continue;
      this.#move(order, closer(side, last, chase.bound));
    }
  }

  /** Where a chasing order may rest next, and from when; undefined if it cannot be moved now. */
  #chaseOf(order: WorkingOrder): (ChaseRange & { readonly from: EpochMs }) | undefined {
    const { worked, request, createdTime, status, isWithdrawn, replacement, remaining } = order;
    const terms = workOf(order.intent);
    if (terms?.kind !== 'chase' || worked === undefined || request.type !== 'limit')
      return undefined;
    if (status === 'canceling' || isWithdrawn || replacement !== undefined) return undefined;
    const { account } = this.#options;
    const positionSide = account.positionSide(request.instrumentId, order.direction);
    const rules = account.rules(positionSide);
    const { side, limitPrice } = request;
    const { arrivalPrice } = worked;
    const { instrument } = positionSide.account;
    const range =
      rules &&
      chaseRangeOf(
        { instrument, side, limitPrice, remaining, arrivalPrice, most: terms.most },
        rules,
      );
    return range && { ...range, from: createdTime + terms.everyMs };
  }
}

/** When the time of an order with `limitFor` ends. It counts from the first order, except for one restored from before that was stored. */
function limitEndOf({ worked, createdTime }: WorkingOrder, forMs: number): EpochMs {
  return worked?.limitUntil ?? createdTime + forMs;
}

/** The price that concedes less: the lower one for a buy, the higher one for a sell. */
function closer(side: Side, one: Fixed, other: Fixed): Fixed {
  return side === 'buy' ? minFixed(one, other) : maxFixed(one, other);
}
