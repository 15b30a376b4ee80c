import type { SimulationConfig } from '../config/index.js';
import { FIXED_ONE, type Fixed } from '../domain/index.js';
import {
  createDatedFees,
  createFixedSlippage,
  createSquareRootSlippage,
  type FeeModel,
  type SlippageModel,
} from '../simulator/index.js';

export const BASIS_POINT: Fixed = FIXED_ONE / 10_000n;

/** The fees of a simulation: the given model, otherwise the fees of its file. */
export function feeModelOf({
  models,
  fees,
  feeChanges,
}: Pick<SimulationConfig, 'fees' | 'feeChanges' | 'models'>): FeeModel {
  return models?.fees ?? createDatedFees(fees, feeChanges);
}

/** The slippage of a simulation: the given model, otherwise the slippage of its file. */
export function slippageModelOf({
  models,
  slippage,
}: Pick<SimulationConfig, 'slippage' | 'models'>): SlippageModel {
  if (models?.slippage !== undefined) return models.slippage;
  return slippage.model === 'fixed'
    ? createFixedSlippage((slippage.bps * BASIS_POINT) / FIXED_ONE)
    : createSquareRootSlippage(slippage.coefficient);
}
