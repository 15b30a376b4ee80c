import { divideHalfEven, FIXED_ONE, tierOf, type Fixed } from '../../domain/index.js';
import type { ContractPosition, ContractTerms } from './contract-position.js';

/**
 * The mark price nearest to the present one, on the losing side, at which an isolated position is liquidated (`reducePrice`), rounded once;
 * undefined where no price does that, and for cross positions, whose end depends on the whole account. Where the cushion is used up exactly
 * on the way into another tier, it is the price of that border.
 *
 * Source: exchange facts, contract formulas: margin + realized + unrealized = value × (keepRate + maxFeeRate), solved for the value, tier by
 * tier.
 */
export function liquidationPrice(position: ContractPosition): Fixed | undefined {
  if (!position.isHeld || !position.isIsolated) return undefined;
  const money = position.money.margin + position.money.kept;
  return position.sign > 0n ? priceBelow(position, money) : priceAbove(position, money);
}

/** A value as a fraction of whole 10^-18. */
interface Value {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Earns with its value: value × (1 − rate) ≤ entry value − money. Looks downward from the tier of now. */
function priceBelow(position: ContractPosition, money: Fixed): Fixed | undefined {
  const { terms, holding } = position;
  const debt = (holding.entryValue - money) * FIXED_ONE;
  const now = position.valueAt(terms.mark);
  const start = tierOf(terms.tiers, now).index;
  for (let index = start; index >= 0; index -= 1) {
    const floor = terms.tiers[index - 1]?.maxValue ?? 0n;
    const ceiling = index === start ? undefined : terms.tiers[index]?.maxValue;
    const denominator = FIXED_ONE - rateOfTier(terms, index);
    if (debt <= floor * denominator) continue;
    if (ceiling !== undefined && debt > ceiling * denominator)
      return priceOf(position, { numerator: ceiling, denominator: 1n });
    return priceOf(position, { numerator: debt, denominator });
  }
  return undefined;
}

/** Earns as its value falls: value × (1 + rate) ≥ entry value + money. Looks upward from the tier of now. */
function priceAbove(position: ContractPosition, money: Fixed): Fixed | undefined {
  const { terms, holding } = position;
  const worth = (holding.entryValue + money) * FIXED_ONE;
  if (worth <= 0n) return undefined;
  const start = tierOf(terms.tiers, position.valueAt(terms.mark)).index;
  for (let index = start; index < terms.tiers.length; index += 1) {
    const floor = index === start ? 0n : (terms.tiers[index - 1]?.maxValue ?? 0n);
    const ceiling = index === terms.tiers.length - 1 ? undefined : terms.tiers[index]?.maxValue;
    const denominator = FIXED_ONE + rateOfTier(terms, index);
    if (ceiling !== undefined && worth > ceiling * denominator) continue;
    if (worth <= floor * denominator)
      return priceOf(position, { numerator: floor, denominator: 1n });
    return priceOf(position, { numerator: worth, denominator });
  }
  return undefined;
}

function rateOfTier({ tiers, maxFeeRate }: ContractTerms, index: number): Fixed {
  return (tiers[index]?.keepRate ?? 0n) + maxFeeRate;
}

function priceOf(
  { terms: { instrument }, holding }: ContractPosition,
  { numerator, denominator }: Value,
): Fixed {
  const size = holding.quantity * instrument.multiplier;
  return instrument.contract === 'linear'
    ? divideHalfEven(numerator * FIXED_ONE * FIXED_ONE, denominator * size)
    : divideHalfEven(size * denominator, numerator);
}
