import type { TierBook } from '../domain/index.js';
import type { RiskPolicy } from '../risk/index.js';
import type { BacktestConfig } from '../config/index.js';
import { takerCostOf } from './taker-cost.js';
import { feeModelOf } from './venue-models.js';

/** The operator's choices with the simulated venue's fees, tiers, spread and slippage: what risk goes by in a backtest. */
export function createRiskPolicy(
  { risk, simulation }: BacktestConfig,
  tiers: TierBook,
): RiskPolicy {
  const fees = feeModelOf(simulation);
  return {
    fees: (id, time) => fees.ratesAt(id, time),
    tiers: (id, time) => tiers.at(id, time),
    takerCost: takerCostOf(simulation),
    // Last: with members after it every policy would have a shape of its own to the compiler.
    ...risk,
  };
}
