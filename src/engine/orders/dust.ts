import type { Direction } from '../../domain/index.js';
import type { HeldPosition } from '../held-positions.js';
import type { InstrumentAccount } from '../portfolio/instrument-account.js';
import type { AccountView } from './account-view.js';
import { isDust, isRest, type PositionSide } from './position-side.js';
import { findTooSmall } from './too-small.js';

/** Holdings that are too small to be sold. Dust blocks no entry, its stop does not fire, and an entry adds to it. */
export class Dust {
  readonly #account: AccountView;
  readonly #sides = new Set<PositionSide>();

  constructor(account: AccountView) {
    this.#account = account;
  }

  /** Whether a side holds a quantity that was found too small. It may be large enough at the next price. */
  get hasAny(): boolean {
    for (const positionSide of this.#sides)
      if (positionSide.tooSmall?.quantity !== positionSide.ledger.holding.quantity)
        this.#sides.delete(positionSide);
    return this.#sides.size > 0;
  }

  /** Sides whose whole holding is dust at the last price. */
  get sides(): readonly PositionSide[] {
    return [...this.#sides].filter(isDust);
  }

  /** The quantities that {@link sides} hold. */
  get held(): readonly HeldPosition[] {
    return this.sides.map(({ instrumentId, direction, ledger: { holding } }) => ({
      instrumentId,
      direction,
      quantity: holding.quantity,
    }));
  }

  /** Whether no stop can sell a side's holding: it is below the step, is a rest that exits left, or is too small at the last price (if one is known). */
  isUnguardable(account: InstrumentAccount, direction: Direction): boolean {
    const { [direction]: ledger, instrument } = account;
    const { quantity } = ledger.holding;
    const rules = this.#account.rules({ instrumentId: instrument.id });
    if (rules === undefined || quantity === 0n) return false;
    if (quantity < rules.step || isRest({ ledger })) return true;
    const last = this.#account.lastPrice(instrument.id);
    return last !== undefined && findTooSmall(account, quantity, last, rules) !== undefined;
  }

  /** Checks whether the holding of a side could be sold at the last price, and notes the result. */
  note(positionSide: PositionSide): void {
    const { instrumentId, account, ledger } = positionSide;
    const { quantity } = ledger.holding;
    const rules = this.#account.rules(positionSide);
    const last = this.#account.lastPrice(instrumentId);
    if (rules === undefined || last === undefined || quantity < rules.step) return;
    positionSide.tooSmall = findTooSmall(account, quantity, last, rules);
    if (positionSide.tooSmall !== undefined) positionSide.hinderedAt ??= this.#account.now;
    this.restore(positionSide);
  }

  /** Takes over the restored result of a side. */
  restore(positionSide: PositionSide): void {
    if (positionSide.tooSmall !== undefined) this.#sides.add(positionSide);
  }
}
