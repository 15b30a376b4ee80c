import { z } from 'zod';
import { SEARCH_NAMES } from '../search/search-names.js';
import { OBJECTIVES, type ObjectiveName } from '../search/objective.js';
import { parametersSchema } from '../trials/trial-schema.js';

export const textSchema = (description: string): z.ZodString =>
  z.string().min(1).describe(description);
export const countSchema = (description: string): z.ZodInt =>
  z.int().nonnegative().describe(description);
export const figureSchema = (description: string): z.ZodNullable<z.ZodNumber> =>
  z.number().nullable().describe(description);

const below = (description: string) => z.number().describe(description);

/** Quantiles of many values. */
export const quantilesSchema = z.object({
  p5: below('5 % are below'),
  p25: below('25 %'),
  p50: below('Half of them'),
  p75: below('75 %'),
  p95: below('95 %'),
});

const value = z.union([z.string(), z.number(), z.boolean()]);

/** One searched parameter. */
export const axisSchema = z.union([
  z.object({
    name: textSchema('Parameter'),
    values: z.array(value).describe('In the order of the grid'),
  }),
  z.object({ name: textSchema('Parameter'), min: z.number(), max: z.number() }),
]);

/** Subject and method of a search. */
export const searchedSchema = z.object({
  strategy: textSchema('Name of the strategy'),
  instruments: z.array(textSchema('Instrument, for example spot:BTCUSDT')),
  parameters: parametersSchema.describe('Parameters that the configuration sets for all'),
  source: textSchema('Hash of the plugin and what it imports'),
  engine: textSchema('Version of the engine'),
  search: z.enum(SEARCH_NAMES),
  seed: z.int().nullable().describe('null for a grid'),
  objective: z.enum(OBJECTIVES as readonly [ObjectiveName, ...ObjectiveName[]]),
});

export const bestSchema = z
  .enum(['largest', 'smallest'])
  .describe('Which value of the objective is the best');

/** Index, id and parameters of a trial in its document. */
export const placeSchema = z.object({
  index: countSchema('Place'),
  id: textSchema('run.id of the same backtest'),
  parameters: parametersSchema,
});

/** A trial with another outcome when it was run again alone. */
export const differenceSchema = z.object({
  ...placeSchema.shape,
  figures: z
    .array(
      z.object({
        name: textSchema('Path of the figure in the trial, for example equity.final'),
        sweep: value.nullable().describe('As the trial has it; null where it has none'),
        alone: value.nullable().describe('As it is when nothing has run before'),
      }),
    )
    .describe('All that differ'),
});
