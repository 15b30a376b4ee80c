import { z } from 'zod';
import type { DeepReadonly } from '../../domain/index.js';
import {
  countSchema as count,
  figureSchema,
  textSchema as text,
  timeSchema as time,
} from '../../report/index.js';
import { momentsSchema } from '../ledger/trial-record.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const SIGNIFICANCE_VERSION = 1;

const number = (description: string) => z.number().describe(description);
/** Null if the returns are too irregular for the formula. */
const probability = (description: string) => figureSchema(`Probability that ${description}`);

const editions = {
  edition2012: probability('it is, 2012 edition'),
  edition2026: probability('it is, 2026 edition'),
};
const days = (edition: string) => figureSchema(`${edition} edition; null: never`);

const trial = z.object({
  id: text('run.id of the same backtest'),
  parameters: parametersSchema,
  from: time('End of the first whole UTC day'),
  to: time('End of the last whole UTC day'),
  sharpe: number('Annual Sharpe ratio, 365 days'),
  moments: momentsSchema.describe('Moments of the daily returns'),
  psr: z.object(editions).describe('Probability that the true Sharpe ratio is above 0 (PSR)'),
  minimumDays: z
    .object({ edition2012: days('2012'), edition2026: days('2026') })
    .describe('Days needed for a PSR of 0.95 (MinTRL)'),
});

const luck = z.object({
  trials: number('Independent trials; the effective number may be fractional'),
  expectedBest: figureSchema(
    'Expected annual Sharpe ratio of the best of these trials by luck alone; null if fewer than two trials have a Sharpe ratio',
  ),
  minimumYears: figureSchema(
    'Shortest backtest in years (MinBTL): with less, luck alone is expected to reach the Sharpe ratio of the judged trial; null if that is not above 0',
  ).optional(),
  probability: number(
    'Probability that the best of these trials reaches the Sharpe ratio of the judged trial',
  ),
  dsr: z
    .object({
      edition2014: probability('it is, 2014 edition'),
      edition2026: probability('it is, 2026 edition'),
    })
    .describe('Probability that the true Sharpe ratio is above expectedBest (DSR)'),
});

const overfitting = z.object({
  blocks: count('Blocks of days'),
  splits: count('Tested splits into halves'),
  droppedDays: count('Days at the start that do not fill a block'),
  probability: number('PBO: share of splits whose best trial is not above the median outside'),
  lossProbability: number('Share of splits whose best trial loses outside'),
  slope: figureSchema(
    "Slope of the best trial's performance outside on inside; null if all are equal inside",
  ),
  histogram: z
    .array(z.object({ from: z.number(), to: z.number(), count: count('Splits') }))
    .describe('Histogram of logits: from < logit ≤ to; logits ≤ 0 count for PBO'),
});

const haircut = z
  .object({
    p: z.number(),
    sharpe: figureSchema('Annual ratio; null if the p-value is too small for a number, and is 0'),
  })
  .describe(
    'p-value adjusted for multiple tests, and the Sharpe ratio with that p-value in a single test',
  );

const p = (description: string) => number(`p-value, ${description}`);
const reality = z.object({
  draws: count('Redrawn histories'),
  meanBlock: number('Mean length of a block, in days'),
  white: z.object({ statistic: z.number(), p: p("White's reality check") }),
  spa: z.object({
    statistic: z.number(),
    lower: p("Hansen's SPA, lower bound"),
    consistent: p("Hansen's SPA, consistent"),
    upper: p("Hansen's SPA, upper bound"),
  }),
});

const search = z.object({
  trials: count('Finished trials'),
  since: z.int().nullable().describe('End of the first trial; null if unknown'),
  spread: figureSchema('Standard deviation of the annual Sharpe ratios; null with fewer than two'),
  luck: z.object({
    effective: luck.describe('For the effective number of trials'),
    raw: luck.describe('For the number of trials'),
  }),
  table: z
    .object({
      trials: count('Columns'),
      from: time('End of the first day'),
      to: time('End of the last day'),
      days: count('Rows'),
      hasTrial: z.boolean().describe('Whether the table contains the judged trial'),
      withoutReturns: count('Left out: daily returns not stored, or damaged'),
      otherDays: count('Left out: some days are missing'),
      notDrawn: count('Left out: beyond the limit of readable trials'),
    })
    .describe('Table of daily returns behind overfitting and reality'),
  overfitting,
  reality,
  haircut: z.object({
    tests: count('Trials'),
    p: p('two-sided, for the trial alone'),
    bonferroni: haircut,
    sidak: haircut,
    holm: haircut,
    bhy: haircut,
  }),
});

/** The document of a judgment as a schema. Figures have 12 digits. */
export const significanceSchema = z.object({
  version: z.literal(SIGNIFICANCE_VERSION),
  strategy: text('Name of the strategy'),
  data: text('Hash of the data'),
  trial: trial.describe('The judged trial, as if it were the only one'),
  search: search
    .nullable()
    .describe('Judgment with all trials of the search; null if they are unknown'),
});

/** Whether a trial is luck. */
export type Significance = DeepReadonly<z.infer<typeof significanceSchema>>;
/** Judgment of a trial by its own returns, as if it were the only one. */
export type TrialAlone = Significance['trial'];
/** Judgment of a trial by all trials of its search. */
export type SearchJudgment = NonNullable<Significance['search']>;
/** How far luck alone goes with a number of independent trials. */
export type LuckOf = SearchJudgment['luck']['raw'];
/** How the best of one half of the days ranks in the other half (PBO). */
export type OverfittingFound = SearchJudgment['overfitting'];
/** Sharpe ratio that is left after a number of tests. */
export type HaircutFound = SearchJudgment['haircut'];
export type Haircut = HaircutFound['sidak'];
