import {
  addToHolding,
  contractProfit,
  contractValue,
  minFixed,
  multiplyFixed,
  releaseMargin,
  setMarginAside,
  takeFromHolding,
  tierOf,
  type Direction,
  type FillRecord,
  type Fixed,
  type FuturesInstrument,
  type Holding,
  type IsolatedMoney,
  type LeverageTier,
} from '../../domain/index.js';

/** The venue's maintenance terms for positions in a contract. */
export interface MaintenanceTerms {
  /** Smallest first. */
  readonly tiers: readonly LeverageTier[];
  /** Ratio: fee of a forced close, and part of the maintenance margin. */
  readonly maxFeeRate: Fixed;
}

/** A side of a contract in the ledger, and the money that carries it, in the margin asset. */
export interface PositionMargin {
  readonly instrument: FuturesInstrument;
  readonly direction: Direction;
  readonly holding: Holding;
  /** Used only if isolated. */
  readonly money: IsolatedMoney;
}

/** Margin that a position of this value must keep. */
export function maintenanceOf(value: Fixed, { tiers, maxFeeRate }: MaintenanceTerms): Fixed {
  return multiplyFixed(value, tierOf(tiers, value).tier.keepRate + maxFeeRate);
}

/** A side after a forced close; the profit minus the fee; and the loss of an isolated position beyond its margin, ≥ 0. */
interface ClosedSide {
  readonly side: PositionMargin;
  readonly result: Fixed;
  readonly beyond: Fixed;
}

/** Quantity, price and fee of a close. */
export type ForcedClose = Pick<FillRecord, 'quantity' | 'price' | 'fee'>;

/** Closes contracts of a side, with the same rules as the ledgers of venue and engine. */
export function closeForced(
  side: PositionMargin,
  { quantity, price, fee }: ForcedClose,
): ClosedSide {
  const { instrument, direction, money } = side;
  const held = side.holding.quantity;
  const { holding, released: entryValue } = takeFromHolding(side.holding, quantity);
  const exitValue = contractValue(instrument, quantity, price);
  const result = contractProfit(instrument, direction, { entryValue, exitValue }) - fee;
  if (instrument.marginMode === 'cross') return { side: { ...side, holding }, result, beyond: 0n };
  const left = releaseMargin(money, { contracts: quantity, held, result });
  const isFlat = holding.quantity === 0n;
  const beyond = isFlat ? -minFixed(money.margin + money.kept + result, 0n) : 0n;
  return { side: { ...side, holding, money: left }, result, beyond };
}

/** A side after an own fill that the ledger does not have yet, and the profit minus the fee. */
export function withOwnFill(
  side: PositionMargin,
  fill: Pick<FillRecord, 'action' | 'quantity' | 'price' | 'fee'>,
): Pick<ClosedSide, 'side' | 'result'> {
  if (fill.action === 'close') return closeForced(side, fill);
  const { instrument, holding, money } = side;
  const { quantity, price, fee } = fill;
  const value = contractValue(instrument, quantity, price);
  const isIsolated = instrument.marginMode === 'isolated';
  return {
    side: {
      ...side,
      holding: addToHolding(holding, quantity, value),
      money: isIsolated ? setMarginAside(money, value, instrument.leverage) : money,
    },
    result: -fee,
  };
}
