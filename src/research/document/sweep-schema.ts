import { z } from 'zod';
import type { DeepReadonly } from '../../domain/index.js';
import {
  countSchema as count,
  figureSchema as figure,
  textSchema as text,
} from '../../report/index.js';
import { PEAK_KINDS } from '../search/peak.js';
import { parametersSchema, trialOutcomeSchema } from '../trials/trial-schema.js';
import {
  axisSchema,
  bestSchema,
  differenceSchema,
  placeSchema,
  searchedSchema,
} from './schema-parts.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const SWEEP_VERSION = 1;

const { strategy, instruments, parameters, source, engine, search, seed, objective, constraints } =
  searchedSchema.shape;
const sweep = z.object({
  strategy,
  instruments,
  parameters,
  source,
  ground: text('Hash of the configuration without the parameters'),
  data: text('Hash of the candles and the records stored with them'),
  engine,
  search,
  seed,
  generations: z
    .array(count('Combinations'))
    .optional()
    .describe('Combinations of each generation, in the order of the trials'),
  stopAfter: z
    .int()
    .nullable()
    .optional()
    .describe(
      'Trials in a row without improvement that end the search; null if the search does not stop early',
    ),
  axes: z.array(axisSchema).describe('Searched parameters; the last one changes fastest'),
  objective,
  best: bestSchema,
  against: z
    .object({ name: objective, best: bestSchema })
    .nullable()
    .optional()
    .describe('Second objective; null if there is only one'),
  constraints,
});

const best = z.object({
  index: count('Index in trials'),
  parameters: parametersSchema,
  figure: z.number().describe('Its objective'),
  median: z.number().describe('Median of all figures'),
  neighbors: z
    .array(z.object({ index: count('Index in trials'), figure: figure('Its objective') }))
    .describe('Combinations one step away in one parameter'),
  neighborMedian: figure('Median of the neighbors’ figures'),
  peak: z
    .enum(PEAK_KINDS)
    .describe(
      'lone: the neighbors keep less than half of its lead over the median; supported: at least half; unknown: no neighbors',
    ),
  edges: z.array(z.string()).describe('Parameters that have the first or last value of their axis'),
});

const [finished, failed] = trialOutcomeSchema.options;
const trial = z.discriminatedUnion('status', [
  z.object({ ...placeSchema.shape, ...finished.shape }),
  z.object({ ...placeSchema.shape, ...failed.shape }),
]);

/** The document of a sweep as a schema. Money is decimal text, ratios are numbers or null, times are UTC milliseconds. */
export const sweepSchema = z.object({
  version: z.literal(SWEEP_VERSION),
  sweep,
  counts: z.object({
    combinations: count('Combinations'),
    finished: count('Finished combinations'),
    failed: count('Failed combinations'),
    unranked: count('Finished combinations without a figure for the objective'),
  }),
  warnings: z
    .array(z.string())
    .describe('Reasons why two runs of the strategy may differ, one sentence each'),
  differences: z
    .array(differenceSchema)
    .describe('Repeated combinations with a different result; a few are repeated'),
  best: best.nullable().describe('Best combination; null if none has a figure'),
  front: z
    .array(count('Index in trials'))
    .nullable()
    .optional()
    .describe(
      'Pareto front of two objectives: trials that no other trial dominates, sorted by the first objective; null with one objective',
    ),
  trials: z
    .array(trial)
    .describe('One trial per combination, in the order of the grid or of the search'),
});

/** A finished sweep in the form of its document. */
export type Sweep = DeepReadonly<z.infer<typeof sweepSchema>>;
export type SweepTrial = Sweep['trials'][number];
