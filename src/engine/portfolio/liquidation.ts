import {
  liquidationPrice,
  multiplyFixed,
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

/**
 * The mark price at which the venue takes a position over, as far as the bot's own books say. Of an isolated one as the venue computes it. Of one on
 * cross while the marks of all other contracts stay where they are. Undefined where no price does it, before the first price, and where long and
 * short of the contract are both held on cross: each then carries the other.
 */
export function liquidationOf(
  side: ContractSide,
  open: readonly ContractSide[],
  { tiersOf, maxFeeRate }: Maintenance,
): Fixed | undefined {
  const { instrument, ledger, mark } = side;
  if (!side.isOpen || mark === undefined) return undefined;
  const maintenance = (other: ContractSide): Fixed => {
    const value = other.value();
    return multiplyFixed(value, tierOf(tiersOf(other), value).tier.keepRate + maxFeeRate);
  };
  const money = moneyOf(side, open, maintenance);
  if (money === undefined) return undefined;
  const { direction, holding } = ledger;
  const tiers = tiersOf(side);
  return liquidationPrice({ instrument, direction, holding, money, mark, tiers, maxFeeRate });
}

/** What carries a position: its own money, or on cross that of the account and what its other positions would leave at mark. */
function moneyOf(
  side: ContractSide,
  open: readonly ContractSide[],
  maintenance: (other: ContractSide) => Fixed,
): Fixed | undefined {
  if (side.isIsolated) return side.money.margin + side.money.kept;
  let money = side.cash.total;
  for (const other of open) {
    if (other === side || other.cash !== side.cash) continue;
    if (other.isIsolated) money -= other.money.margin + other.money.kept;
    else if (other.instrument === side.instrument) return undefined;
    else money += other.unrealized() - maintenance(other);
  }
  return money;
}
