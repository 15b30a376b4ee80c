import {
  directionOf,
  multiplyFixed,
  missing,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type OrderIntent,
} from '../../domain/index.js';
import type { AccountUpdate, OrderUpdate } from '../../venue/index.js';
import { DIRECTIONS, type AccountView } from './account-view.js';
import type { OrdersCheckpoint } from './state/orders-checkpoint.js';
import { endedRefusal, refuseKind, supersededRefusal } from './order-refusals.js';
import { giveUpRests } from './give-up-rests.js';
import { Dust } from './dust.js';
import { Entries } from './entries.js';
import { Exits } from './exits.js';
import { addEntry } from './entry-sum.js';
import { GuardedSides } from './guards/guarded-sides.js';
import { isByRisk } from './forms/intent-form.js';
import { ocoOf } from './working/order-questions.js';
import type { OrderManagerOptions } from './order-manager-options.js';
import { OwnOrders } from './own-orders.js';
import { Replacements } from './replaced/replacements.js';
import { isSliced, keepRemainder, takeUnscheduled, type PositionSide } from './position-side.js';
import { createVenueStops, type VenueStops } from './venue-stops/venue-stops.js';
import { WaitingIntents, type WaitingIntent } from './waiting-intents.js';
import { resend } from './replaced/resend.js';
import {
  livingIntents,
  restoreOrders,
  takeOrders,
  type RecoverableOrders,
} from './state/restore-orders.js';
import type { StopWatch } from './guards/stop-watch.js';
import { Targets } from './targets/targets.js';
import { TimeSlices } from './worked/time-slices.js';
import { Withdrawals } from './withdrawals.js';
import type { WorkingOrder } from './working/working-order.js';

/**
 * Turns intents into orders, by way of risk, and follows each order to its end: exits wait for the orders that they replace, guards fire,
 * take-profits rest, remaining quantities are canceled or sent again (DESIGN R7, R9).
 */
export class OrderManager {
  readonly ownOrders: OwnOrders;
  readonly guards: GuardedSides;
  /** Intents that wait to be sent. */
  readonly waiting = new WaitingIntents();
  readonly dust: Dust;
  readonly withdrawals: Withdrawals;
  readonly targets: Targets;
  /** Undefined if stops stay in the process. */
  readonly venueStops: VenueStops | undefined;
  readonly #options: OrderManagerOptions;
  readonly #account: AccountView;
  readonly #exits: Exits;
  readonly #entries: Entries;
  readonly #slices: TimeSlices;
  readonly #replacements: Replacements;

  constructor(options: OrderManagerOptions) {
    const nextIntentId = (): number => options.nextIntentId();
    this.#options = options;
    this.ownOrders = new OwnOrders(options);
    this.#account = this.ownOrders.account;
    this.dust = new Dust(this.#account);
    this.#slices = new TimeSlices({
      ownOrders: this.ownOrders,
      timers: options.timers,
      exit: (positionSide, wanted) => {
        this.#exits.exit(positionSide, wanted);
      },
    });
    this.#exits = new Exits({
      ownOrders: this.ownOrders,
      waiting: this.waiting,
      dust: this.dust,
      slices: this.#slices,
      onRefused: (positionSide) => {
        this.#goOn(positionSide);
      },
    });
    this.#entries = new Entries({
      ownOrders: this.ownOrders,
      exits: this.#exits,
      waiting: this.waiting,
      slices: this.#slices,
      nextIntentId,
    });
    this.#replacements = new Replacements(this.ownOrders, this.#exits);
    this.targets = new Targets({
      hub: options.hub,
      ownOrders: this.ownOrders,
      exits: this.#exits,
      entries: this.#entries,
    });
    this.withdrawals = new Withdrawals(this.ownOrders, this.#entries, this.#exits, this.targets);
    this.venueStops = createVenueStops(options, this.ownOrders, this.#exits);
    this.guards = new GuardedSides({
      ownOrders: this.ownOrders,
      exits: this.#exits,
      dust: this.dust,
      nextIntentId,
      venueStops: this.venueStops,
      onStopFired: (instrumentId) => {
        options.listener.stopFired(instrumentId);
      },
      withdrawEntry: (intentId) => {
        this.withdrawals.referenced({ intentId });
      },
    });
  }

  // Intents.

  handle(intentId: number, intent: OrderIntent): void {
    const { hub } = this.#options;
    switch (intent.kind) {
      case 'enter': {
        const instrumentId = hub.resolveInstrument(intent.instrument);
        const positionSide = this.#account.positionSide(instrumentId, intent.direction);
        if (isByRisk(intent)) this.guards.askBest();
        this.#entries.enter(positionSide, intentId, intent);
        break;
      }
      case 'exit':
        this.#exits.exitWhereHeld(hub.resolveInstrument(intent.instrument), intentId, intent);
        break;
      case 'protect':
        this.guards.protect(hub.resolveInstrument(intent.instrument), intentId, intent);
        break;
      case 'cancel':
        this.withdrawals.referenced(intent.target);
        break;
      case 'replace':
        this.#replacements.plan(intentId, intent, hub.resolveInstrument(undefined));
        break;
      case 'flatten':
        this.flatten(intentId, intent.instrument);
        break;
      case 'target':
        this.targets.carryOut(intentId, intent);
        break;
      default:
        refuseKind(intent);
    }
  }

  /**
   * Whether an intent would change nothing if it were handled now: an entry while the side is held, an exit without a position, or a target that is
   * reached. Many strategies repeat such intents with every candle. True is always right; false may also mean that the intent was not examined.
   */
  changesNothing(intent: OrderIntent): boolean {
    if (intent.kind === 'target') return this.targets.changesNothing(intent);
    if (intent.kind !== 'enter' && intent.kind !== 'exit') return false;
    const instrumentId = this.#options.hub.knownInstrument(intent.instrument);
    if (instrumentId === undefined) return false;
    const sides = this.#account.sides(instrumentId);
    return intent.kind === 'enter'
      ? this.#entries.changesNothing(sides, intent)
      : this.#exits.changesNothing(sides, intent);
  }

  /** `label`: see `failed-exits.ts`. */
  flatten(intentId: number, instrument?: string, label = 'flatten'): void {
    const { hub } = this.#options;
    const ids = instrument === undefined ? hub.instrumentIds : [hub.resolveInstrument(instrument)];
    this.targets.withdraw(supersededRefusal, ({ intent }) => this.targets.isOf(intent, ids));
    for (const id of ids) {
      const exit = { kind: 'exit', instrument: id, label } as const;
      this.#exits.exitWhereHeld(id, intentId, exit, 'flatten');
    }
  }

  // What the venue did.

  /** @throws {InvariantError} `E_MISSING` when the update is of an order that the order manager does not follow. */
  onUpdate(update: OrderUpdate): void {
    if (this.venueStops?.onUpdate(update) === true) return;
    // The order ended before the cancel arrived, and the order manager has already learned of the end.
    const found = this.ownOrders.working.find(update.clientOrderId);
    const isOfCancel = update.kind === 'cancel-rejected' || update.kind === 'outcome-unknown';
    if (found === undefined && isOfCancel) return;
    const order = found ?? missing(`working order ${update.clientOrderId}`);
    const positionSide = this.#account.positionSide(order.request.instrumentId, order.direction);
    const step = update.kind === 'fill' ? (this.#account.rules(positionSide)?.step ?? 0n) : 0n;
    switch (update.kind) {
      case 'accepted':
        if (order.accept(update.venueOrderId, update.eventTime)) {
          this.guards.reviewTakeProfits(positionSide);
          this.#exits.makeWay(positionSide);
        }
        if (order.cancelsRest || order.isWithdrawn) this.ownOrders.cancel(order);
        break;
      case 'fill':
        order.venueOrderId ??= update.venueOrderId;
        this.#applyFill(positionSide, order, update, step);
        break;
      case 'ended':
        order.venueOrderId ??= update.venueOrderId;
        order.reason = update.reason;
        order.moveTo(update.status, update.eventTime);
        break;
      case 'cancel-rejected':
        this.ownOrders.workOn(positionSide, order, update.eventTime);
        break;
      case 'outcome-unknown':
        // The order counts as working, keeps its reservation, and is never sent again.
        order.reason = update.reason;
        order.moveTo('unknown', update.eventTime);
        break;
    }
    this.ownOrders.reserve(positionSide, order, update);
    this.#options.listener.orderChanged(order);
    if (update.kind === 'fill') {
      this.#options.listener.filled(update.fill, step, order);
      const { base, quote } = positionSide.account.instrument;
      const { feeAsset } = update.fill;
      // Asked here, because it is seldom so.
      if (feeAsset !== quote && feeAsset !== base) this.#payOtherFee(update.fill);
      const group = ocoOf(order);
      if (group !== undefined) this.withdrawals.othersOf(order, group);
    }
    if (order.isFinal) this.#settle(positionSide, order);
    else if (update.kind === 'fill') this.guards.reviewTakeProfits(positionSide);
  }

  #applyFill(
    positionSide: PositionSide,
    order: WorkingOrder,
    { fill, isFilled }: Extract<OrderUpdate, { readonly kind: 'fill' }>,
    step: Fixed,
  ): void {
    const notional = multiplyFixed(fill.price, fill.quantity);
    const { quantity: heldBefore } = positionSide.ledger.holding;
    if (fill.action === 'open') this.guards.beginEntry(positionSide);
    order.addFill(fill.quantity, notional);
    if (positionSide.tallies !== undefined) this.ownOrders.tallies.fill(positionSide, order, fill);
    if (isFilled) order.moveTo('filled', fill.eventTime);
    else if (order.status !== 'canceling') order.moveTo('partially-filled', fill.eventTime);
    const { portfolio, listener, clock } = this.#options;
    const known = { at: clock.now, decidedAt: order.createdTime };
    const financings = portfolio.applyFill(fill, step, notional, known);
    if (financings.length > 0) listener.financed(financings);
    if (fill.action === 'open') {
      addEntry(positionSide, positionSide.account.instrument, fill, notional);
      this.guards.guardEntry(positionSide, order, { fill, notional, heldBefore });
    } else this.#onSold(positionSide, heldBefore, order);
  }

  /** Books a change that no order of ours has caused. */
  onAccountUpdate(update: AccountUpdate): void {
    const { portfolio, listener } = this.#options;
    if (update.kind !== 'forced-fill') {
      const financings = portfolio.applyAccountUpdate(update, 0n);
      listener.financed(financings);
      listener.accountChanged(update);
      this.guards.onFinanced(financings);
      return;
    }
    const { fill, cause } = update;
    const positionSide = this.#account.positionSide(fill.instrumentId, directionOf(fill));
    const order = this.ownOrders.recordForced(fill, cause);
    const step = this.#account.step(positionSide);
    const { quantity: heldBefore } = positionSide.ledger.holding;
    listener.financed(portfolio.applyAccountUpdate(update, step));
    this.#onSold(positionSide, heldBefore);
    listener.orderChanged(order);
    listener.filled(fill, step, order, cause);
    this.#payOtherFee(fill);
    listener.accountChanged(update);
    this.#goOn(positionSide);
  }

  /** A fee in neither base nor quote: if the bot trades its coin, the position in it becomes smaller. */
  #payOtherFee(fill: FillRecord): void {
    const { portfolio, listener } = this.#options;
    const payer = portfolio.feePayer(fill);
    if (payer === undefined) return;
    const { instrumentId, ledger } = payer;
    const positionSide = this.#account.positionSide(instrumentId, ledger.direction);
    const { quantity: heldBefore } = ledger.holding;
    const wasHeld = ledger.isExposed;
    portfolio.payFee(payer, fill, this.#account.step(positionSide));
    if (wasHeld && !ledger.isExposed) listener.closedByFee(instrumentId, ledger);
    if (wasHeld && ledger.holding.quantity < heldBefore) this.#onSold(positionSide, heldBefore);
    this.guards.reviewTakeProfits(positionSide);
  }

  #onSold(positionSide: PositionSide, heldBefore: Fixed, order?: WorkingOrder): void {
    if (!this.#account.isHeld(positionSide)) this.#onFlat(positionSide);
    else if (positionSide.brackets !== undefined)
      this.guards.brackets.onSold(positionSide, heldBefore, order);
  }

  #onFlat(positionSide: PositionSide): void {
    this.guards.lift(positionSide);
    this.venueStops?.onFlat(positionSide);
    this.withdrawals.ofClosed(positionSide);
  }

  /** Continues after the end of an order, with everything that waited for it. */
  #settle(positionSide: PositionSide, order: WorkingOrder): void {
    this.ownOrders.close(positionSide, order);
    this.guards.onEnd(positionSide, order);
    // The order filled only in part, so the holding may be too small to be sold.
    if (order.status !== 'filled' && order.filledQuantity > 0n) this.dust.note(positionSide);
    if (order.replacement !== undefined) this.#replacements.carryOut(positionSide, order);
    else if (this.#options.remainder === 'resend' || isSliced(positionSide, order))
      keepRemainder(positionSide, order);
    if (positionSide.brackets !== undefined) this.guards.brackets.stops.goOn(positionSide);
    if (positionSide.exitJobs.length > 0) this.#exits.goOn(positionSide);
    this.#goOn(positionSide);
    if (positionSide.tallies !== undefined) this.ownOrders.tallies.settle(positionSide, order);
    this.ownOrders.attempts.tidy(() => livingIntents(this));
  }

  #goOn(positionSide: PositionSide): void {
    if (positionSide.rival?.waiting !== undefined) this.#entries.settled(positionSide);
    if (this.targets.waiting.length > 0) this.targets.goOn();
    this.guards.reviewTakeProfits(positionSide);
  }

  /** Intents that are still to be sent, oldest first. */
  get waitingIntents(): readonly WaitingIntent[] {
    return [...this.waiting.list(), ...this.#slices.list(), ...this.targets.list()].toSorted(
      (one, other) => one.intentId - other.intentId,
    );
  }

  /** Whether something has to be done when a candle begins, before the strategy's intents. */
  get awaitsCandle(): boolean {
    return this.waiting.sides.size > 0 || this.dust.hasAny || this.guards.awaitsCandle;
  }

  /**
   * Repeats what failed with the candle before. Call when an instrument's next candle is known, before the strategy's intents. Sends remaining
   * quantities, lets failed stops fire, drops waiting intents that have a price, and repeats the cancels that exits wait for.
   */
  beginCandle(instrumentId: InstrumentId): void {
    for (const direction of DIRECTIONS) {
      const positionSide = this.#account.positionSide(instrumentId, direction);
      this.guards.beginCandle(positionSide);
      this.#entries.dropOutdated(positionSide);
      this.#exits.dropOutdated(positionSide);
      this.#exits.makeWay(positionSide);
      this.#exits.again(positionSide);
      for (const rest of takeUnscheduled(positionSide))
        if (rest.role === 'bracket-stop') this.guards.brackets.stops.resend(positionSide, rest);
        else resend(rest, positionSide, this.ownOrders, this.#exits);
    }
    // A sale that was rejected may have been given up, without an order that ends.
    if (this.targets.waiting.length > 0) this.targets.goOn();
  }

  /** Call at the end of the run: orders that never reached the venue expire without a follow-up, and waiting intents are refused. */
  expireUnsent(reason: { readonly code: string; readonly text: string }): void {
    this.ownOrders.expireUnsent(reason);
    this.targets.withdraw(endedRefusal);
    for (const positionSide of this.#account.positionSides()) {
      this.#entries.withdraw(positionSide, endedRefusal);
      this.#exits.withdraw(positionSide, endedRefusal);
      giveUpRests(this.ownOrders, positionSide, endedRefusal);
    }
  }

  onLast(instrumentId: InstrumentId, last: Fixed): void {
    this.guards.onLast(instrumentId, last);
    if (this.ownOrders.work.chases.size > 0) this.ownOrders.work.onLast(instrumentId, last);
  }

  /** Whether any sample of last may matter. */
  get watchesLast(): boolean {
    return this.guards.hasAny || this.ownOrders.work.chases.size > 0;
  }

  /** The samples of last that matter to stops and to chasing orders. */
  watches(): readonly StopWatch[] {
    const { work } = this.ownOrders;
    return work.chases.size > 0
      ? [...this.guards.watches(), ...work.watches()]
      : this.guards.watches();
  }

  checkpoint(): OrdersCheckpoint {
    return takeOrders(this.#recoverable);
  }

  /** See {@link restoreOrders}. */
  restore(checkpoint: OrdersCheckpoint): void {
    restoreOrders(this.#recoverable, checkpoint);
  }

  get #recoverable(): RecoverableOrders {
    const { ownOrders, guards, waiting, dust, targets, venueStops } = this;
    const rest = { slices: this.#slices, portfolio: this.#options.portfolio };
    return { ownOrders, guards, waiting, dust, targets, venueStops, ...rest };
  }
}
