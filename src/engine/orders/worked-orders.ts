import {
  formatFixed,
  maxFixed,
  minFixed,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type Side,
} from '../../domain/index.js';
import type { TimerQueue } from '../timer-queue.js';
import type { AccountView } from './account-view.js';
import { chaseRangeOf, type ChaseRange } from './chase-range.js';
import { lifetimeOf, termsOf, type PlannedOrder } from './planned-order.js';
import type { PositionSide } from './position-side.js';
import type { StopWatch } from './stop-watch.js';
import type { WorkTallies } from './work-tallies.js';
import type { WorkingOrder } from './working-order.js';
import { workOf } from './work-terms.js';

/** How soon what could not be canceled is tried again. */
const AGAIN_MS = 1_000;

/** When what is sent now and is good for so long is withdrawn. */
export function expiryOf(lifetimeMs: number, { now }: Pick<AccountView, 'now'>): EpochMs {
  return now + Math.max(1, Math.trunc(lifetimeMs));
}

export interface WorkedOrdersOptions {
  readonly account: AccountView;
  readonly timers: TimerQueue;
  readonly tallies: WorkTallies;
  /** Cancels an order, which is followed by its replacement. */
  readonly cancel: (order: WorkingOrder) => void;
}

/** Moves orders that are worked: one that rests for a time to what takes what there is, one that chases after last. */
export class WorkedOrders {
  readonly #options: WorkedOrdersOptions;
  readonly #chases = new Set<WorkingOrder>();

  constructor(options: WorkedOrdersOptions) {
    this.#options = options;
  }

  /** What is planned with where it rests first, where it is worked: at last, if it has no price of its own. Undefined while there is no last. */
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
    return { ...planned, intent: { ...terms, limitPrice }, worked: { arrivalPrice, expiry } };
  }

  /** Begins, or goes on with, an order that works. */
  follow(order: WorkingOrder): void {
    const terms = workOf(order.intent);
    if (order.worked === undefined || terms === undefined) return;
    if (terms.kind === 'chase') this.#chases.add(order);
    if (terms.kind === 'limit-for') this.#endAt(order, order.createdTime + terms.forMs);
  }

  /** An order has ended. */
  forget(order: WorkingOrder): void {
    this.#chases.delete(order);
  }

  /** A cancel was refused: what rests for a time may have come to the end of it. */
  again(order: WorkingOrder): void {
    const terms = order.worked && workOf(order.intent);
    if (terms?.kind !== 'limit-for') return;
    const { now } = this.#options.account;
    this.#endAt(order, Math.max(order.createdTime + terms.forMs, now + AGAIN_MS));
  }

  #endAt(order: WorkingOrder, due: EpochMs): void {
    this.#options.timers.once(() => {
      this.#move(order, undefined);
    }, due);
  }

  /** Sends what is left of an order on other terms. */
  #move(order: WorkingOrder, limitPrice: Fixed | undefined): void {
    const { status, isFinal, isWithdrawn, replacement, request } = order;
    if (isFinal || isWithdrawn || replacement !== undefined || status === 'canceling') return;
    order.replacement = {
      intentId: request.intentId,
      limitPrice: limitPrice === undefined ? undefined : formatFixed(limitPrice),
      quantity: request.quantity,
    };
    this.#options.cancel(order);
  }

  // What chases.

  get chasesAny(): boolean {
    return this.#chases.size > 0;
  }

  /** Samples that may move what chases: those at or beyond the next price it could rest at. */
  watches(): readonly StopWatch[] {
    return [...this.#chases].flatMap((order) => {
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

  /** Last is sampled. */
  onLast(instrumentId: InstrumentId, last: Fixed): void {
    for (const order of this.#chases) {
      if (order.request.instrumentId !== instrumentId) continue;
      const chase = this.#chaseOf(order);
      if (chase === undefined || this.#options.account.now < chase.from) continue;
      const { side } = order.request;
      if (side === 'buy' ? last < chase.next : last > chase.next) continue;
      this.#move(order, closer(side, last, chase.bound));
    }
  }

  /** Where an order that chases may rest next, and from when; undefined where it cannot be moved now. */
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

/** The price that asks for less. */
function closer(side: Side, one: Fixed, other: Fixed): Fixed {
  return side === 'buy' ? minFixed(one, other) : maxFixed(one, other);
}
