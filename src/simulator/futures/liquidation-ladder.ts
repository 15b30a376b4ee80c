import {
  contractValue,
  divideFloor,
  FIXED_ONE,
  minFixed,
  tierOf,
  type Direction,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { ContractBook } from './contract-book.js';
import type { ContractPosition } from './contract-position.js';
import { crossCushion, isLiquidatable } from './maintenance.js';
import { unrealizedOf, type MarginBook } from './margin-book.js';

/** The next step of the venue when the money of a margin asset does not suffice (DESIGN R12). */
export type LadderStep =
  | {
      /** Cancel the contract's working orders, and freeze the position. */
      readonly kind: 'cancel-orders';
      readonly instrumentId: InstrumentId;
      readonly direction: Direction;
    }
  | {
      /** Close own long against own short, both at mark, without fee. */
      readonly kind: 'net';
      readonly instrumentId: InstrumentId;
      readonly contracts: Fixed;
      readonly mark: Fixed;
    }
  | {
      /** Sell (long) or buy back (short) at the last price with taker costs: down to the tier below, or all. */
      readonly kind: 'reduce' | 'close';
      readonly instrumentId: InstrumentId;
      readonly direction: Direction;
      readonly contracts: Fixed;
      readonly feeRate: Fixed;
    }
  | {
      /** The money suffices again: unfreeze the position. */
      readonly kind: 'release';
      readonly instrumentId: InstrumentId;
      readonly direction: Direction;
    };

/**
 * The next step at the current marks, undefined if there is none. Ask again after each step: each call tests anew whether the money suffices.
 * Isolated positions come first, in the order of the contracts and long before short; then the cross position with the largest loss.
 */
export function nextStep(book: MarginBook): LadderStep | undefined {
  for (const contract of book.contracts)
    for (const position of contract.positions)
      if (position.isIsolated && position.isHeld) {
        const step = stepFor(contract, position, isLiquidatable(book, position));
        if (step !== undefined) return step;
      }
  return nextCrossStep(book);
}

function nextCrossStep(book: MarginBook): LadderStep | undefined {
  const isShort = book.holdsCross && crossCushion(book) <= 0n;
  let worst: { contract: ContractBook; position: ContractPosition; profit: Fixed } | undefined;
  for (const contract of book.contracts)
    for (const position of contract.positions) {
      if (position.isIsolated || !position.isHeld) continue;
      if (!isShort && position.isLiquidating) return stepFor(contract, position, false);
      const profit = unrealizedOf(position);
      if (worst === undefined || profit < worst.profit) worst = { contract, position, profit };
    }
  return isShort && worst !== undefined ? stepFor(worst.contract, worst.position, true) : undefined;
}

function stepFor(
  contract: ContractBook,
  position: ContractPosition,
  isShort: boolean,
): LadderStep | undefined {
  const instrumentId = contract.instrument.id;
  const { direction } = position;
  if (!isShort)
    return position.isLiquidating ? { kind: 'release', instrumentId, direction } : undefined;
  if (!position.isLiquidating) return { kind: 'cancel-orders', instrumentId, direction };
  const [long, short] = contract.positions;
  if (long.isHeld && short.isHeld) {
    const contracts = minFixed(long.holding.quantity, short.holding.quantity);
    return { kind: 'net', instrumentId, contracts, mark: contract.mark };
  }
  const held = position.holding.quantity;
  const kept = contractsOfLowerTier(contract, position);
  return {
    kind: kept > 0n ? 'reduce' : 'close',
    instrumentId,
    direction,
    contracts: held - kept,
    feeRate: contract.maxFeeRate,
  };
}

/** Whole contracts that fit into the tier below at mark; 0 in the first tier. */
function contractsOfLowerTier(
  { instrument, tiers, mark }: ContractBook,
  { holding }: ContractPosition,
): Fixed {
  const { index } = tierOf(tiers, contractValue(instrument, holding.quantity, mark));
  const maximum = index === 0 ? undefined : tiers[index - 1]?.maxValue;
  if (maximum === undefined) return 0n;
  const { multiplier } = instrument;
  const whole =
    instrument.contract === 'linear'
      ? divideFloor(maximum * FIXED_ONE, mark * multiplier)
      : divideFloor(maximum * mark, multiplier * FIXED_ONE);
  return whole * FIXED_ONE;
}
