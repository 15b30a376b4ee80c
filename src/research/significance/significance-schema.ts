import { z } from 'zod';
import {
  countSchema as count,
  figureSchema,
  textSchema as text,
} from '../document/schema-parts.js';
import { momentsSchema } from '../ledger/trial-record.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const SIGNIFICANCE_VERSION = 1;

const time = (description: string) => z.int().describe(`${description}; UTC milliseconds`);
const number = (description: string) => z.number().describe(description);
/** NaN in memory and null in the document, if the returns are too irregular for the formula. */
const probability = (description: string) => figureSchema(`Probability that ${description}`);

const editions = {
  edition2012: probability('it is, by the edition of 2012'),
  edition2026: probability('it is, by that of 2026'),
};
const days = (edition: string) => figureSchema(`By the edition of ${edition}; null: never`);

const trial = z.object({
  id: text('run.id of the same backtest'),
  parameters: parametersSchema,
  from: time('End of its first whole UTC day'),
  to: time('End of its last one'),
  sharpe: number('Of a year of 365 days'),
  moments: momentsSchema.describe('Of its daily returns'),
  psr: z.object(editions).describe('Whether its true Sharpe ratio is above 0 (PSR)'),
  minimumDays: z
    .object({ edition2012: days('2012'), edition2026: days('2026') })
    .describe('Days that are needed until that probability is 0.95 (MinTRL)'),
});

const luck = z.object({
  trials: number('Independent trials; not whole where they are the effective number'),
  expectedBest: number('Sharpe ratio of a year that the best of them is expected to show'),
  probability: number('Probability that the best of them shows as much as the judged trial'),
  dsr: z
    .object({
      edition2014: probability('it is, by the edition of 2014'),
      edition2026: probability('it is, by that of 2026'),
    })
    .describe('Whether the true Sharpe ratio is above expectedBest (DSR)'),
});

const overfitting = z.object({
  blocks: count('Blocks of days'),
  splits: count('Halves that were tried'),
  droppedDays: count('Days at the start that make no block'),
  probability: number('PBO: share of the splits whose best is no better than the middle outside'),
  lossProbability: number('Share of the splits whose best loses outside'),
  slope: figureSchema(
    'Of what the best shows outside on what it shows inside; null where all show the same inside',
  ),
  histogram: z
    .array(z.object({ from: z.number(), to: z.number(), count: count('Splits') }))
    .describe('Logits in classes of one width, above from and up to to; those up to 0 are PBO'),
});

const haircut = z
  .object({ p: z.number(), sharpe: z.number() })
  .describe(
    'p-value adjusted for the tests beside it, and the Sharpe ratio that would have it alone',
  );

const p = (description: string) => number(`p-value, ${description}`);
const reality = z.object({
  draws: count('Redrawn histories'),
  meanBlock: number('Mean days of a block'),
  white: z.object({ statistic: z.number(), p: p("White's reality check") }),
  spa: z.object({
    statistic: z.number(),
    lower: p("lower end of Hansen's SPA"),
    consistent: p('SPA'),
    upper: p('upper end'),
  }),
});

const search = z.object({
  trials: count('Trials that came to something'),
  since: z.int().nullable().describe('When the first of them ended; null where no line says'),
  spread: number('Standard deviation of their annual Sharpe ratios'),
  luck: z.object({
    effective: luck.describe('By the effective number of trials'),
    raw: luck.describe('By their number'),
  }),
  table: z
    .object({
      trials: count('Columns'),
      from: time('End of the first day'),
      to: time('End of the last day'),
      days: count('Rows'),
      hasTrial: z.boolean().describe('Whether the judged trial is one of them'),
      withoutReturns: count('Left out: daily returns not kept, or damaged'),
      otherDays: count('Left out: lack some of the days'),
      notDrawn: count('Left out: more than can be read'),
    })
    .describe('Daily returns that overfitting and reality are made of'),
  overfitting,
  reality,
  haircut: z.object({
    tests: count('Trials'),
    p: p('two-sided, of the trial alone'),
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
  trial: trial.describe('What is judged, as if it were the only one'),
  search: search.nullable().describe('By all that were tried; null where they are not known'),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

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

/** JSON Schema of the document, for readers in other languages. */
export function significanceJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(significanceSchema, { io: 'input' });
}
