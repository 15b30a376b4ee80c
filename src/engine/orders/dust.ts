import type { Direction, Fixed, InstrumentId } from '../../domain/index.js';
import type { InstrumentAccount } from '../portfolio/instrument-account.js';
import type { AccountView } from './account-view.js';
import { isDust, isRest, type PositionSide } from './position-side.js';
import { findTooSmall } from './too-small.js';

/** What is held and too small to be sold: it blocks no entry, its stop is not tried, and an entry tops it up. */
export class Dust {
  readonly #account: AccountView;
  readonly #sides = new Set<PositionSide>();

  constructor(account: AccountView) {
    this.#account = account;
  }

  /** Whether any is held, which may be large enough at the next price. */
  get hasAny(): boolean {
    for (const positionSide of this.#sides)
      if (positionSide.tooSmall?.quantity !== positionSide.ledger.holding.quantity)
        this.#sides.delete(positionSide);
    return this.#sides.size > 0;
  }

  /** Sides of which all that is held is dust at the last price. */
  get sides(): readonly PositionSide[] {
    return [...this.#sides].filter(isDust);
  }

  /** What {@link sides} hold. */
  get held(): readonly { readonly instrumentId: InstrumentId; readonly quantity: Fixed }[] {
    return this.sides.map(({ instrumentId, ledger: { holding } }) => ({
      instrumentId,
      quantity: holding.quantity,
    }));
  }

  /** Whether no stop sells what a side holds: it is too small for the rules in force, at the last price where one is known, or is what exits left by coarser ones. */
  isUnguardable(account: InstrumentAccount, direction: Direction): boolean {
    const { [direction]: ledger, instrument } = account;
    const { quantity } = ledger.holding;
    const rules = this.#account.rules({ instrumentId: instrument.id });
    if (rules === undefined || quantity === 0n) return false;
    if (quantity < rules.step || isRest({ ledger })) return true;
    const last = this.#account.lastPrice(instrument.id);
    return last !== undefined && findTooSmall(account, quantity, last, rules) !== undefined;
  }

  /** Finds out whether what is held could be sold at the last price. */
  note(positionSide: PositionSide): void {
    const { instrumentId, account, ledger } = positionSide;
    const { quantity } = ledger.holding;
    const rules = this.#account.rules(positionSide);
    const last = this.#account.lastPrice(instrumentId);
    if (rules === undefined || last === undefined || quantity < rules.step) return;
    positionSide.tooSmall = findTooSmall(account, quantity, last, rules);
    this.restore(positionSide);
  }

  /** Goes on with what was found of a side. */
  restore(positionSide: PositionSide): void {
    if (positionSide.tooSmall !== undefined) this.#sides.add(positionSide);
  }
}
