import { z } from 'zod';
import { countSchema, textSchema } from '../../report/index.js';
import { OPERATOR_NAMES, type Operator } from '../comparison.js';
import { BOUND_FIGURES, type BoundFigure } from '../search/constraint.js';
import { SEARCH_NAMES } from '../search/search-names.js';
import { OBJECTIVES, type ObjectiveName } from '../search/objective.js';
import { parametersSchema } from '../trials/trial-schema.js';

const below = (description: string) => z.number().describe(description);

/** Quantiles of many values. */
export const quantilesSchema = z.object({
  p5: below('5 % of the values are below'),
  p25: below('25 % are below'),
  p50: below('Median'),
  p75: below('75 % are below'),
  p95: below('95 % are below'),
});

const value = z.union([z.string(), z.number(), z.boolean()]);

/** One searched parameter. */
export const axisSchema = z.union([
  z.object({
    name: textSchema('Parameter'),
    values: z.array(value).describe('Values in the order of the grid'),
  }),
  z.object({ name: textSchema('Parameter'), min: z.number(), max: z.number() }),
]);

const operator = z.enum(OPERATOR_NAMES as readonly [Operator, ...Operator[]]);
const constraint = z.discriminatedUnion('kind', [
  z.object({
    kind: z
      .literal('parameters')
      .describe('Constraint on parameters, checked before a combination is run'),
    left: textSchema('Parameter'),
    operator,
    right: z.union([z.number(), z.string()]).describe('A number or another parameter'),
  }),
  z.object({
    kind: z
      .literal('figures')
      .describe('Constraint on figures; a trial that violates it is not ranked'),
    left: z.enum(BOUND_FIGURES as readonly [BoundFigure, ...BoundFigure[]]),
    operator,
    right: z.number(),
  }),
]);

/** Subject and method of a search. */
export const searchedSchema = z.object({
  strategy: textSchema('Name of the strategy'),
  instruments: z.array(textSchema('Instrument, for example spot:BTCUSDT')),
  parameters: parametersSchema.describe('Parameters set by the configuration for all trials'),
  source: textSchema('Hash of the plugin and its imports'),
  engine: textSchema('Version of the engine'),
  search: z.enum(SEARCH_NAMES),
  seed: z.int().nullable().describe('null for a grid'),
  objective: z.enum(OBJECTIVES as readonly [ObjectiveName, ...ObjectiveName[]]),
  constraints: z.array(constraint).optional(),
});

export const bestSchema = z
  .enum(['largest', 'smallest'])
  .describe('Whether the largest or the smallest value of the objective is best');

/** Index, id and parameters of a trial in its document. */
export const placeSchema = z.object({
  index: countSchema('Index'),
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
        sweep: value.nullable().describe('Value in the trial; null if absent'),
        alone: value.nullable().describe('Value when run alone'),
      }),
    )
    .describe('All figures that differ'),
});
