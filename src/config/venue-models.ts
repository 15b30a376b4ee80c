import type { FeeModel, SlippageModel } from '../simulator/index.js';

/** A model that a program supplies instead of one that a file can name. */
export interface IdentifiedModel {
  /** Identifies the model and all its settings: runs with equal ids and equal inputs have equal results. Part of the run's identity. */
  readonly id: string;
}

/** Models that replace `simulation.fees` and `simulation.slippage`. */
export interface VenueModels {
  readonly fees?: (FeeModel & IdentifiedModel) | undefined;
  readonly slippage?: (SlippageModel & IdentifiedModel) | undefined;
}
