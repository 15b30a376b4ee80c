import { formatFixed, maxFixed, minFixed, present, type Fixed } from '../../../domain/index.js';
import type { AccountView } from '../account-view.js';
import { exitOf, guardedByBrackets, takeProfitsOf, type EntryBracket } from './bracket.js';
import { noteTooSmall, type BracketOptions } from './bracket-stops.js';
import { isClosingNoMore } from '../working/order-questions.js';
import type { OwnOrders } from '../own-orders.js';
import {
  heldQuantity,
  isDust,
  isSettled,
  offeredByExits,
  type PositionSide,
} from '../position-side.js';
import { floorTo } from '../guards/take-profit.js';

/** Take-profits of single entries, which rest at the venue. */
export class BracketTakeProfits {
  readonly #ownOrders: OwnOrders;
  readonly #account: AccountView;
  readonly #nextIntentId: () => number;

  constructor({ ownOrders, nextIntentId }: BracketOptions) {
    this.#ownOrders = ownOrders;
    this.#account = ownOrders.account;
    this.#nextIntentId = nextIntentId;
  }

  /** Keeps a LIMIT resting for the quantity of each bracket that no exit offers. Exits reduce the oldest brackets first. */
  review(positionSide: PositionSide): void {
    const rules = this.#account.rules(positionSide);
    const held = heldQuantity(positionSide, rules);
    const { brackets = [] } = positionSide;
    if (isDust(positionSide)) return;
    const maySend = isSettled(positionSide);
    let taken = guardedByBrackets(brackets) + offeredByExits(positionSide) - held;
    for (const bracket of brackets) {
      const part = minFixed(bracket.quantity, maxFixed(taken, 0n));
      taken -= part;
      if (bracket.state === 'guarding' && bracket.guard.takeProfit !== undefined)
        this.#reviewOne(positionSide, bracket, {
          left: floorTo(bracket.quantity - part, rules),
          offered: floorTo(bracket.offered ?? 0n, rules),
          maySend,
        });
    }
  }

  #reviewOne(
    positionSide: PositionSide,
    bracket: EntryBracket,
    by: { readonly left: Fixed; readonly offered: Fixed; readonly maySend: boolean },
  ): void {
    const { left, offered, maySend } = by;
    const level = present(bracket.guard.takeProfit, 'the take-profit of a bracket');
    const limitPrice = formatFixed(level);
    const own = takeProfitsOf(positionSide, bracket);
    const [first] = own;
    if (first !== undefined) {
      const isCurrent = first.intent.kind === 'exit' && first.intent.limitPrice === limitPrice;
      if (offered > left || (maySend && (offered !== left || !isCurrent)))
        for (const order of own) this.#ownOrders.cancel(order);
      return;
    }
    const wasRefused = bracket.offered !== undefined && offered === left;
    if (!maySend || wasRefused || left === 0n) return;
    if (this.#waitsForCancel(positionSide, left)) return;
    bracket.offered = left;
    if (bracket.takeProfitFailed === true) bracket.takeProfitFailed = false;
    bracket.takeProfitId = this.#nextIntentId();
    const quantity = formatFixed(left);
    const isSent = this.#ownOrders.propose(positionSide, {
      intentId: bracket.takeProfitId,
      intent: { ...exitOf(positionSide, bracket, quantity), limitPrice },
      role: 'bracket-take-profit',
      size: { quantity },
    });
    if (isSent) return;
    noteTooSmall(this.#account, positionSide, bracket);
    // The end of another order makes room for it.
    if (this.#account.isFull(positionSide)) bracket.offered = undefined;
  }

  /** Whether an order that is being canceled still holds the quantity of the new order. */
  #waitsForCancel(positionSide: PositionSide, quantity: Fixed): boolean {
    const { instrumentId, direction, working } = positionSide;
    if (!working.some(isClosingNoMore)) return false;
    const held = heldQuantity(positionSide, this.#account.rules(positionSide));
    return quantity > held - this.#account.closing(instrumentId, direction);
  }
}
