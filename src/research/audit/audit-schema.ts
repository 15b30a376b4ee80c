import { z } from 'zod';
import { resultSchema } from '../../report/index.js';
import { countSchema as count, textSchema as text } from '../document/schema-parts.js';
import { parametersSchema } from '../trials/trial-schema.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const AUDIT_VERSION = 1;

/** Parts of an audit, in order. */
export const AUDIT_PARTS = [
  'look-ahead',
  'determinism',
  'warm-up',
  'order',
  'sensitivity',
  'ablation',
  'capacity',
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
const failed = z.string().nullable().describe('Error code of a run that failed; null otherwise');
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
      failed,
    }),
  ),
});

const ablation = z.object({
  currency: text('Of all money'),
  finalEquity: text('Equity at the end of the plain run'),
  note: z.string().nullable().describe('What was left out, and why; null otherwise'),
  rows: z
    .array(
      z.object({
        kind: z.enum(['label', 'guard', 'instrument', 'protection', 'parameter']),
        name: text('Which rule is switched off, or which parameter has another value'),
        value: z
          .union([z.string(), z.number(), z.boolean()])
          .nullable()
          .describe('Of the parameter; null of a rule'),
        money: z
          .object({
            finalEquity: text('Equity at the end'),
            difference: text('Exactly what this is more than that of the plain run'),
            orders: count('Orders sent'),
            trades: count('Positions that were opened and closed'),
          })
          .nullable()
          .describe('What the run came to; null where it failed'),
        failed,
      }),
    )
    .describe(
      'One run for each rule that can be switched off, and for the neighbors of each parameter',
    ),
});

const capacity = z.object({
  participation: text('Share of the volume of a candle that orders may take'),
  impact: text('Coefficient of the slippage, which grows with the root of the share of volume'),
  currency: text('Of all money'),
  rows: z.array(
    z.object({
      times: count('How many times as large account and sizes were'),
      money: z
        .object({
          initialEquity: text('Equity at the start'),
          profit: text('Equity at the end less that at the start, exactly'),
          totalReturn,
          orders: count('Orders sent'),
          fills: count('Fills'),
          refusals: count('Intents that risk turned down'),
        })
        .nullable()
        .describe('What the run came to; null where it failed'),
      failed,
    }),
  ),
  gone: count('The smallest size at which nothing is earned')
    .nullable()
    .describe('null where something is earned at each'),
  most: count('The size that earns the most money')
    .nullable()
    .describe('null where nothing is earned at any'),
});

/** The document of an audit as a schema. Parts that were not requested are absent. If no two runs are alike, parts that only inform are absent too. */
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
  ablation: ablation.optional(),
  capacity: capacity.optional(),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished audit in the form of its document. */
export type Audit = DeepReadonly<z.infer<typeof auditSchema>>;

/** Outcome of one proof. */
export type Proof = Pick<NonNullable<Audit['order']>, 'verdict' | 'reason' | 'findings'>;

/** JSON Schema of the document, for readers in other languages. */
export function auditJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(auditSchema, { io: 'input' });
}
