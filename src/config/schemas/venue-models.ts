import type { FeeModel, SlippageModel } from '../../simulator/index.js';

/** Longest id of a model, because each result contains the id. */
const MOST_ID_LETTERS = 200;

/** A model that a program supplies instead of one that a file can name. */
export interface IdentifiedModel {
  /** Identifies the model and all its settings: runs with equal ids and equal inputs have equal results. Part of the run's identity. */
  readonly id: string;
}

/** What {@link isModelId} accepts, for messages. */
export const A_MODEL_ID = `a model name of 1 to ${String(MOST_ID_LETTERS)} letters`;

export function isModelId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MOST_ID_LETTERS;
}

/** Models that replace `simulation.fees` and `simulation.slippage`. */
export interface VenueModels {
  readonly fees?: (FeeModel & IdentifiedModel) | undefined;
  readonly slippage?: (SlippageModel & IdentifiedModel) | undefined;
}
