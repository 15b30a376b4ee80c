import { z } from 'zod';
import {
  axisSchema,
  bestSchema,
  countSchema as count,
  differenceSchema,
  figureSchema as figure,
  placeSchema,
  quantilesSchema,
  searchedSchema,
  textSchema as text,
} from '../document/schema-parts.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const CROSS_VALIDATION_VERSION = 1;

const time = (description: string) => z.int().describe(`${description}; UTC milliseconds`);
const days = (description: string) => count(`${description}, in days`);

const figures = z.object({
  totalReturn: figure('Of all these days, one behind the other'),
  cagr: figure('Compound growth in a year'),
  volatility: figure('Of the daily returns, in a year'),
  sharpe: figure('In a year'),
  sortino: figure('In a year'),
  calmar: figure('cagr ÷ maxDrawdown'),
  maxDrawdown: figure('By days'),
});

const validated = z.object({
  ...searchedSchema.shape,
  axes: z.array(axisSchema).describe('What was searched; the last one changes fastest'),
  best: bestSchema,
  groups: count('Groups of days, N'),
  tested: count('Groups that are tested in a split, k'),
  days: days('What was cut into groups'),
  from: time('Start of the first day'),
  to: time('End of the last day'),
  purge: days('Left out of training on both sides of what is tested'),
  embargo: days('Left out behind that'),
  longestHold: z
    .object({
      time: count('Longest time that any trial held a position; milliseconds'),
      parameters: parametersSchema.describe('Of that trial'),
    })
    .describe('What the purge follows from'),
});

const split = z.object({
  groups: z.array(count('Place of a group')).describe('Tested groups'),
  trained: days('To train on'),
  ...placeSchema.shape,
  inside: figures.describe('What was chosen, on the days to train on'),
  outside: figures.describe('On the tested days'),
});

const path = z.object({
  splits: z.array(count('Place of a split')).describe('By group, the split that tests it'),
  ...figures.shape,
});

const spread = (description: string) => quantilesSchema.nullable().describe(description);

/** The document of a cross-validation as a schema. Ratios are numbers or null, times are UTC milliseconds. */
export const crossValidationSchema = z.object({
  version: z.literal(CROSS_VALIDATION_VERSION),
  crossValidation: validated,
  counts: z.object({
    combinations: count('Combinations'),
    failed: count('That failed'),
    withoutReturns: count('That finished without daily returns: an equity was not above 0'),
    otherDays: count('That lack some of the days, which begin later after a longer warm-up'),
  }),
  warnings: z
    .array(text('One sentence'))
    .describe('What keeps two runs of the strategy from being the same'),
  differences: z
    .array(differenceSchema)
    .describe('Of a few combinations that were run again, those that came to something else'),
  spread: z
    .object({
      inside: spread('Objective of what was chosen on the days to train on, over the splits'),
      outside: spread('On the tested days'),
      totalReturn: spread('Over the paths'),
      sharpe: spread('Over the paths'),
      maxDrawdown: spread('Over the paths'),
    })
    .describe('Where most of them lie; null where one has no such figure'),
  losing: count('Paths that end below where they began'),
  chosen: z
    .array(z.object({ ...placeSchema.shape, splits: count('Splits in which it was chosen') }))
    .describe('The most chosen first'),
  paths: z.array(path),
  splits: z.array(split),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished cross-validation in the form of its document. */
export type CrossValidation = DeepReadonly<z.infer<typeof crossValidationSchema>>;

/** JSON Schema of the document, for readers in other languages. */
export function crossValidationJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(crossValidationSchema, { io: 'input' });
}
