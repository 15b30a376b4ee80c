import {
  maxFixed,
  minFixed,
  type EnterIntent,
  type FillRecord,
  type Fixed,
} from '../../../domain/index.js';
import type { AccountView } from '../account-view.js';
import {
  guardedByBrackets,
  bracketOf,
  soldByStop,
  takeProfitsOf,
  type EntryBracket,
} from './bracket.js';
import { BracketStops, type BracketOptions } from './bracket-stops.js';
import { BracketTakeProfits } from './bracket-take-profits.js';
import { addEntry, averagePriceOf } from '../entry-sum.js';
import { createGuard } from '../guards/guard.js';
import { isOfBracket } from '../working/order-cause.js';
import { protectionRefusal } from '../order-refusals.js';
import type { OwnOrders } from '../own-orders.js';
import type { PositionSide } from '../position-side.js';
import type { StopWatch } from '../guards/stop-watch.js';
import { floorTo } from '../guards/take-profit.js';
import type { WorkingOrder } from '../working/working-order.js';

/** A fill of an entry, and the quantity held before it; `notional`: price × quantity. */
export interface EntryFill {
  readonly fill: FillRecord;
  readonly notional: Fixed;
  readonly heldBefore: Fixed;
}

/**
 * Guards entries one by one. Each entry has a stop and a take-profit for its held quantity, and one ends the other. Any other sale counts against
 * the oldest entries first. Take-profits do not offer the quantity of exits, so that all orders together sell no more than is held (DESIGN R9).
 */
export class Brackets {
  readonly stops: BracketStops;
  readonly takeProfits: BracketTakeProfits;
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  /** Sides with brackets. Changed by this class alone. */
  readonly sides = new Set<PositionSide>();

  constructor(options: BracketOptions) {
    this.stops = new BracketStops(options);
    this.takeProfits = new BracketTakeProfits(options);
    this.#ownOrders = options.ownOrders;
    this.#account = options.ownOrders.account;
  }

  /** See {@link BracketStops.watches}. */
  watches(): readonly StopWatch[] {
    return this.stops.watches(this.sides);
  }

  /** Restores the brackets of a side. */
  restore(positionSide: PositionSide, brackets: readonly EntryBracket[]): void {
    positionSide.brackets = brackets.map((bracket) => ({ ...bracket }));
    this.sides.add(positionSide);
  }

  /** Call after a fill of an entry with a bracket. */
  onEntryFill(
    positionSide: PositionSide,
    { origin, request }: WorkingOrder,
    intent: EnterIntent,
    by: EntryFill,
  ): void {
    const { account, direction, ledger } = positionSide;
    const { fill, notional, heldBefore } = by;
    const bracket = positionSide.brackets?.find(({ intentId }) => intentId === origin) ?? {
      ...{ intentId: origin, intent, state: 'guarding', stopFailed: false },
      guard: { stop: undefined, takeProfit: undefined, trail: undefined, best: fill.price },
      ...{ quantity: 0n, entryNotional: 0n, entryQuantity: 0n },
    };
    addEntry(bracket, account.instrument, fill, notional);
    // The change of the holding, because a fee in base makes it smaller than the fill.
    bracket.quantity += ledger.holding.quantity - heldBefore;
    bracket.stopFailed = false;
    const created = createGuard(
      intent.bracket ?? {},
      averagePriceOf(bracket, account.instrument),
      direction,
    );
    if (created.kind === 'guard') bracket.guard = created.guard;
    const { stop, takeProfit } = bracket.guard;
    const isEmpty = stop === undefined && takeProfit === undefined;
    if (isEmpty && created.kind === 'guard') return;
    this.#keep(positionSide, bracket);
    if (created.kind === 'guard') return;
    // The levels were valid at the last price but are not at the fill's price.
    const refusal = protectionRefusal(created.problem);
    this.#ownOrders.refuse(positionSide, request.intentId, intent, refusal);
    this.stops.fire(positionSide, bracket);
  }

  #keep(positionSide: PositionSide, bracket: EntryBracket): void {
    positionSide.brackets ??= [];
    if (!positionSide.brackets.includes(bracket)) positionSide.brackets.push(bracket);
    this.sides.add(positionSide);
  }

  /**
   * Call after a sale on a side with brackets. `order`: the order that sold; undefined for a forced fill. An order of a bracket reduces that
   * bracket. The take-profit of the position sells the quantity that no bracket guards. Any other sale counts against the oldest brackets.
   */
  onSold(positionSide: PositionSide, heldBefore: Fixed, order?: WorkingOrder): void {
    const { brackets = [], ledger } = positionSide;
    const { quantity: held } = ledger.holding;
    const sold = heldBefore - held;
    const role = order?.role;
    const own = order && bracketOf(positionSide, order);
    if (own !== undefined) {
      const part = minFixed(own.quantity, sold);
      own.quantity -= part;
      if (own.offered !== undefined && role === 'bracket-take-profit') own.offered -= part;
    }
    const isGuards = role !== undefined && (isOfBracket(role) || role === 'take-profit');
    const excess = guardedByBrackets(brackets) - held;
    takeFrom(brackets, isGuards ? excess : maxFixed(sold, excess), (bracket) =>
      soldByStop(positionSide, bracket),
    );
    takeFrom(brackets, guardedByBrackets(brackets) - held, () => 0n);
    this.#endEmpty(positionSide);
  }

  /** Ends brackets of less than one step. */
  #endEmpty(positionSide: PositionSide): void {
    const { brackets = [] } = positionSide;
    const rules = this.#account.rules(positionSide);
    const isEmpty = ({ quantity }: EntryBracket): boolean => floorTo(quantity, rules) === 0n;
    const ended = brackets.filter(isEmpty);
    if (ended.length === 0) return;
    const left = brackets.filter((bracket) => !isEmpty(bracket));
    if (left.length === 0) this.end(positionSide);
    else positionSide.brackets = left;
    for (const bracket of ended)
      for (const order of takeProfitsOf(positionSide, bracket)) this.#ownOrders.withdraw(order);
  }

  /** Drops all brackets of a side. */
  end(positionSide: PositionSide): void {
    positionSide.brackets = undefined;
    this.sides.delete(positionSide);
  }

  /** Call after an order of a bracket has ended. */
  onEnd(positionSide: PositionSide, order: WorkingOrder): void {
    const bracket = bracketOf(positionSide, order);
    const { intentId } = order.request;
    // A large order is split into several: wait for the last of them.
    for (const { request } of positionSide.working.ofIntent(intentId))
      if (request.intentId === intentId) return;
    if (bracket === undefined) return;
    if (order.role === 'bracket-stop') {
      bracket.state = 'guarding';
      bracket.stopFailed = order.parent.filledQuantity === 0n;
    } else if (order.status === 'rejected') {
      bracket.takeProfitFailed = true;
      positionSide.hinderedAt ??= this.#account.now;
    } else bracket.offered = undefined;
  }

  /** Call when new rules are in force: take-profits that were refused are sent again, and stops of quantities that were too small may fire. */
  forgetRefusals(positionSide: PositionSide): void {
    for (const bracket of positionSide.brackets ?? []) {
      if (takeProfitsOf(positionSide, bracket).length === 0) bracket.offered = undefined;
      bracket.tooSmall = undefined;
    }
  }

  /** Whether a bracket has something to do when a candle begins. */
  get awaitsCandle(): boolean {
    for (const { brackets = [] } of this.sides)
      if (brackets.some(({ stopFailed, state }) => stopFailed || state === 'fired')) return true;
    return false;
  }
}

/** Takes a quantity from the brackets in order, but leaves each bracket the quantity that `keptBy` returns. */
function takeFrom(
  brackets: readonly EntryBracket[],
  quantity: Fixed,
  keptBy: (bracket: EntryBracket) => Fixed,
): void {
  let left = quantity;
  for (const bracket of brackets) {
    const part = maxFixed(minFixed(bracket.quantity - keptBy(bracket), left), 0n);
    bracket.quantity -= part;
    left -= part;
  }
}
