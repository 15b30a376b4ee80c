import type { TierBook } from '../domain/index.js';
import type { RiskPolicy } from '../risk/index.js';
import { createDatedFees } from '../simulator/index.js';
import type { BacktestConfig } from '../config/index.js';
import { takerCostOf } from './taker-cost.js';

/** The operator's choices with the simulated venue's fees, tiers, spread and slippage: what risk goes by in a backtest. */
export function createRiskPolicy(
  { risk, simulation }: BacktestConfig,
  tiers: TierBook,
): RiskPolicy {
  const fees = createDatedFees(simulation.fees, simulation.feeChanges);
  return {
    fees: (id, time) => fees.ratesAt(id, time),
    tiers: (id, time) => tiers.at(id, time),
    takerCost: takerCostOf(simulation),
    // Last: with members after it every policy would have a shape of its own to the compiler.
    ...risk,
  };
}
