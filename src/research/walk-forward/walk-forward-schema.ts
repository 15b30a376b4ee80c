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
  searchedSchema,
} from '../document/schema-parts.js';
import { parametersSchema, trialOutcomeSchema } from '../trials/trial-schema.js';
import { WINDOWS } from './lay-out-folds.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const WALK_FORWARD_VERSION = 1;

const span = z.object({ from: time('Start'), to: time('End, exclusive') });
const days = (description: string) => z.int().positive().describe(`${description}, in days`);
const [finished] = trialOutcomeSchema.options;
const run = z.object({
  id: text('run.id of the same backtest'),
  annualReturn: figure('Annual compound growth; null after ruin'),
  ...finished.shape,
});

const walk = z.object({
  ...searchedSchema.shape,
  axes: z.array(axisSchema).describe('Searched parameters; the last one changes fastest'),
  best: bestSchema,
  window: z
    .enum(WINDOWS)
    .describe('rolling: the training part keeps its length; anchored: it keeps its start'),
  train: days('Length of the first training part'),
  test: days('Length of a test part'),
  step: days('Time from one fold to the next'),
  ...span.shape,
});

const fold = z.object({
  train: span,
  test: span,
  counts: z.object({
    combinations: count('Combinations'),
    failed: count('Failed combinations'),
    idle: count('Finished combinations without a trade'),
    unranked: count('Combinations with trades but without a figure for the objective'),
  }),
  parameters: parametersSchema.describe('Chosen parameters'),
  inside: run.describe('Run of the chosen parameters over the training part'),
  outside: run.describe('Run of the chosen parameters over the test part'),
  efficiency: figure('Annual return outside ÷ inside; null if the return inside is not above 0'),
});

const whole = z.object({
  totalReturn: figure('Return of all tests together'),
  cagr: figure('Annual compound growth'),
  volatility: figure('Annual volatility of the daily returns'),
  sharpe: figure('Annual ratio'),
  sortino: figure('Annual ratio'),
  maxDrawdown: z.number().describe('Largest drawdown of the curve'),
  insideAnnualReturn: figure('Annual growth of the chosen parameters over their training parts'),
  annualReturn: figure('Annual growth of the tests'),
  efficiency: figure('annualReturn ÷ insideAnnualReturn; null if the latter is not above 0'),
  profitable: count('Folds with a profit in the test'),
  luck: z
    .object({
      trials: count('Training runs of all folds with a Sharpe ratio'),
      lucky: z.number().describe('Annual Sharpe ratio that luck alone reaches in this many trials'),
      dsr2014: z.number().describe('Deflated Sharpe ratio of the curve, 2014 edition'),
      dsr2026: z.number().describe('2026 edition, with the variance of the maximum'),
    })
    .nullable()
    .describe('null with too few returns or trials'),
});

const drift = z.object({
  name: text('Parameter'),
  changes: count('Folds with a different value than the previous fold'),
  drift: figure('Mean change to the next fold as a share of the axis; null with one fold'),
});

/** The document of a walk-forward as a schema. Money is decimal text, ratios are numbers or null, times are UTC milliseconds. */
export const walkForwardSchema = z.object({
  version: z.literal(WALK_FORWARD_VERSION),
  walkForward: walk,
  warnings: z
    .array(z.string())
    .describe('Reasons why two runs of the strategy may differ, one sentence each'),
  differences: z
    .array(differenceSchema)
    .describe('Repeated tests with a different result; a few are repeated'),
  outside: whole.describe('All tests joined into one run'),
  drift: z.array(drift).describe('Drift of each parameter'),
  folds: z.array(fold),
  curve: z
    .array(z.object({ time: time('Midnight'), value: z.number() }))
    .describe('Growth of 1 through the tests'),
});

/** A finished walk-forward in the form of its document. */
export type WalkForward = DeepReadonly<z.infer<typeof walkForwardSchema>>;
export type WalkForwardFold = WalkForward['folds'][number];
