import type { FeeModel, SlippageModel } from '../simulator/index.js';

/** A model that a program hands over in the place of one that a file can name. */
export interface IdentifiedModel {
  /** Names the model and all it was made with: runs with equal ids and equal inputs have equal results. Part of the run's identity. */
  readonly id: string;
}

/** What stands in the place of `simulation.fees` and `simulation.slippage`. */
export interface VenueModels {
  readonly fees?: (FeeModel & IdentifiedModel) | undefined;
  readonly slippage?: (SlippageModel & IdentifiedModel) | undefined;
}
