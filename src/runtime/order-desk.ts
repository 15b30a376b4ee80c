import {
  formatFixed,
  multiplyFixed,
  present,
  type EnterIntent,
  type ExitIntent,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type OrderIntent,
  type OrderReference,
  type ProtectIntent,
  type ReplaceIntent,
} from '../domain/index.js';
import type { OrderUpdate } from '../venue/index.js';
import {
  leavingRefusal,
  noPositionRefusal,
  protectionRefusal,
  refuseKind,
} from './desk-refusals.js';
import { averagePrice, createGuard, firingLevel, sampleGuard, type Guard } from './guard.js';
import type { MarketHub } from './market-hub.js';
import { DIRECTIONS, OrderBook, type BookListener, type BookOptions } from './order-book.js';
import {
  entryPriceOf,
  hasRest,
  heldQuantity,
  isEntering,
  isIdle,
  isLeaving,
  isWatched,
  keepRest,
  leavesAll,
  refersTo,
  type Rest,
  type Slot,
} from './slot.js';
import { planReplacement, restToReplace } from './replacement.js';
import { watchStop, type StopWatch } from './stop-watch.js';
import { reviewTakeProfit } from './take-profit.js';
import type { WorkingOrder } from './working-order.js';

/** What the desk tells the engine. Called in the order in which things happen. */
export interface DeskListener extends BookListener {
  filled(fill: FillRecord): void;
  stopFired(instrumentId: InstrumentId): void;
}

export interface DeskOptions extends BookOptions {
  readonly hub: MarketHub;
  /** What becomes of the unfilled rest of an order that takes what there is. */
  readonly remainder: 'cancel' | 'resend';
  readonly listener: DeskListener;
  nextIntentId(): number;
}

/**
 * Turns intents into orders, by way of risk, and follows each order to its end: exits wait for what they replace, guards fire,
 * take-profits rest, rests are canceled or sent again (DESIGN R7, R9).
 */
export class OrderDesk {
  readonly book: OrderBook;
  readonly #options: DeskOptions;
  readonly #guarded = new Set<Slot>();

  constructor(options: DeskOptions) {
    this.#options = options;
    this.book = new OrderBook(options);
  }

  // Intents.

  handle(intentId: number, intent: OrderIntent): void {
    switch (intent.kind) {
      case 'enter':
        this.#enter(intentId, intent);
        break;
      case 'exit':
        this.#exitWhereHeld(intentId, intent);
        break;
      case 'protect':
        this.#protect(intentId, intent);
        break;
      case 'cancel':
        this.#withdraw(intent.target);
        break;
      case 'replace':
        this.#replace(intentId, intent);
        break;
      case 'flatten':
        this.#flatten(intentId, intent.instrument);
        break;
      default:
        refuseKind(intent);
    }
  }

  #enter(intentId: number, intent: EnterIntent): void {
    const slot = this.book.slot(
      this.#options.hub.resolveInstrument(intent.instrument),
      intent.direction,
    );
    const isThere = heldQuantity(slot, this.book.rules(slot)) > 0n || isEntering(slot);
    if (isThere && intent.add !== true) return;
    if (isLeaving(slot) || hasRest(slot, 'exit')) {
      this.book.refuse(slot, intentId, intent, leavingRefusal(slot.instrumentId));
      return;
    }
    const last = this.book.lastPrice(slot.instrumentId);
    if (intent.protection !== undefined && last !== undefined) {
      const checked = createGuard(intent.protection, last, intent.direction);
      if (checked.kind === 'problem') {
        this.book.refuse(slot, intentId, intent, protectionRefusal(checked.problem));
        return;
      }
    }
    this.book.propose(slot, { intentId, intent, role: 'entry', size: intent.size });
  }

  #exitWhereHeld(intentId: number, intent: ExitIntent): void {
    const instrumentId = this.#options.hub.resolveInstrument(intent.instrument);
    const directions = intent.direction === undefined ? DIRECTIONS : [intent.direction];
    for (const direction of directions)
      this.#exit(this.book.slot(instrumentId, direction), intentId, intent, 'exit');
  }

  /**
   * Leaves a position once whatever works on this side has ended. Does nothing when there is nothing, or it is being left as a whole
   * already; what leaves it as a whole takes the place of what only would have left a part, or at a limit.
   */
  #exit(slot: Slot, intentId: number, intent: ExitIntent, role: 'exit' | 'stop'): void {
    // A strategy may say on every candle that it wants out: having nothing must cost nothing.
    if (isIdle(slot) && heldQuantity(slot, this.book.rules(slot)) === 0n) return;
    if (isLeaving(slot) || (slot.exitJob !== undefined && !leavesAll(intent))) {
      this.#makeWay(slot);
      return;
    }
    slot.rests.clear();
    if (heldQuantity(slot, this.book.rules(slot)) === 0n && slot.working.size === 0) return;
    slot.exitJob = { intentId, intent, role };
    this.#makeWay(slot);
    this.#continueExit(slot);
  }

  /** Cancels what an exit waits for, also again where a cancel was refused and the order works on. */
  #makeWay(slot: Slot): void {
    if (slot.exitJob !== undefined) for (const order of slot.working) this.book.cancel(order);
  }

  #continueExit(slot: Slot): void {
    const job = slot.exitJob;
    if (job === undefined || slot.working.size > 0) return;
    slot.exitJob = undefined;
    if (heldQuantity(slot, this.book.rules(slot)) === 0n) return;
    const isSent = this.book.propose(slot, {
      intentId: job.intentId,
      intent: job.intent,
      role: job.role,
      size: job.intent.size ?? { all: true },
    });
    if (isSent) return;
    if (job.role === 'stop') slot.stopFailed = true;
    this.#ensureTakeProfit(slot);
  }

  #flatten(intentId: number, instrument: string | undefined): void {
    const ids =
      instrument === undefined
        ? this.#options.hub.instrumentIds
        : [this.#options.hub.resolveInstrument(instrument)];
    for (const id of ids) {
      for (const direction of DIRECTIONS) {
        this.#exit(
          this.book.slot(id, direction),
          intentId,
          { kind: 'exit', instrument: id, label: 'flatten' },
          'exit',
        );
      }
    }
  }

  /** Withdraws every order that would open or add to a position. */
  cancelEntries(): void {
    for (const order of this.book.list())
      if (order.request.action === 'open') this.book.withdraw(order);
  }

  #protect(intentId: number, intent: ProtectIntent): void {
    const instrumentId = this.#options.hub.resolveInstrument(intent.instrument);
    const slots = DIRECTIONS.map((direction) => this.book.slot(instrumentId, direction));
    const slot = slots.find(
      (candidate) => heldQuantity(candidate, this.book.rules(candidate)) > 0n,
    );
    if (slot === undefined) {
      const unheld = this.book.slot(instrumentId, 'long');
      this.book.refuse(unheld, intentId, intent, noPositionRefusal(instrumentId));
      return;
    }
    const entryPrice = entryPriceOf(slot);
    const created = createGuard(intent.protection, entryPrice, slot.direction);
    if (created.kind === 'problem') {
      this.book.refuse(slot, intentId, intent, protectionRefusal(created.problem));
      return;
    }
    this.#guard(slot, created.guard);
    this.#ensureTakeProfit(slot);
  }

  /** The best price since entry goes on to count, and what failed under the guard before is tried again. */
  #guard(slot: Slot, guard: Guard): void {
    const { stop, takeProfit, trail } = guard;
    const isEmpty = stop === undefined && takeProfit === undefined && trail === undefined;
    slot.guard = isEmpty ? undefined : { ...guard, best: slot.guard?.best ?? guard.best };
    slot.takeProfitRefused = false;
    slot.stopFailed = false;
    if (isEmpty) this.#guarded.delete(slot);
    else this.#guarded.add(slot);
  }

  #replace(intentId: number, intent: ReplaceIntent): void {
    for (const order of this.book.referenced(intent.target)) {
      const plan = planReplacement(order, intentId, intent);
      if (plan?.kind === 'replacement') {
        order.replacement = plan.replacement;
        this.book.cancel(order);
      } else if (plan !== undefined) {
        const slot = this.book.slot(order.request.instrumentId, order.direction);
        this.book.refuse(slot, intentId, intent, plan.refusal);
      }
    }
  }

  /** Withdraws orders, what is to replace them, and rests of theirs that wait for the next candle. */
  #withdraw(target: OrderReference): void {
    for (const order of this.book.referenced(target)) this.book.withdraw(order);
    for (const { rests } of this.book.slots()) {
      for (const rest of rests.values()) if (refersTo(target, rest)) rests.delete(rest.intentId);
    }
  }

  // Orders.

  /** @throws {InvariantError} `E_MISSING` when the update is of an order the desk does not follow. */
  onUpdate(update: OrderUpdate): void {
    // The cancel met an order that had ended while it was on its way, which the desk has learned already.
    const found = this.book.find(update.clientOrderId);
    if (found === undefined && update.kind === 'cancel-rejected') return;
    const order = present(found, `working order ${update.clientOrderId}`);
    const slot = this.book.slot(order.request.instrumentId, order.direction);
    switch (update.kind) {
      case 'accepted':
        order.venueOrderId = update.venueOrderId;
        if (order.status === 'submitting') order.moveTo('open', update.eventTime);
        if (order.cancelsRest) this.book.cancel(order);
        break;
      case 'fill':
        this.#applyFill(slot, order, update.fill, update.isFilled);
        break;
      case 'ended':
        order.reason = update.reason;
        order.moveTo(update.status, update.eventTime);
        break;
      case 'cancel-rejected':
        if (order.status === 'canceling')
          order.moveTo(order.filledQuantity > 0n ? 'partially-filled' : 'open', update.eventTime);
        order.replacement = undefined;
        break;
    }
    this.book.reserve(slot, order);
    this.#options.listener.orderChanged(order);
    if (update.kind === 'fill') this.#options.listener.filled(update.fill);
    if (order.isFinal) this.#settle(slot, order);
    else if (update.kind === 'fill') this.#ensureTakeProfit(slot);
  }

  #applyFill(slot: Slot, order: WorkingOrder, fill: FillRecord, isFilled: boolean): void {
    const notional = multiplyFixed(fill.price, fill.quantity);
    order.filledQuantity += fill.quantity;
    order.filledNotional += notional;
    if (isFilled) order.moveTo('filled', fill.eventTime);
    else if (order.status !== 'canceling') order.moveTo('partially-filled', fill.eventTime);
    this.#options.portfolio.applyFill(fill, this.book.rules(slot)?.step ?? 0n);
    if (fill.action === 'open') {
      slot.entryNotional += notional;
      slot.entryQuantity += fill.quantity;
      this.#guardEntry(slot, order);
    } else if (heldQuantity(slot, this.book.rules(slot)) === 0n) {
      this.#onFlat(slot);
    }
  }

  #guardEntry(slot: Slot, order: WorkingOrder): void {
    if (order.intent.kind !== 'enter' || order.intent.protection === undefined) return;
    const entryPrice = averagePrice(slot.entryNotional, slot.entryQuantity);
    const created = createGuard(order.intent.protection, entryPrice, slot.direction);
    if (created.kind === 'problem') {
      // The levels were possible at the last price but are not at the fill's: a position that cannot be guarded is left.
      const intentId = this.#options.nextIntentId();
      this.book.refuse(
        slot,
        order.request.intentId,
        order.intent,
        protectionRefusal(created.problem),
      );
      this.#exit(
        slot,
        intentId,
        { kind: 'exit', instrument: slot.instrumentId, label: 'unguarded' },
        'stop',
      );
      return;
    }
    this.#guard(slot, created.guard);
  }

  #onFlat(slot: Slot): void {
    slot.guard = undefined;
    slot.rests.clear();
    slot.entryNotional = 0n;
    slot.entryQuantity = 0n;
    this.#guarded.delete(slot);
    for (const order of slot.working) if (order.request.action === 'close') this.book.cancel(order);
  }

  /** After an order's end: what waited for it goes on. */
  #settle(slot: Slot, order: WorkingOrder): void {
    this.book.close(slot, order);
    if (order.role === 'take-profit' && order.status === 'rejected') slot.takeProfitRefused = true;
    if (order.role === 'stop' && order.filledQuantity === 0n) slot.stopFailed = true;
    if (slot.exitJob !== undefined) {
      this.#continueExit(slot);
      return;
    }
    const replacement = restToReplace(order);
    if (replacement !== undefined) this.book.propose(slot, replacement);
    else if (this.#options.remainder === 'resend') keepRest(slot, order);
    this.#ensureTakeProfit(slot);
  }

  /**
   * Tries again what could not be done with the candle before. Called when an instrument's next candle is known, before the strategy's
   * intents: rests are sent, stops that failed may fire, and what an exit waits for is canceled again.
   */
  beginCandle(instrumentId: InstrumentId): void {
    for (const direction of DIRECTIONS) {
      const slot = this.book.slot(instrumentId, direction);
      slot.stopFailed = false;
      this.#makeWay(slot);
      const rests = [...slot.rests.values()];
      slot.rests.clear();
      for (const rest of rests) this.#resend(slot, rest);
    }
  }

  #resend(slot: Slot, { intentId, intent, role, unit, quantity }: Rest): void {
    const amount = formatFixed(quantity);
    if (intent.kind === 'exit' && (role === 'exit' || role === 'stop')) {
      const isPart = intent.size !== undefined;
      this.#exit(slot, intentId, isPart ? { ...intent, size: { quantity: amount } } : intent, role);
    } else {
      const size = unit === 'quote' ? { notional: amount } : { quantity: amount };
      this.book.propose(slot, { intentId, intent, role, size });
    }
  }

  // Guards.

  /** Samples a last price: trailing stops follow it, and stops it has reached fire. */
  onLast(instrumentId: InstrumentId, last: Fixed): void {
    for (const slot of this.#guarded) {
      if (slot.instrumentId !== instrumentId || slot.guard === undefined || !isWatched(slot))
        continue;
      slot.guard = sampleGuard(slot.guard, last, slot.direction);
      const level = firingLevel(slot.guard, slot.direction);
      if (level === undefined || (slot.direction === 'long' ? last > level : last < level))
        continue;
      const label = slot.guard.stop === level ? 'stop-loss' : 'trailing-stop';
      this.#options.listener.stopFired(instrumentId);
      this.#exit(
        slot,
        this.#options.nextIntentId(),
        { kind: 'exit', instrument: instrumentId, label },
        'stop',
      );
    }
  }

  /** Stops to be sampled, for drivers that can tell in advance which samples matter. */
  stopWatches(): StopWatch[] {
    return [...this.#guarded].flatMap((slot) => watchStop(slot) ?? []);
  }

  get hasGuards(): boolean {
    return this.#guarded.size > 0;
  }

  /** Keeps one resting LIMIT for the whole position. */
  #ensureTakeProfit(slot: Slot): void {
    const step = reviewTakeProfit(slot, this.book.rules(slot));
    if (step === undefined) return;
    if (step.kind === 'cancel') {
      this.book.cancel(step.order);
      return;
    }
    const isSent = this.book.propose(slot, {
      intentId: this.#options.nextIntentId(),
      intent: step.intent,
      role: 'take-profit',
      size: { all: true },
    });
    if (!isSent) slot.takeProfitRefused = true;
  }
}
