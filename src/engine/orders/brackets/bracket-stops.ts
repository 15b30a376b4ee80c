import {
  formatFixed,
  maxFixed,
  minFixed,
  present,
  type Fixed,
  type InstrumentId,
} from '../../../domain/index.js';
import { DIRECTIONS, type AccountView } from '../account-view.js';
import { exitOf, guardedByBrackets, takeProfitsOf, type EntryBracket } from './bracket.js';
import type { Exits } from '../exits.js';
import { isRestingExit, isTakeProfit } from '../working/order-questions.js';
import { supersededRefusal } from '../order-refusals.js';
import type { OwnOrders } from '../own-orders.js';
import {
  heldQuantity,
  isDust,
  isLeaving,
  type PositionSide,
  type Remainder,
} from '../position-side.js';
import type { StopWatch } from '../guards/stop-watch.js';
import { findTooSmall, isTooSmall } from '../too-small.js';

export interface BracketOptions {
  readonly ownOrders: OwnOrders;
  readonly exits: Exits;
  readonly onStopFired: (instrumentId: InstrumentId) => void;
  /** Withdraws the rest of an entry, by intent id: it would open again what the stop closes. */
  readonly withdrawEntry: (intentId: number) => void;
  readonly nextIntentId: () => number;
}

/** Stops of single entries. Each sells the quantity of its bracket, after the orders that already offer this quantity have ended. */
export class BracketStops {
  readonly #options: BracketOptions;
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;

  constructor(options: BracketOptions) {
    this.#options = options;
    this.#ownOrders = options.ownOrders;
    this.#account = options.ownOrders.account;
  }

  /** The nearest stop of each side: last reaches it before any other. */
  watches(sides: Iterable<PositionSide>): readonly StopWatch[] {
    return [...sides].toSorted(byPlace).flatMap((positionSide) => {
      const { instrumentId, direction } = positionSide;
      const armed = this.#armed(positionSide);
      const [first, ...others] = armed.flatMap(({ guard: { stop } }) => stop ?? []);
      if (first === undefined) return [];
      const nearer = direction === 'long' ? maxFixed : minFixed;
      const level = others.reduce(nearer, first);
      const quantity = guardedByBrackets(armed);
      return [
        { instrumentId, direction, level, quantity, trail: undefined, best: level, guardNumber: 0 },
      ];
    });
  }

  /** Brackets of a side whose stop may fire. */
  #armed(positionSide: PositionSide): readonly EntryBracket[] {
    const { brackets = [], account } = positionSide;
    if (isDust(positionSide) || isLeaving(positionSide)) return [];
    // Newer rules have made it less than one step.
    if (!this.#account.isHeld(positionSide)) return [];
    return brackets.filter(
      ({ guard, state, stopFailed, tooSmall, quantity }) =>
        guard.stop !== undefined &&
        state === 'guarding' &&
        !stopFailed &&
        !isTooSmall(tooSmall, quantity, account),
    );
  }

  /** Samples a last price: stops that it has reached fire, those of older entries first. */
  onLast(instrumentId: InstrumentId, last: Fixed): void {
    for (const direction of DIRECTIONS) {
      const positionSide = this.#account.positionSide(instrumentId, direction);
      if (positionSide.brackets === undefined) continue;
      for (const bracket of this.#armed(positionSide)) {
        const stop = present(bracket.guard.stop, 'the stop of an armed bracket');
        if (direction === 'long' ? last <= stop : last >= stop) this.fire(positionSide, bracket);
      }
    }
  }

  /** Call at a new candle: failed stops may fire again, and fired stops repeat the cancels that they wait for. */
  beginCandle(positionSide: PositionSide): void {
    for (const bracket of positionSide.brackets ?? []) bracket.stopFailed = false;
    this.goOn(positionSide);
  }

  /** Sends the remaining quantity of a stop again. */
  resend(positionSide: PositionSide, { intentId }: Remainder): void {
    const bracket = positionSide.brackets?.find(({ stopId }) => stopId === intentId);
    if (bracket?.state === 'guarding') this.#sell(positionSide, bracket);
  }

  /** Sells the quantity of a bracket, and withdraws the rest of its entry. */
  fire(positionSide: PositionSide, bracket: EntryBracket): void {
    // The new order includes the remaining quantity of an earlier stop order.
    if (bracket.stopId !== undefined) positionSide.remainders.delete(bracket.stopId);
    this.#options.onStopFired(positionSide.instrumentId);
    this.#options.withdrawEntry(bracket.intentId);
    this.#sell(positionSide, bracket);
  }

  /** Continues fired stops: each sells once no other order offers its quantity. */
  goOn(positionSide: PositionSide): void {
    for (const bracket of positionSide.brackets ?? [])
      if (bracket.state === 'fired') this.#sell(positionSide, bracket);
  }

  /** Sells the quantity of a bracket at any price, or first withdraws the orders that offer it. */
  #sell(positionSide: PositionSide, bracket: EntryBracket): void {
    bracket.state = 'fired';
    // An exit of the whole position already includes the quantity of this bracket.
    if (isLeaving(positionSide)) {
      bracket.state = 'guarding';
      return;
    }
    const { instrumentId: instrument, direction } = positionSide;
    if (!this.#hasWay(positionSide, bracket)) return;
    const held = heldQuantity(positionSide, this.#account.rules(positionSide));
    const free = held - this.#account.closing(instrument, direction);
    // Another exit is about to sell it.
    if (free <= 0n) return;
    const quantity = formatFixed(minFixed(bracket.quantity, free));
    const size = bracket.quantity >= held ? { all: true as const } : { quantity };
    bracket.stopId = this.#options.nextIntentId();
    const planned = { intentId: bracket.stopId, role: 'bracket-stop', size } as const;
    const intent = exitOf(positionSide, bracket, quantity);
    bracket.state = 'stopping';
    if (this.#ownOrders.propose(positionSide, { ...planned, intent })) return;
    bracket.state = 'guarding';
    bracket.stopFailed = true;
    noteTooSmall(this.#account, positionSide, bracket);
  }

  /** Whether no other order offers the quantity of a stop. If some do, withdraws them; withdraws the bracket's own take-profit always. */
  #hasWay(positionSide: PositionSide, bracket: EntryBracket): boolean {
    const { instrumentId, direction, working } = positionSide;
    const own = takeProfitsOf(positionSide, bracket);
    for (const order of own) this.#ownOrders.withdraw(order);
    if (own.length > 0) return false;
    const held = heldQuantity(positionSide, this.#account.rules(positionSide));
    const free = held - this.#account.closing(instrumentId, direction);
    let lacking = minFixed(bracket.quantity, held) - free;
    let hasWay = true;
    for (const orders of [working.those(isTakeProfit), working.those(isRestingExit)])
      for (const order of orders) {
        if (lacking <= 0n) return hasWay;
        lacking -= order.remaining;
        hasWay = false;
        this.#ownOrders.withdraw(order, supersededRefusal);
      }
    return hasWay;
  }
}

/** Call after an order of a bracket was refused. Checks whether its quantity could be sold at the last price, and notes the result. */
export function noteTooSmall(
  view: AccountView,
  positionSide: PositionSide,
  bracket: EntryBracket,
): void {
  const { account, instrumentId } = positionSide;
  positionSide.hinderedAt ??= view.now;
  const rules = view.rules(positionSide);
  const last = view.lastPrice(instrumentId);
  if (rules === undefined || last === undefined) return;
  bracket.tooSmall = findTooSmall(account, bracket.quantity, last, rules);
}

/** A sort order that does not depend on history, so that a restarted bot samples in the same order. */
function byPlace(one: PositionSide, other: PositionSide): number {
  if (one.instrumentId !== other.instrumentId)
    return one.instrumentId < other.instrumentId ? -1 : 1;
  return one.direction === 'long' ? -1 : 1;
}
