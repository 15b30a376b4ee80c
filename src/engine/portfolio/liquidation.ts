import {
  addToHolding,
  liquidationPrice,
  multiplyFixed,
  setMarginAside,
  tierOf,
  type Fixed,
  type LeverageTier,
} from '../../domain/index.js';
import type { ContractSide } from './contract-side.js';

/** The venue's maintenance terms of contracts. */
interface Maintenance {
  /** Leverage tiers in force now, smallest first. */
  readonly tiersOf: (side: ContractSide) => readonly LeverageTier[];
  readonly maxFeeRate: Fixed;
}

/** Contracts that are not held yet, and their value at the price at which they would be opened. */
export interface AddedContracts {
  readonly quantity: Fixed;
  readonly value: Fixed;
}

const NOTHING_ADDED: AddedContracts = { quantity: 0n, value: 0n };

/**
 * The mark price at which the venue liquidates a position, by the bot's own books. Isolated: as the venue computes it. Cross: on the assumption
 * that the marks of all other contracts stay unchanged. Undefined without a position, before the first price, if no price liquidates it, and if
 * long and short of the contract are both held on cross, because each then covers the other.
 *
 * @param added - contracts to count as if they had been opened at their value; their fee is not counted
 */
export function liquidationOf(
  side: ContractSide,
  open: readonly ContractSide[],
  { tiersOf, maxFeeRate }: Maintenance,
  added: AddedContracts = NOTHING_ADDED,
): Fixed | undefined {
  const { instrument, ledger, mark } = side;
  const { direction } = ledger;
  const holding = addToHolding(ledger.holding, added.quantity, added.value);
  if (holding.quantity === 0n || mark === undefined) return undefined;
  const maintenance = (other: ContractSide): Fixed => {
    const value = other.value();
    return multiplyFixed(value, tierOf(tiersOf(other), value).tier.keepRate + maxFeeRate);
  };
  const money = moneyOf(side, open, { maintenance, added });
  if (money === undefined) return undefined;
  const tiers = tiersOf(side);
  return liquidationPrice({ instrument, direction, holding, money, mark, tiers, maxFeeRate });
}

/**
 * Money that covers a position's losses. Isolated: its own money. Cross: the account's money, with the profit of the other cross positions at mark less
 * their maintenance. Undefined if the contract's other side is open on cross, too.
 */
function moneyOf(
  side: ContractSide,
  open: readonly ContractSide[],
  by: { readonly maintenance: (other: ContractSide) => Fixed; readonly added: AddedContracts },
): Fixed | undefined {
  if (side.isIsolated) {
    const { margin, kept } = setMarginAside(side.money, by.added.value, side.instrument.leverage);
    return margin + kept;
  }
  let money = side.cash.total;
  for (const other of open) {
    if (other === side || other.cash !== side.cash) continue;
    if (other.isIsolated) money -= other.money.margin + other.money.kept;
    else if (other.instrument === side.instrument) return undefined;
    else money += other.unrealized() - by.maintenance(other);
  }
  return money;
}
