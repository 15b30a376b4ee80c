import { z } from 'zod';
import { OBJECTIVES, type ObjectiveName } from '../search/objective.js';
import { PEAK_KINDS } from '../search/peak.js';
import { parametersSchema, trialOutcomeSchema } from '../trials/trial-schema.js';

/** Version of the document's shape. Keys may be added within a version; none changes its meaning or goes. */
export const SWEEP_VERSION = 1;

const text = (description: string) => z.string().min(1).describe(description);
const count = (description: string) => z.int().nonnegative().describe(description);
const figure = (description: string) => z.number().nullable().describe(description);
const value = z.union([z.string(), z.number(), z.boolean()]);

const axis = z.union([
  z.object({
    name: text('Parameter'),
    values: z.array(value).describe('In the order of the grid'),
  }),
  z.object({ name: text('Parameter'), min: z.number(), max: z.number() }),
]);

const sweep = z.object({
  strategy: text('Name of the strategy'),
  instruments: z.array(text('Instrument, for example spot:BTCUSDT')),
  parameters: parametersSchema.describe('Parameters that the configuration sets for all'),
  source: text('Hash of the plugin and what it imports'),
  ground: text('Hash of the configuration without the parameters'),
  data: text('Hash of the candles and of what is stored beside them'),
  engine: text('Version of the engine'),
  search: z.enum(['grid', 'random']),
  seed: z.int().nullable().describe('Of a random search; null for a grid'),
  axes: z.array(axis).describe('What was searched; the last one changes fastest'),
  objective: z.enum(OBJECTIVES as readonly [ObjectiveName, ...ObjectiveName[]]),
  best: z.enum(['largest', 'smallest']).describe('Which value of the objective is the best'),
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

const place = {
  index: count('Place'),
  id: text('run.id of the same backtest'),
  parameters: parametersSchema,
};
const [finished, failed] = trialOutcomeSchema.options;
const trial = z.discriminatedUnion('status', [
  z.object({ ...place, ...finished.shape }),
  z.object({ ...place, ...failed.shape }),
]);

const difference = z.object({
  ...place,
  figures: z
    .array(
      z.object({
        name: text('Path of the figure in the trial, for example equity.final'),
        sweep: value.nullable().describe('As the trial has it; null where it has none'),
        alone: value.nullable().describe('As it is when nothing has run before'),
      }),
    )
    .describe('All that differ'),
});

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
    .array(difference)
    .describe('Of a few combinations that were run again, those that came to something else'),
  best: best.nullable().describe('null when no combination has a figure'),
  trials: z.array(trial).describe('One per combination, in the order of the grid or of the draws'),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished sweep as its document says it. */
export type Sweep = DeepReadonly<z.infer<typeof sweepSchema>>;
export type SweepTrial = Sweep['trials'][number];

/** JSON Schema of the document, for readers in other languages. */
export function sweepJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(sweepSchema, { io: 'input' });
}
