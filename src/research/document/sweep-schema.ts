import { z } from 'zod';
import { OPERATOR_NAMES, type Operator } from '../comparison.js';
import { BOUND_FIGURES, type BoundFigure } from '../search/constraint.js';
import { PEAK_KINDS } from '../search/peak.js';
import { parametersSchema, trialOutcomeSchema } from '../trials/trial-schema.js';
import {
  axisSchema,
  bestSchema,
  countSchema as count,
  differenceSchema,
  figureSchema as figure,
  placeSchema,
  searchedSchema,
  textSchema as text,
} from './schema-parts.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const SWEEP_VERSION = 1;

const operator = z.enum(OPERATOR_NAMES as readonly [Operator, ...Operator[]]);
const constraint = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('parameters').describe('Of combinations, before they are run'),
    left: text('Parameter'),
    operator,
    right: z.union([z.number(), z.string()]).describe('A number, or another parameter'),
  }),
  z.object({
    kind: z.literal('figures').describe('Of trials; one that breaks it is not ranked'),
    left: z.enum(BOUND_FIGURES as readonly [BoundFigure, ...BoundFigure[]]),
    operator,
    right: z.number(),
  }),
]);

const { strategy, instruments, parameters, source, engine, search, seed, objective } =
  searchedSchema.shape;
const sweep = z.object({
  strategy,
  instruments,
  parameters,
  source,
  ground: text('Hash of the configuration without the parameters'),
  data: text('Hash of the candles and of what is stored beside them'),
  engine,
  search,
  seed,
  generations: z
    .array(count('Combinations'))
    .optional()
    .describe('Of each generation, in the order of the trials'),
  stopAfter: z
    .int()
    .nullable()
    .optional()
    .describe('Trials in vain, one after the other, that end the search; null where none do'),
  axes: z.array(axisSchema).describe('What was searched; the last one changes fastest'),
  objective,
  best: bestSchema,
  against: z
    .object({ name: objective, best: bestSchema })
    .nullable()
    .optional()
    .describe('The second objective; null where there is one only'),
  constraints: z.array(constraint).optional(),
});

const best = z.object({
  index: count('Place in trials'),
  parameters: parametersSchema,
  figure: z.number().describe('Its objective'),
  median: z.number().describe('Median of all figures'),
  neighbors: z
    .array(z.object({ index: count('Place in trials'), figure: figure('Its objective') }))
    .describe('One step away in one parameter'),
  neighborMedian: figure('Median of the neighbors’ figures'),
  peak: z
    .enum(PEAK_KINDS)
    .describe('lone: the neighbors keep less than half of its lead over the median'),
  edges: z.array(z.string()).describe('Parameters whose first or last value it has'),
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
    finished: count('That ran to their end'),
    failed: count('That failed'),
    unranked: count('That finished without a figure for the objective'),
  }),
  warnings: z
    .array(z.string())
    .describe('What keeps two runs of the strategy from being the same, one sentence each'),
  differences: z
    .array(differenceSchema)
    .describe('Of a few combinations that were run again, those that came to something else'),
  best: best.nullable().describe('null when no combination has a figure'),
  front: z
    .array(count('Place in trials'))
    .nullable()
    .optional()
    .describe(
      'Of two objectives, the trials that none is better than in one and as good in the other, from the best by the first; null of one',
    ),
  trials: z
    .array(trial)
    .describe('One per combination, in the order of the grid, or in which they were asked for'),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished sweep in the form of its document. */
export type Sweep = DeepReadonly<z.infer<typeof sweepSchema>>;
export type SweepTrial = Sweep['trials'][number];

/** JSON Schema of the document, for readers in other languages. */
export function sweepJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(sweepSchema, { io: 'input' });
}
