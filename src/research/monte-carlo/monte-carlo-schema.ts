import { z } from 'zod';
import {
  countSchema as count,
  quantilesSchema,
  textSchema as text,
} from '../document/schema-parts.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const MONTE_CARLO_VERSION = 1;

const time = (description: string) => z.int().describe(`${description}; UTC milliseconds`);
const ratio = (description: string) => z.number().describe(description);
const quantiles = quantilesSchema.shape;
/** A figure of the run and of the paths. */
const figure = (description: string) =>
  z.object({ run: ratio('Of the run itself'), ...quantiles }).describe(description);

const trades = z.object({
  count: count('Trades, those still open among them'),
  maxDrawdown: figure('Largest fall from the highest value so far, by trades'),
  longestFall: figure('Most trades from one top to the next'),
  ruin: ratio('Share of the paths that were ruined at one of their trades'),
});

/** Figures of paths of days. */
const daily = {
  totalReturn: figure('Of all days together'),
  maxDrawdown: figure('Largest fall from the highest value so far, by days'),
  longestFall: figure('Most days from one top to the next'),
  loss: ratio('Share of the paths that end below where they began'),
  ruin: ratio('Share of the paths that were ruined on one of their days'),
  bands: z
    .array(z.object({ time: time('Midnight'), ...quantiles }))
    .describe('What 1 has become by then'),
};

const days = z.object({
  count: count('Daily returns'),
  block: ratio('Mean days of a block'),
  ...daily,
});

const candles = z.object({
  count: count('Days that were drawn from'),
  block: count('Days of a block'),
  histories: count('Redrawn histories in which the bot ran to its end'),
  failed: count('In which it failed'),
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
    to: time('Its end'),
    seed: count('Start of the draws'),
    paths: count('Of trades, and of days'),
    ruin: ratio('Share of the beginning whose loss is ruin'),
  }),
  trades: trades.nullable().describe('The trades in other orders; null where there are none'),
  days: days
    .nullable()
    .describe('The days in blocks drawn with replacement; null of fewer than 30'),
  candles: candles
    .nullable()
    .describe(
      'The bot run again on redrawn histories of its candles; null where none were asked for',
    ),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished Monte Carlo in the form of its document. */
export type MonteCarlo = DeepReadonly<z.infer<typeof monteCarloSchema>>;

/** JSON Schema of the document, for readers in other languages. */
export function monteCarloJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(monteCarloSchema, { io: 'input' });
}
