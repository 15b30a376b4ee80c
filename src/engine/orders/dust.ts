import {
  fixedToNumber,
  multiplyFixed,
  type Fixed,
  type ResolvedRules,
} from '../../domain/index.js';
import { canStandAlone, valueOfOne } from '../../risk/index.js';
import type { AccountView } from './account-view.js';
import { isDust, type PositionSide } from './position-side.js';

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

  /** Finds out whether what is held could be sold at the last price. */
  note(positionSide: PositionSide): void {
    const { instrumentId, account, ledger } = positionSide;
    const { quantity } = ledger.holding;
    const rules = this.#account.rules(positionSide);
    const last = this.#account.lastPrice(instrumentId);
    if (rules === undefined || last === undefined || quantity < rules.step) return;
    const oneCosts = valueOfOne(account.instrument, last);
    positionSide.tooSmall = canStandAlone(quantity, oneCosts, rules)
      ? undefined
      : { quantity, ...belowOf(positionSide, multiplyFixed(quantity, oneCosts), rules) };
    this.restore(positionSide);
  }

  /** Goes on with what was found of a side. */
  restore(positionSide: PositionSide): void {
    if (positionSide.tooSmall !== undefined) this.#sides.add(positionSide);
  }
}

/** The price from which on the minimum of money is reached; undefined where it is not money that lacks, or prices do not change it. */
function belowOf(
  { account: { instrument, lastNumber } }: PositionSide,
  value: Fixed,
  { minOrderMoney = 0n }: ResolvedRules,
): { readonly below?: number } {
  const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
  const isByMoney = value < minOrderMoney && value > 0n;
  if (isInverse || !isByMoney) return {};
  return { below: (lastNumber * fixedToNumber(minOrderMoney)) / fixedToNumber(value) };
}
