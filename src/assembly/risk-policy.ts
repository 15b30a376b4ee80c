import type { TierBook } from '../domain/index.js';
import type { RiskPolicy } from '../risk/index.js';
import type { BacktestConfig } from '../config/index.js';
import { takerCostOf } from './taker-cost.js';
import { feeModelOf } from './venue-models.js';

/** The risk policy of a backtest: the operator's choices with the simulated venue's fees, tiers, spread and slippage. */
export function createRiskPolicy(
  { risk, simulation }: BacktestConfig,
  tiers: TierBook,
): RiskPolicy {
  const fees = feeModelOf(simulation);
  return {
    fees: (id, time) => fees.ratesAt(id, time),
    tiers: (id, time) => tiers.at(id, time),
    takerCost: takerCostOf(simulation),
    // Spread last: members after the spread would give every policy a shape of its own to the compiler.
    ...risk,
  };
}
