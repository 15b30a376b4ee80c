import {
  directionOf,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type ForcedCause,
  type InstrumentId,
  type OrderIntent,
  type OrderReason,
  type OrderReference,
  type OrderRequest,
  type RecordedWork,
  type Refusal,
  type RiskDecision,
} from '../../domain/index.js';
import { assess, type GuardedPolicy, type OrderProposal } from '../../risk/index.js';
import type { Command } from '../events.js';
import { OrderLog } from '../history/order-log.js';
import type { OrderIds } from '../order-ids.js';
import type { RecordKeeping } from '../records.js';
import type { TimerQueue } from '../time/timer-queue.js';
import { AccountView, type AccountOptions } from './account-view.js';
import { AttemptCounter } from './attempt-counter.js';
import {
  canceledRefusal,
  endedRefusal,
  goodForRefusal,
  priceRefusal,
  uncanceledRefusal,
  warmingRefusal,
} from './order-refusals.js';
import { lifetimeOf, PlannedProposal, termsOf, type PlannedOrder } from './planned-order.js';
import { refersTo, type PositionSide, type Wanted } from './position-side.js';
import { holdAtVenue, paidFrom, reservationOf, type VenueReport } from './reservation.js';
import { forcedOrder, wantedBy } from './unwanted-orders.js';
import { WorkTallies } from './worked/work-tallies.js';
import { expiryOf, WorkedOrders } from './worked/worked-orders.js';
import { WorkingOrderList } from './working/working-order-list.js';
import { sizeOf, WorkingOrder, type ParentOrder } from './working/working-order.js';

/** Callbacks from {@link OwnOrders} to the engine, in the order in which things happen. */
export interface OwnOrdersListener {
  command(command: Command): void;
  verdict(
    intentId: number,
    instrumentId: InstrumentId,
    intent: OrderIntent,
    decision: RiskDecision,
  ): void;
  orderChanged(order: WorkingOrder): void;
}

export interface OwnOrdersOptions extends AccountOptions {
  /** Ids of the bot's orders. */
  readonly ids: OrderIds;
  readonly policy: GuardedPolicy;
  readonly timers: TimerQueue;
  readonly listener: OwnOrdersListener;
  /** Whether the strategy is warm, and whether the run is over. */
  readonly run: { readonly isWarm: boolean; readonly isOver: boolean };
  /** @defaultValue all, in memory of their own */
  readonly records?: RecordKeeping | undefined;
  /** Decides which orders are sent, in place of risk. @defaultValue risk */
  readonly decisions?: OrderDecisions | undefined;
}

/** Recorded decisions, which a replay uses instead of risk. */
export interface OrderDecisions {
  decide(proposal: OrderProposal): RiskDecision;
  /** Whether the recorded run canceled the order. */
  cancels(clientOrderId: ClientOrderId): boolean;
}

/** A bot's orders from proposal to end. Approved orders are sent, and the money that they may spend is held back. */
export class OwnOrders {
  /** The account, as risk reads it. */
  readonly account: AccountView;
  /** All orders; with a limit on records, the working ones and the last ended ones. */
  readonly orders: OrderLog;
  /** Orders that may still fill. */
  readonly working = new WorkingOrderList();
  readonly work: WorkedOrders;
  readonly tallies: WorkTallies;
  readonly attempts = new AttemptCounter();
  /** Returns why nothing may be opened on a side, because of triggers at the venue. Undefined if stops stay in the process. */
  refuseEntry: ((positionSide: PositionSide) => Refusal | undefined) | undefined;
  readonly #options: OwnOrdersOptions;
  /** Orders that are being canceled for a replacement. A reference to the replacing intent also means them. */
  readonly #replaced = new Set<WorkingOrder>();

  constructor(options: OwnOrdersOptions) {
    this.#options = options;
    this.account = new AccountView(options);
    this.tallies = new WorkTallies(options.records?.kept);
    this.work = new WorkedOrders({
      account: this.account,
      tallies: this.tallies,
      timers: options.timers,
      cancel: (order) => {
        this.cancel(order);
      },
    });
    this.orders = new OrderLog(options.ids, this.working, options.records);
  }

  /** Orders that may still fill, of one instrument or of all, oldest first. */
  list(instrumentId?: InstrumentId): WorkingOrder[] {
    return this.working.all.filter(
      (order) => instrumentId === undefined || order.request.instrumentId === instrumentId,
    );
  }

  /** Working orders that match, by their own intent or by the intent that is to replace them. */
  meant(
    isMeant: (one: Wanted) => boolean,
    among: readonly WorkingOrder[] = this.working.all,
  ): WorkingOrder[] {
    return among.filter(
      ({ request: { intentId }, intent, role, origin, replacement }) =>
        isMeant({ intentId, intent, role, origin }) ||
        (replacement !== undefined && isMeant({ ...replacement, intent, role, origin })),
    );
  }

  /** Working orders of an OCO group. */
  ofGroup(group: string): readonly WorkingOrder[] {
    return this.working.ofGroup(group);
  }

  /** Working orders that a strategy refers to. An intent id is looked up in an index, because one intent has few orders even if many work. */
  referenced(target: OrderReference): WorkingOrder[] {
    const isMeant = (one: Wanted): boolean => refersTo(target, one);
    if (!('intentId' in target)) return this.meant(isMeant);
    const among = new Set([...this.working.ofIntent(target.intentId), ...this.#replaced]);
    return this.meant(isMeant, [...among].sort(byAge));
  }

  /** Whether the run is over, so that nothing new is sent. */
  get isOver(): boolean {
    return this.#options.run.isOver;
  }

  /** Results of worked intents, by intent id. */
  get worked(): readonly RecordedWork[] {
    return this.tallies.list(this.account.positionSides());
  }

  /** Whether the result of a command is unknown: the command may be on its way, or its answer was lost. */
  get isUncertain(): boolean {
    return this.working.all.some(
      ({ status, venueOrderId }) =>
        venueOrderId === undefined || status === 'submitting' || status === 'unknown',
    );
  }

  // Sending, following and canceling orders.

  /** Asks risk, and sends the approved orders. Returns whether it was approved. Not the refusal: its text takes longer than the check, and is seldom read. */
  propose(positionSide: PositionSide, wanted: PlannedOrder): boolean {
    const terms = termsOf(wanted.intent);
    // Usually an intent has no work terms.
    const planned = terms?.work === undefined ? wanted : this.work.begin(positionSide, wanted);
    if (planned === undefined) {
      const refusal = priceRefusal(positionSide.instrumentId);
      return this.refuse(positionSide, wanted.intentId, wanted.intent, refusal);
    }
    const { intent, intentId } = planned;
    const goodForMs = terms && lifetimeOf(terms);
    if (goodForMs !== undefined && !(goodForMs > 0))
      return this.refuse(positionSide, intentId, intent, goodForRefusal(goodForMs));
    if (planned.role === 'entry' && !this.#options.run.isWarm)
      return this.refuse(positionSide, intentId, intent, warmingRefusal());
    const refusal = planned.role === 'entry' ? this.refuseEntry?.(positionSide) : undefined;
    if (refusal !== undefined) return this.refuse(positionSide, intentId, intent, refusal);
    const { decisions, ids, policy } = this.#options;
    const attempt = this.attempts.next(intentId);
    const proposal = new PlannedProposal(positionSide, planned, { ids, attempt });
    const decision =
      decisions === undefined
        ? assess(proposal, this.account.rules(positionSide), this.account, policy)
        : decisions.decide(proposal);
    this.#options.listener.verdict(intentId, positionSide.instrumentId, intent, decision);
    if (decision.kind === 'refused') {
      if (positionSide.tallies !== undefined)
        this.tallies.review(positionSide, planned.origin ?? intentId);
      return false;
    }
    const parent = planned.parent ?? { filledQuantity: 0n };
    for (const request of decision.orders) {
      const order = this.#track(positionSide, planned, request, {
        parent,
        reserved: decision.reserved,
      });
      this.#options.listener.command({ kind: 'submit', order: request });
      this.#options.listener.orderChanged(order);
      if (order.worked !== undefined) this.work.follow(order);
      if (goodForMs !== undefined)
        this.#expireAt(order, planned.worked?.expiry ?? expiryOf(goodForMs, this.account));
    }
    return true;
  }

  #track(
    positionSide: PositionSide,
    { intent, role, origin, worked, createdTime }: Omit<PlannedOrder, 'intentId' | 'size'>,
    request: OrderRequest,
    {
      parent,
      reserved,
    }: { readonly parent?: ParentOrder; readonly reserved?: Fixed | undefined } = {},
  ): WorkingOrder {
    const { instrument } = positionSide.account;
    const isContract = instrument.kind === 'futures';
    const standsForMarket =
      !isContract && request.type === 'limit' && termsOf(intent)?.limitPrice === undefined;
    const { portfolio } = this.#options;
    const order = new WorkingOrder({
      request,
      role,
      direction: positionSide.direction,
      intent,
      origin,
      parent,
      worked,
      cancelsRest: standsForMarket,
      createdTime: createdTime ?? this.#options.clock.now,
      size: sizeOf(instrument),
      referencePrice: isContract
        ? (portfolio.mark(instrument.id) ?? portfolio.last(instrument.id))
        : undefined,
    });
    this.#follow(positionSide, order);
    if (reserved === undefined) this.reserve(positionSide, order);
    else this.#holdBack(positionSide, order, reserved);
    return order;
  }

  /** Follows an order that this engine has not sent. */
  followUnwanted(
    request: OrderRequest,
    wanted: Pick<PlannedOrder, 'role' | 'intent' | 'createdTime'> = wantedBy(request),
  ): WorkingOrder {
    const { intentId, instrumentId } = request;
    this.attempts.next(intentId);
    const positionSide = this.account.positionSide(instrumentId, directionOf(request));
    return this.#track(positionSide, wanted, request);
  }

  /** Records an order that the venue made for us, with its only fill. */
  recordForced(fill: FillRecord, cause: ForcedCause): WorkingOrder {
    const order = forcedOrder(
      fill,
      cause,
      this.#options.portfolio.instrument(fill.instrumentId).instrument,
    );
    this.orders.add(order);
    this.orders.end(order);
    return order;
  }

  #expireAt(order: WorkingOrder, due: EpochMs): void {
    order.expiry = this.#options.timers.once(() => {
      order.expiry = undefined;
      this.withdraw(order);
    }, due);
  }

  /** Follows a restored order. */
  restoreOrder(order: WorkingOrder, expiry: EpochMs | undefined): void {
    const positionSide = this.account.positionSide(order.request.instrumentId, order.direction);
    this.#follow(positionSide, order);
    if (order.replacement !== undefined) this.#replaced.add(order);
    const { reserved } = order;
    order.reserved = 0n;
    this.#holdBack(positionSide, order, reserved);
    if (positionSide.account.instrument.kind === 'margin')
      holdAtVenue(this.#options.portfolio, positionSide, order, { eventTime: order.createdTime });
    if (expiry !== undefined) this.#expireAt(order, expiry);
    this.work.follow(order);
  }

  #follow(positionSide: PositionSide, order: WorkingOrder): void {
    this.orders.add(order);
    positionSide.working.add(order);
    positionSide.quotes.add(order);
    this.working.add(order);
    if (positionSide.tallies !== undefined) this.tallies.follow(positionSide, order);
  }

  /** Tells the listener of an intent that is refused before risk judges it. Returns false: nothing was sent. */
  refuse(
    positionSide: PositionSide,
    intentId: number,
    intent: OrderIntent,
    refusal: Refusal,
  ): false {
    const decision = { kind: 'refused', refusal } as const;
    this.#options.listener.verdict(intentId, positionSide.instrumentId, intent, decision);
    return false;
  }

  /** Adjusts the amount held back for an order to the quantity that may still fill. `update`: what the venue has reported of it. */
  reserve(positionSide: PositionSide, order: WorkingOrder, update?: VenueReport): void {
    const { clock, policy, portfolio } = this.#options;
    const { instrument } = positionSide.account;
    const target = order.isFinal ? 0n : reservationOf(instrument, order, policy, clock.now);
    if (target !== order.reserved) this.#holdBack(positionSide, order, target);
    if (update !== undefined && instrument.kind === 'margin')
      holdAtVenue(portfolio, positionSide, order, update);
  }

  #holdBack({ funds }: PositionSide, order: WorkingOrder, target: Fixed): void {
    paidFrom(funds, order.request).locked += target - order.reserved;
    order.reserved = target;
  }

  cancel(order: WorkingOrder): void {
    if (order.replacement !== undefined) this.#replaced.add(order);
    if (order.isFinal || order.status === 'canceling') return;
    if (this.#options.decisions?.cancels(order.request.clientOrderId) === false) return;
    order.moveTo('canceling', this.#options.clock.now);
    const { clientOrderId, instrumentId } = order.request;
    this.#options.listener.command({ kind: 'cancel', clientOrderId, instrumentId });
    this.#options.listener.orderChanged(order);
  }

  /** Cancels an order for good: its replacement is refused, and its remaining quantity is not sent again. */
  withdraw(order: WorkingOrder, refusalOf = canceledRefusal): void {
    order.giveUp();
    this.dropReplacement(order, refusalOf);
    this.cancel(order);
  }

  /** Drops the replacement of an order. Refuses the replacing intent, unless it is the order's own: that intent goes on, or ends with the order. */
  dropReplacement(order: WorkingOrder, refusalOf: (id: InstrumentId) => Refusal): void {
    const { replacement, request, intent, direction } = order;
    order.replaceBy(undefined);
    if (replacement === undefined || replacement.intentId === request.intentId) return;
    const positionSide = this.account.positionSide(request.instrumentId, direction);
    this.refuse(positionSide, replacement.intentId, intent, refusalOf(request.instrumentId));
  }

  /** Call when a cancel was refused: the order works on, and its replacement is dropped. */
  workOn(positionSide: PositionSide, order: WorkingOrder, time: EpochMs): void {
    this.dropReplacement(order, uncanceledRefusal);
    if (order.status !== 'canceling' && order.status !== 'unknown') return;
    order.moveTo(order.filledQuantity > 0n ? 'partially-filled' : 'open', time);
    positionSide.quotes.add(order);
    this.work.again(order);
  }

  /** Call at the end of the run: orders that never reached the venue expire, and replacements are dropped. */
  expireUnsent(reason: OrderReason): void {
    for (const order of this.list()) {
      this.dropReplacement(order, endedRefusal);
      if (order.venueOrderId !== undefined || order.filledQuantity > 0n) continue;
      const positionSide = this.account.positionSide(order.request.instrumentId, order.direction);
      order.reason = reason;
      order.moveTo('expired', this.#options.clock.now);
      this.reserve(positionSide, order);
      this.close(positionSide, order);
      this.#options.listener.orderChanged(order);
    }
  }

  /** Removes an order that has ended from all lists of working orders. */
  close(positionSide: PositionSide, order: WorkingOrder): void {
    positionSide.working.remove(order);
    this.working.remove(order);
    if (order.worked !== undefined) this.work.forget(order);
    if (positionSide.tallies !== undefined) this.tallies.ended(positionSide, order);
    if (this.#replaced.size > 0) this.#replaced.delete(order);
    order.expiry?.cancel();
    this.orders.end(order);
  }
}

function byAge(one: WorkingOrder, other: WorkingOrder): number {
  return one.row - other.row;
}
