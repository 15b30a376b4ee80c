import { z } from 'zod';
import { resultSchema } from '../../report/index.js';
import { countSchema as count, textSchema as text } from '../document/schema-parts.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the document's shape. Keys may be added within a version; none changes its meaning or goes. */
export const AUDIT_VERSION = 1;

/** What an audit can look into, in its order. */
export const AUDIT_PARTS = [
  'look-ahead',
  'determinism',
  'warm-up',
  'order',
  'sensitivity',
] as const;

export type AuditPart = (typeof AUDIT_PARTS)[number];

const time = (description: string) => z.int().describe(`${description}; UTC milliseconds`);
const proof = {
  verdict: z.enum(['passed', 'violated', 'not done']),
  reason: z.string().nullable().describe('Why it was not done, or shows little; null otherwise'),
  findings: z.array(z.string()).describe('What was violated, one line each'),
};
const cuts = {
  instants: count('Instants after which the market was changed'),
  compared: count('Steps up to these instants that were compared, of all changes together'),
};

const lookAhead = z.object({
  ...proof,
  ...cuts,
  finer: z
    .object(cuts)
    .nullable()
    .describe('The same where prices walk finer candles; null where none are stored'),
});

const determinism = z.object({
  ...proof,
  commands: count('Orders and cancels of one run'),
  seed: z
    .enum(['other', 'drawn'])
    .describe('other: another seed was tried, too; drawn: the run draws from it'),
  notes: z.array(z.string()).describe('What packages of the plugin could do, one line each'),
});

const warmUp = z.object({
  ...proof,
  lookback: count('Candles of a lookback'),
  heard: count('Candles that are heard before a start'),
  starts: count('Starts that were tried'),
  moves: z.array(
    z.object({
      lookbacks: count('How many lookbacks earlier the strategy began to hear'),
      decisions: count('What it wanted, the more of both runs'),
      changed: count('Of these, what the other run did not want'),
    }),
  ),
  settled: z
    .object({ decisions: count('As above'), changed: count('As above') })
    .describe('The two longest warm-ups compared with each other'),
  fields: z
    .array(
      z.object({
        name: text('Field of the strategy'),
        heard: z.number().describe('Its value at a start'),
        longer: z.number().describe('Its value with the longest warm-up tried'),
      }),
    )
    .describe('What has other values with a longer warm-up, the most changed first'),
});

const order = z.object({
  ...proof,
  instruments: count('Instruments that have candles at the same instants'),
  decisions: count('What the strategy wanted'),
});

const { totalReturn, sharpe, maxDrawdown, trades } = resultSchema.shape.statistics.shape;
const sensitivity = z.object({
  rows: z.array(
    z.object({
      kind: z.enum(['costs', 'latency', 'path']),
      value: text('What it was: costs as a multiple, latency as what was added, path by its name'),
      figures: z
        .object({
          finalEquity: text('Equity at the end'),
          currency: text('Of equity'),
          ...{ totalReturn, sharpe, maxDrawdown, trades },
        })
        .nullable()
        .describe('What the run came to; null where it failed'),
      failed: z.string().nullable().describe('Error code of a run that failed; null otherwise'),
    }),
  ),
});

/** The document of an audit as a schema. Parts that were not asked for are absent. */
export const auditSchema = z.object({
  version: z.literal(AUDIT_VERSION),
  audit: z.object({
    strategy: text('Name of the strategy'),
    parameters: parametersSchema,
    source: text('Hash of the plugin and what it imports'),
    from: time('Open of the first candle after warm-up'),
    to: time('Close of the last candle'),
    seed: count('Start of the draws: instants, noise, starts'),
    runs: count('Backtests that were run'),
  }),
  lookAhead: lookAhead.optional(),
  determinism: determinism.optional(),
  warmUp: warmUp.optional(),
  order: order.optional(),
  sensitivity: sensitivity.optional(),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished audit as its document says it. */
export type Audit = DeepReadonly<z.infer<typeof auditSchema>>;

/** What one of the proofs came to. */
export type Proof = Pick<NonNullable<Audit['order']>, 'verdict' | 'reason' | 'findings'>;

/** JSON Schema of the document, for readers in other languages. */
export function auditJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(auditSchema, { io: 'input' });
}
