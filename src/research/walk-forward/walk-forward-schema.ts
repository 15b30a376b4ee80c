import { z } from 'zod';
import {
  axisSchema,
  bestSchema,
  countSchema as count,
  differenceSchema,
  figureSchema as figure,
  searchedSchema,
  textSchema as text,
} from '../document/schema-parts.js';
import { parametersSchema, trialOutcomeSchema } from '../trials/trial-schema.js';
import { WINDOWS } from './lay-out-folds.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const WALK_FORWARD_VERSION = 1;

const time = (description: string) => z.int().describe(`${description}; UTC milliseconds`);
const span = z.object({ from: time('Start'), to: time('End, exclusive') });
const days = (description: string) => z.int().positive().describe(`${description}, in days`);
const [finished] = trialOutcomeSchema.options;
const run = z.object({
  id: text('run.id of the same backtest'),
  annualReturn: figure('Compound growth in a year; null after ruin'),
  ...finished.shape,
});

const walk = z.object({
  ...searchedSchema.shape,
  axes: z.array(axisSchema).describe('What was searched; the last one changes fastest'),
  best: bestSchema,
  window: z.enum(WINDOWS).describe('Whether the part to train on keeps its length or its start'),
  train: days('Length of the first part to train on'),
  test: days('Length of a part to test on'),
  step: days('From one fold to the next'),
  ...span.shape,
});

const fold = z.object({
  train: span,
  test: span,
  counts: z.object({
    combinations: count('Combinations'),
    failed: count('That failed'),
    idle: count('That ran to their end without a trade'),
    unranked: count('That traded, and have no figure for the objective'),
  }),
  parameters: parametersSchema.describe('What was chosen'),
  inside: run.describe('Its run over the part to train on'),
  outside: run.describe('Its run over the part to test on'),
  efficiency: figure('Annual return outside ÷ inside; null where that inside is not above 0'),
});

const whole = z.object({
  totalReturn: figure('Of all tests, one behind the other'),
  cagr: figure('Compound growth in a year'),
  volatility: figure('Of the daily returns, in a year'),
  sharpe: figure('In a year'),
  sortino: figure('In a year'),
  maxDrawdown: z.number().describe('Of the values of the curve'),
  insideAnnualReturn: figure('Annual growth of what was chosen over its parts to train on'),
  annualReturn: figure('Annual growth of the tests'),
  efficiency: figure('annualReturn ÷ insideAnnualReturn; null where the latter is not above 0'),
  profitable: count('Folds that ended above where they began'),
  luck: z
    .object({
      trials: count('Training runs of all folds that have a Sharpe ratio'),
      lucky: z.number().describe('Annual Sharpe ratio that luck reaches in so many'),
      dsr2014: z.number().describe('Deflated Sharpe ratio of the curve, edition of 2014'),
      dsr2026: z.number().describe('Edition of 2026, with the variance of the maximum'),
    })
    .nullable()
    .describe('null where there are too few returns or trials'),
});

const drift = z.object({
  name: text('Parameter'),
  changes: count('Folds with another value than the fold before'),
  drift: figure('Mean move to the next fold as a share of the axis; null of one fold'),
});

/** The document of a walk-forward as a schema. Money is decimal text, ratios are numbers or null, times are UTC milliseconds. */
export const walkForwardSchema = z.object({
  version: z.literal(WALK_FORWARD_VERSION),
  walkForward: walk,
  warnings: z
    .array(z.string())
    .describe('What keeps two runs of the strategy from being the same, one sentence each'),
  differences: z
    .array(differenceSchema)
    .describe('Of a few tests that were run again, those that came to something else'),
  outside: whole.describe('The tests, one behind the other'),
  drift: z.array(drift).describe('By parameter'),
  folds: z.array(fold),
  curve: z
    .array(z.object({ time: time('Midnight'), value: z.number() }))
    .describe('What 1 becomes through the tests'),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished walk-forward in the form of its document. */
export type WalkForward = DeepReadonly<z.infer<typeof walkForwardSchema>>;
export type WalkForwardFold = WalkForward['folds'][number];

/** JSON Schema of the document, for readers in other languages. */
export function walkForwardJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(walkForwardSchema, { io: 'input' });
}
