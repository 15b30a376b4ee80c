import { z } from 'zod';
import type { DeepReadonly } from '../../domain/index.js';
import {
  countSchema as count,
  figureSchema as figure,
  textSchema as text,
  timeSchema as time,
} from '../../report/index.js';
import {
  axisSchema,
  bestSchema,
  differenceSchema,
  placeSchema,
  quantilesSchema,
  searchedSchema,
} from '../document/schema-parts.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const CROSS_VALIDATION_VERSION = 1;

const days = (description: string) => count(`${description}, in days`);

const figures = z.object({
  totalReturn: figure('Return of all these days together'),
  cagr: figure('Annual compound growth'),
  volatility: figure('Annual volatility of the daily returns'),
  sharpe: figure('Annual ratio'),
  sortino: figure('Annual ratio'),
  calmar: figure('cagr ÷ maxDrawdown'),
  maxDrawdown: figure('Largest drawdown, by days'),
});

const validated = z.object({
  ...searchedSchema.shape,
  axes: z.array(axisSchema).describe('Searched parameters; the last one changes fastest'),
  best: bestSchema,
  groups: count('Groups of days, N'),
  tested: count('Groups tested per split, k'),
  days: days('Days divided into groups'),
  from: time('Start of the first day'),
  to: time('End of the last day'),
  purge: days('Purge: left out of training on both sides of a tested group'),
  embargo: days('Embargo: additionally left out after a tested group'),
  longestHold: z
    .object({
      time: count('Longest holding time of a position in any trial; milliseconds'),
      parameters: parametersSchema.describe('Parameters of that trial'),
    })
    .describe('Basis of the purge'),
});

const split = z.object({
  groups: z.array(count('Index of a group')).describe('Tested groups'),
  trained: days('Training days'),
  ...placeSchema.shape,
  inside: figures.describe('Figures of the chosen combination on the training days'),
  outside: figures.describe('Figures on the tested days'),
});

const path = z.object({
  splits: z.array(count('Index of a split')).describe('For each group, the split that tests it'),
  ...figures.shape,
});

const spread = (description: string) => quantilesSchema.nullable().describe(description);

/** The document of a cross-validation as a schema. Ratios are numbers or null, times are UTC milliseconds. */
export const crossValidationSchema = z.object({
  version: z.literal(CROSS_VALIDATION_VERSION),
  crossValidation: validated,
  counts: z.object({
    combinations: count('Combinations'),
    failed: count('Failed combinations'),
    withoutReturns: count(
      'Finished combinations without daily returns, because an equity was not above 0',
    ),
    otherDays: count(
      'Combinations that lack some days, because a longer warm-up delays their start',
    ),
  }),
  warnings: z
    .array(text('One sentence'))
    .describe('Reasons why two runs of the strategy may differ'),
  differences: z
    .array(differenceSchema)
    .describe('Repeated combinations with a different result; a few are repeated'),
  spread: z
    .object({
      inside: spread('Objective of the chosen combination on the training days, over the splits'),
      outside: spread('Figures on the tested days'),
      totalReturn: spread('Over the paths'),
      sharpe: spread('Over the paths'),
      maxDrawdown: spread('Over the paths'),
    })
    .describe('Quantiles of the figures; null if a figure is missing'),
  losing: count('Paths with a loss'),
  chosen: z
    .array(z.object({ ...placeSchema.shape, splits: count('Splits in which it was chosen') }))
    .describe('Chosen combinations, most often chosen first'),
  paths: z.array(path),
  splits: z.array(split),
});

/** A finished cross-validation in the form of its document. */
export type CrossValidation = DeepReadonly<z.infer<typeof crossValidationSchema>>;
