import { divideHalfEven, FIXED_ONE, type Fixed } from '../amounts/fixed.js';
import { contractValue } from '../instruments/contract.js';
import type { FuturesInstrument } from '../instruments/instrument.js';
import { tierOf, type LeverageTier } from '../instruments/leverage-tiers.js';
import type { Direction } from '../orders/intent.js';
import type { Holding } from './position.js';

/** A position in contracts, and the money that covers it. */
interface CarriedPosition {
  readonly instrument: Pick<FuturesInstrument, 'contract' | 'multiplier'>;
  readonly direction: Direction;
  /** With a quantity above 0. */
  readonly holding: Holding;
  /** Money that covers losses, in the margin asset, before maintenance is taken off; of an isolated position its margin and realized profit. */
  readonly money: Fixed;
  readonly mark: Fixed;
  /** In force now, smallest first. */
  readonly tiers: readonly LeverageTier[];
  readonly maxFeeRate: Fixed;
}

/**
 * The mark price nearest to the current mark, on the losing side, at which a position is liquidated (`reducePrice`), rounded once; undefined if
 * no price does that. If only the change to another tier causes the liquidation, it is the price at the border of the tiers.
 *
 * Source: exchange facts, contract formulas: margin + realized + unrealized = value × (keepRate + maxFeeRate), solved for the value, tier by
 * tier.
 */
export function liquidationPrice(position: CarriedPosition): Fixed | undefined {
  const { instrument, direction } = position;
  // An inverse long earns as its value falls.
  const earnsWithValue = (instrument.contract === 'linear') === (direction === 'long');
  return earnsWithValue ? priceBelow(position) : priceAbove(position);
}

/** A position value in units of 10^-18, as a fraction. */
interface Value {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** For a position that earns when its value rises. Liquidated at value × (1 − rate) ≤ entry value − money. Searches downward from the current tier. */
function priceBelow(position: CarriedPosition): Fixed | undefined {
  const { tiers, holding, money } = position;
  const debt = (holding.entryValue - money) * FIXED_ONE;
  const start = tierOf(tiers, valueAtMark(position)).index;
  for (let index = start; index >= 0; index -= 1) {
    const floor = tiers[index - 1]?.maxValue ?? 0n;
    const ceiling = index === start ? undefined : tiers[index]?.maxValue;
    const denominator = FIXED_ONE - rateOfTier(position, index);
    if (debt <= floor * denominator) continue;
    if (ceiling !== undefined && debt > ceiling * denominator)
      return priceOf(position, { numerator: ceiling, denominator: 1n });
    return priceOf(position, { numerator: debt, denominator });
  }
  return undefined;
}

/** For a position that earns when its value falls. Liquidated at value × (1 + rate) ≥ entry value + money. Searches upward from the current tier. */
function priceAbove(position: CarriedPosition): Fixed | undefined {
  const { tiers, holding, money } = position;
  const worth = (holding.entryValue + money) * FIXED_ONE;
  if (worth <= 0n) return undefined;
  const start = tierOf(tiers, valueAtMark(position)).index;
  for (let index = start; index < tiers.length; index += 1) {
    const floor = index === start ? 0n : (tiers[index - 1]?.maxValue ?? 0n);
    const ceiling = index === tiers.length - 1 ? undefined : tiers[index]?.maxValue;
    const denominator = FIXED_ONE + rateOfTier(position, index);
    if (ceiling !== undefined && worth > ceiling * denominator) continue;
    if (worth <= floor * denominator)
      return priceOf(position, { numerator: floor, denominator: 1n });
    return priceOf(position, { numerator: worth, denominator });
  }
  return undefined;
}

function valueAtMark({ instrument, holding, mark }: CarriedPosition): Fixed {
  return contractValue(instrument, holding.quantity, mark);
}

function rateOfTier({ tiers, maxFeeRate }: CarriedPosition, index: number): Fixed {
  return (tiers[index]?.keepRate ?? 0n) + maxFeeRate;
}

function priceOf(
  { instrument, holding }: CarriedPosition,
  { numerator, denominator }: Value,
): Fixed {
  const size = holding.quantity * instrument.multiplier;
  return instrument.contract === 'linear'
    ? divideHalfEven(numerator * FIXED_ONE * FIXED_ONE, denominator * size)
    : divideHalfEven(size * denominator, numerator);
}
