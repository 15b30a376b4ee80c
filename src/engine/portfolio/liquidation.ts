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

/** What the venue asks of contracts to be kept. */
interface Maintenance {
  /** In force now, smallest first. */
  readonly tiersOf: (side: ContractSide) => readonly LeverageTier[];
  readonly maxFeeRate: Fixed;
}

/** Contracts that are not held yet, and their value at the price at which they would be. */
export interface AddedContracts {
  readonly quantity: Fixed;
  readonly value: Fixed;
}

const NOTHING_ADDED: AddedContracts = { quantity: 0n, value: 0n };

/**
 * The mark price at which the venue takes a position over, as far as the bot's own books say. Of an isolated one as the venue computes it. Of one on
 * cross while the marks of all other contracts stay where they are. Undefined where no price does it, before the first price, and where long and
 * short of the contract are both held on cross: each then carries the other.
 *
 * @param added - contracts that are to be counted as if they had been opened, at their value then; their fee is not
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

/** What carries a position: its own money, or on cross that of the account and what its other positions would leave at mark. */
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
