import {
  formatFixed,
  type Fixed,
  type InstrumentId,
  type OrderIntent,
  type ProtectIntent,
  type Protection,
} from '../../../domain/index.js';
import { liquidationOnTick } from '../../../risk/index.js';
import type { Financing } from '../../portfolio/financing.js';
import { DIRECTIONS, type AccountView } from '../account-view.js';
import { noPositionRefusal, protectionRefusal, sidesRefusal } from '../order-refusals.js';
import type { BracketOptions } from '../brackets/bracket-stops.js';
import { Brackets, type EntryFill } from '../brackets/brackets.js';
import type { Dust } from '../dust.js';
import { NO_EXITS } from '../failed-exits.js';
import {
  createGuard,
  firingLevel,
  improveGuard,
  sampleGuard,
  type Guard,
  type GuardProblem,
} from './guard.js';
import { isOfBracket } from '../working/order-cause.js';
import { isTakeProfit } from '../working/order-questions.js';
import type { OwnOrders } from '../own-orders.js';
import {
  entriesUnderWay,
  entryPriceOf,
  heldQuantity,
  isLeftOver,
  isWatched,
  type PositionSide,
} from '../position-side.js';
import { watchStop, type StopWatch } from './stop-watch.js';
import { reviewTakeProfit } from './take-profit.js';
import type { VenueStops } from '../venue-stops/venue-stops.js';
import type { WorkingOrder } from '../working/working-order.js';

interface GuardedSidesOptions extends BracketOptions {
  readonly dust: Dust;
  /** @defaultValue stops stay in the process */
  readonly venueStops?: VenueStops | undefined;
}

/** Guards positions, and single entries with brackets: stops fire at samples of last, and take-profits rest at the venue (DESIGN R9). */
export class GuardedSides {
  readonly brackets: Brackets;
  /** Called before an entry may be sized by the level of a trailing stop: a driver that uses {@link improve} tells the best prices by then. */
  askBest: () => void = () => undefined;
  readonly #options: GuardedSidesOptions;
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  readonly #guarded = new Set<PositionSide>();

  constructor(options: GuardedSidesOptions) {
    this.brackets = new Brackets(options);
    this.#options = options;
    this.#ownOrders = options.ownOrders;
    this.#account = options.ownOrders.account;
  }

  get hasAny(): boolean {
    return this.#guarded.size > 0 || this.brackets.sides.size > 0;
  }

  /** Whether a side has something to do when a candle begins: try a failed stop again, or send a remaining quantity. */
  get awaitsCandle(): boolean {
    if (this.#options.venueStops?.awaitsCandle === true) return true;
    if (!this.hasAny) return false;
    for (const positionSide of this.#account.positionSides()) {
      if (positionSide.stopFailed || positionSide.remainders.size > 0) return true;
      if (this.#account.expectsNewRules(positionSide)) return true;
    }
    return this.brackets.sides.size > 0 && this.brackets.awaitsCandle;
  }

  /** Whether the stop of a side may fire. A holding that newer rules have made less than one step cannot be sold. */
  #mayFire(positionSide: PositionSide): boolean {
    return isWatched(positionSide) && this.#account.isHeld(positionSide);
  }

  /** Stops to be sampled, for drivers that can tell in advance which samples matter. */
  watches(): StopWatch[] {
    const watches: StopWatch[] = [];
    for (const positionSide of this.#guarded) {
      const watch = this.#mayFire(positionSide) ? watchStop(positionSide) : undefined;
      if (watch !== undefined) watches.push(watch);
    }
    if (this.brackets.sides.size > 0) watches.push(...this.brackets.watches());
    return watches;
  }

  /** Call at a new candle: stops that failed may fire again, and what the rules did not allow is tried again if they have changed. */
  beginCandle(positionSide: PositionSide): void {
    positionSide.stopFailed = false;
    this.#options.venueStops?.beginCandle(positionSide);
    if (positionSide.brackets !== undefined) this.brackets.stops.beginCandle(positionSide);
    if (this.#account.hasNewRules(positionSide)) this.#tryByNewRules(positionSide);
  }

  /** Tries again what earlier rules of the venue have refused, and measures again what was too small. */
  #tryByNewRules(positionSide: PositionSide): void {
    positionSide.hinderedAt = undefined;
    positionSide.takeProfitRefused = false;
    if (positionSide.tooSmall !== undefined) this.#options.dust.note(positionSide);
    this.brackets.forgetRefusals(positionSide);
    this.reviewTakeProfits(positionSide);
  }

  /** Tries again before the next candle of an instrument: failed stops may fire, and take-profits and exits that the venue rejected are sent again. */
  retry(instrumentId: InstrumentId): void {
    for (const direction of DIRECTIONS) {
      const positionSide = this.#account.positionSide(instrumentId, direction);
      this.beginCandle(positionSide);
      if (positionSide.takeProfitFailed) positionSide.takeProfitRefused = false;
      positionSide.takeProfitFailed = false;
      for (const bracket of positionSide.brackets ?? [])
        if (bracket.takeProfitFailed === true) bracket.offered = undefined;
      this.#options.exits.again(positionSide);
      this.reviewTakeProfits(positionSide);
    }
  }

  /** Guarded sides, in the order in which their stops are sampled. */
  get sides(): readonly PositionSide[] {
    return [...this.#guarded];
  }

  /** Restores a guard. */
  restore(positionSide: PositionSide, guard: Guard): void {
    positionSide.guard = guard;
    positionSide.guardNumber += 1;
    this.#guarded.add(positionSide);
  }

  /** Guards the held side. If both sides are held, the intent has to name one. */
  protect(instrumentId: InstrumentId, intentId: number, intent: ProtectIntent): void {
    const [first, second] = DIRECTIONS.filter(
      (direction) => intent.direction === undefined || intent.direction === direction,
    )
      .map((direction) => this.#account.positionSide(instrumentId, direction))
      .filter((positionSide) => heldQuantity(positionSide, this.#account.rules(positionSide)) > 0n);
    if (first === undefined || second !== undefined) {
      const positionSide =
        first ?? this.#account.positionSide(instrumentId, intent.direction ?? 'long');
      const refusal =
        first === undefined ? noPositionRefusal(instrumentId) : sidesRefusal(instrumentId);
      this.#ownOrders.refuse(positionSide, intentId, intent, refusal);
      return;
    }
    const created = this.#create(first, intentId, intent, intent.protection);
    if (created === undefined) return;
    const problem = this.#problemOf(first, created);
    if (problem !== undefined) {
      this.#ownOrders.refuse(first, intentId, intent, protectionRefusal(problem));
      return;
    }
    this.#set(first, created);
    first.overruled = entriesUnderWay(first);
    this.reviewTakeProfits(first);
  }

  /** Finds a stop that would never be reached, because the venue would liquidate the position first. */
  #problemOf(positionSide: PositionSide, guard: Guard): GuardProblem | undefined {
    const { account, instrumentId, direction } = positionSide;
    const stop = firingLevel(guard, direction);
    if (account.instrument.kind !== 'futures' || stop === undefined) return undefined;
    const liquidation = this.#account.liquidationWith(instrumentId, direction);
    const isLong = direction === 'long';
    if (liquidation === undefined || (isLong ? stop > liquidation : stop < liquidation))
      return undefined;
    const rules = this.#account.rules(positionSide);
    const shown = rules ? liquidationOnTick(liquidation, direction, rules) : liquidation;
    return {
      field: guard.stop === stop ? 'stopLoss' : 'trailingStop',
      expected: `a stop ${isLong ? 'above' : 'below'} ${formatFixed(shown)}, where the position is liquidated`,
      received: formatFixed(stop),
    };
  }

  /** Guards the filled quantity of an entry, by the guard of the side or by a bracket. A position that cannot be guarded is left. */
  guardEntry(positionSide: PositionSide, order: WorkingOrder, by: EntryFill): void {
    const { intent, request } = order;
    if (intent.kind !== 'enter') return;
    if (intent.bracket !== undefined) this.brackets.onEntryFill(positionSide, order, intent, by);
    // A newer `protect` counts, also for what fills later.
    if (intent.protection === undefined || positionSide.overruled.includes(order.origin)) return;
    const guard = this.#create(positionSide, request.intentId, intent, intent.protection);
    if (guard !== undefined) this.#set(positionSide, guard);
    // The levels were valid at the last price but are not at the fill's price.
    else this.#stop(positionSide, this.#options.nextIntentId(), 'unguarded');
  }

  /** The guard, or undefined after a refusal. */
  #create(
    positionSide: PositionSide,
    intentId: number,
    intent: OrderIntent,
    protection: Protection,
  ): Guard | undefined {
    const created = createGuard(protection, entryPriceOf(positionSide), positionSide.direction);
    if (created.kind === 'guard') return created.guard;
    this.#ownOrders.refuse(positionSide, intentId, intent, protectionRefusal(created.problem));
    return undefined;
  }

  /** Sets a guard. Keeps the best price since entry, and clears failures of the guard before, so that orders are tried again. */
  #set(positionSide: PositionSide, guard: Guard): void {
    const { stop, takeProfit, trail } = guard;
    const isEmpty = stop === undefined && takeProfit === undefined && trail === undefined;
    if (positionSide.guard === undefined) positionSide.guardNumber += 1;
    positionSide.guard = isEmpty
      ? undefined
      : { ...guard, best: positionSide.guard?.best ?? guard.best };
    positionSide.takeProfitTried = 0n;
    positionSide.takeProfitRefused = false;
    positionSide.takeProfitFailed = false;
    positionSide.stopFailed = false;
    if (isEmpty) this.#guarded.delete(positionSide);
    else this.#guarded.add(positionSide);
  }

  /** Call after an order has ended: notes failures, so that a failing order is not repeated without end. */
  onEnd(positionSide: PositionSide, order: WorkingOrder): void {
    const { role, status, parent } = order;
    if (role === 'take-profit' && status === 'rejected') {
      positionSide.takeProfitRefused = true;
      positionSide.takeProfitFailed = true;
      positionSide.hinderedAt ??= this.#account.now;
    }
    // Of a large stop that was split into several orders, one may end without a fill.
    if (role === 'stop') positionSide.stopFailed = parent.filledQuantity === 0n;
    if (isOfBracket(role)) this.brackets.onEnd(positionSide, order);
    if (status === 'rejected') this.#options.exits.noteRejected(positionSide, order);
    // Both sides share the number of orders that may work.
    const { other } = positionSide;
    if (other.hinderedAt !== undefined) this.reviewTakeProfits(other);
  }

  /** Call when the position is closed: removes its guards, and forgets its entries. */
  lift(positionSide: PositionSide): void {
    positionSide.failedExits = NO_EXITS;
    if (positionSide.brackets !== undefined) this.brackets.end(positionSide);
    this.#beginAnew(positionSide);
  }

  /**
   * Call before an entry fills. One that tops up what exits have left begins a position of its own: earlier entries are not part of its average price, and
   * the guard before was made for a position that is gone. So are the guards of the other side, if only one can be held.
   */
  beginEntry(positionSide: PositionSide): void {
    if (isLeftOver(positionSide)) this.#beginAnew(positionSide);
    const { rival } = positionSide;
    if (rival !== undefined && this.#isGuarded(rival) && !this.#account.isHeld(rival))
      this.lift(rival);
  }

  #isGuarded({ guard, brackets }: PositionSide): boolean {
    return guard !== undefined || brackets !== undefined;
  }

  #beginAnew(positionSide: PositionSide): void {
    positionSide.entryNotional = 0n;
    positionSide.entryQuantity = 0n;
    positionSide.hinderedAt = undefined;
    positionSide.overruled = [];
    if (positionSide.guard === undefined) return;
    positionSide.guard = undefined;
    positionSide.takeProfitTried = 0n;
    this.#guarded.delete(positionSide);
  }

  /** Samples a last price: trailing stops follow it, and stops that it has reached fire. */
  onLast(instrumentId: InstrumentId, last: Fixed): void {
    for (const positionSide of this.#guarded) {
      if (
        positionSide.instrumentId !== instrumentId ||
        positionSide.guard === undefined ||
        !this.#mayFire(positionSide)
      )
        continue;
      positionSide.guard = sampleGuard(positionSide.guard, last, positionSide.direction);
      const level = firingLevel(positionSide.guard, positionSide.direction);
      if (level === undefined || (positionSide.direction === 'long' ? last > level : last < level))
        continue;
      if (this.#options.venueStops?.holdsBack(positionSide, last) === true) continue;
      const label = positionSide.guard.stop === level ? 'stop-loss' : 'trailing-stop';
      this.#options.onStopFired(instrumentId);
      this.#stop(positionSide, this.#options.nextIntentId(), label);
    }
    if (this.brackets.sides.size > 0) this.brackets.stops.onLast(instrumentId, last);
  }

  /**
   * Applies the best of several samples that did not reach the level of a trailing stop, with the same result as {@link onLast} for each sample.
   * If the guard was replaced since, the samples came before the replacement, and their best price still counts.
   */
  improve({ instrumentId, direction, guardNumber }: StopWatch, best: Fixed): void {
    const positionSide = this.#account.positionSide(instrumentId, direction);
    const { guard } = positionSide;
    if (guard !== undefined && positionSide.guardNumber === guardNumber)
      positionSide.guard = improveGuard(guard, best, direction);
  }

  #stop(positionSide: PositionSide, intentId: number, label: string): void {
    const { instrumentId: instrument, direction } = positionSide;
    const intent = { kind: 'exit', instrument, direction, label } as const;
    this.#options.exits.exit(positionSide, {
      intentId,
      intent,
      role: 'stop',
      withdrawsEntries: true,
    });
  }

  /** Interest in base makes a short larger, and its take-profit with it. */
  onFinanced(financings: readonly Financing[]): void {
    for (const { instrumentId, direction, accrued } of financings)
      if (accrued.quantity > 0n)
        this.reviewTakeProfits(this.#account.positionSide(instrumentId, direction));
  }

  /** Keeps one resting LIMIT for the whole position, and for each bracket, until the run is over. */
  reviewTakeProfits(positionSide: PositionSide): void {
    if (this.#ownOrders.isOver) return;
    // Usually there is no guard and no working order.
    if (positionSide.guard !== undefined || positionSide.working.size > 0)
      this.#reviewTakeProfit(positionSide);
    if (positionSide.brackets !== undefined) this.brackets.takeProfits.review(positionSide);
  }

  #reviewTakeProfit(positionSide: PositionSide): void {
    const step = reviewTakeProfit(positionSide, this.#account.rules(positionSide), {
      isAtVenue: this.#options.venueStops?.takesProfit(positionSide) === true,
      feeRate: this.#account.feeInBase(positionSide),
    });
    if (step === undefined) return;
    if (step.kind === 'cancel') {
      for (const order of positionSide.working.those(isTakeProfit)) this.#ownOrders.cancel(order);
      return;
    }
    positionSide.takeProfitTried = step.quantity;
    positionSide.takeProfitFailed = false;
    positionSide.takeProfitRefused = !this.#ownOrders.propose(positionSide, {
      intentId: this.#options.nextIntentId(),
      intent: step.intent,
      role: 'take-profit',
      size: step.intent.size ?? { all: true },
    });
    if (!positionSide.takeProfitRefused) return;
    positionSide.hinderedAt ??= this.#account.now;
    // The end of another order makes room for it.
    if (this.#account.isFull(positionSide)) positionSide.takeProfitTried = 0n;
  }
}
