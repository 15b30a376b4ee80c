import { z } from 'zod';
import type { DeepReadonly } from '../../domain/index.js';
import {
  countSchema as count,
  textSchema as text,
  timeSchema as time,
} from '../../report/index.js';
import { quantilesSchema } from '../document/schema-parts.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const MONTE_CARLO_VERSION = 1;

const ratio = (description: string) => z.number().describe(description);
const quantiles = quantilesSchema.shape;
/** A figure of the run and of the paths. */
const figure = (description: string) =>
  z.object({ run: ratio('Value of the run itself'), ...quantiles }).describe(description);

const trades = z.object({
  count: count('Trades, including open ones'),
  maxDrawdown: figure('Largest drawdown, by trades'),
  longestFall: figure('Most trades in a row that end below the last peak'),
  ruin: ratio('Share of paths with ruin at one of their trades'),
});

/** Figures of paths of days. */
const daily = {
  totalReturn: figure('Return of all days together'),
  maxDrawdown: figure('Largest drawdown, by days'),
  longestFall: figure('Most days in a row that end below the last peak'),
  loss: ratio('Share of paths with a loss'),
  ruin: ratio('Share of paths with ruin on one of their days'),
  bands: z
    .array(z.object({ time: time('Midnight'), ...quantiles }))
    .describe('Quantiles of the growth of 1 up to then'),
};

const days = z.object({
  count: count('Daily returns'),
  block: ratio('Mean length of a block, in days'),
  ...daily,
});

const candles = z.object({
  count: count('Days to draw from'),
  block: count('Length of a block, in days'),
  histories: count('Redrawn histories that the bot finished'),
  failed: count('Redrawn histories in which the bot failed'),
  ...daily,
});

/** The document of a Monte Carlo as a schema. Figures are shares: 0.01 is 1 %. */
export const monteCarloSchema = z.object({
  version: z.literal(MONTE_CARLO_VERSION),
  monteCarlo: z.object({
    strategy: text('Name of the strategy'),
    parameters: parametersSchema,
    run: text('run.id of the result'),
    from: time('Start of the run'),
    to: time('End of the run'),
    seed: count('Random seed'),
    paths: count('Paths of trades, and of days'),
    ruin: ratio('Loss that counts as ruin, as a share of the initial value'),
  }),
  trades: trades.nullable().describe('Trades in shuffled order; null without trades'),
  days: days
    .nullable()
    .describe('Days in blocks drawn with replacement; null with fewer than 30 days'),
  candles: candles
    .nullable()
    .describe('Runs of the bot on redrawn candle histories; null if not requested'),
});

/** A finished Monte Carlo in the form of its document. */
export type MonteCarlo = DeepReadonly<z.infer<typeof monteCarloSchema>>;
