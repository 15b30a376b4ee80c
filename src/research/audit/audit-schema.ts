import { z } from 'zod';
import type { DeepReadonly } from '../../domain/index.js';
import {
  countSchema as count,
  resultSchema,
  textSchema as text,
  timeSchema as time,
} from '../../report/index.js';
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

const proof = {
  verdict: z.enum(['passed', 'violated', 'not done']),
  reason: z
    .string()
    .nullable()
    .describe('Why the proof was not done or shows little; null otherwise'),
  findings: z.array(z.string()).describe('Violations, one line each'),
};
const cuts = {
  instants: count('Instants after which the market was changed'),
  compared: count('Compared steps up to these instants, over all changes'),
};

const lookAhead = z.object({
  ...proof,
  ...cuts,
  finer: z
    .object(cuts)
    .nullable()
    .describe('The same with prices on finer candles; null if none are stored'),
});

const determinism = z.object({
  ...proof,
  commands: count('Orders and cancels of one run'),
  seed: z
    .enum(['other', 'drawn'])
    .describe('other: another seed was tried as well; drawn: the run draws random numbers'),
  notes: z
    .array(z.string())
    .describe("Possible nondeterminism of the plugin's packages, one line each"),
});

const warmUp = z.object({
  ...proof,
  lookback: count('Candles of a lookback'),
  heard: count('Candles of the warm-up before a start'),
  starts: count('Tested starts'),
  moves: z.array(
    z.object({
      lookbacks: count('Lookbacks by which the warm-up was longer'),
      decisions: count('Decisions of the strategy, the larger number of both runs'),
      changed: count('Decisions that the other run did not make'),
    }),
  ),
  settled: z
    .object({ decisions: count('As above'), changed: count('As above') })
    .describe('Comparison of the two longest warm-ups'),
  fields: z
    .array(
      z.object({
        name: text('Field of the strategy'),
        heard: z.number().describe('Value at a start'),
        longer: z.number().describe('Value with the longest tested warm-up'),
      }),
    )
    .describe('Fields that change with a longer warm-up, largest change first'),
});

const order = z.object({
  ...proof,
  instruments: count('Instruments with candles at the same instants'),
  decisions: count('Decisions of the strategy'),
});

const { totalReturn, sharpe, maxDrawdown, trades } = resultSchema.shape.statistics.shape;
const failed = z.string().nullable().describe('Error code of a run that failed; null otherwise');
const sensitivity = z.object({
  rows: z.array(
    z.object({
      kind: z.enum(['costs', 'latency', 'path']),
      value: text('Tested value: costs as a multiple, latency as the added time, path by name'),
      figures: z
        .object({
          finalEquity: text('Equity at the end'),
          currency: text('Currency of equity'),
          ...{ totalReturn, sharpe, maxDrawdown, trades },
        })
        .nullable()
        .describe('Figures of the run; null if it failed'),
      failed,
    }),
  ),
});

const ablation = z.object({
  currency: text('Currency of all money'),
  finalEquity: text('Equity at the end of the plain run'),
  note: z.string().nullable().describe('Omitted runs and the reason; null if none'),
  rows: z
    .array(
      z.object({
        kind: z.enum(['label', 'guard', 'instrument', 'protection', 'parameter']),
        name: text('Rule that is switched off, or parameter with another value'),
        value: z
          .union([z.string(), z.number(), z.boolean()])
          .nullable()
          .describe('Value of the parameter; null for a rule'),
        money: z
          .object({
            finalEquity: text('Equity at the end'),
            difference: text('Exact difference to finalEquity of the plain run'),
            orders: count('Orders sent'),
            trades: count('Positions opened and closed'),
          })
          .nullable()
          .describe('Figures of the run; null if it failed'),
        failed,
      }),
    )
    .describe(
      'One run for each rule that can be switched off, and for each neighboring value of a parameter',
    ),
});

const capacity = z.object({
  participation: text("Share of a candle's volume that orders may take"),
  impact: text('Coefficient of slippage, which grows with the square root of the volume share'),
  currency: text('Currency of all money'),
  rows: z.array(
    z.object({
      times: count('Factor applied to account and order sizes'),
      money: z
        .object({
          initialEquity: text('Equity at the start'),
          profit: text('Exact final equity − initial equity'),
          totalReturn,
          orders: count('Orders sent'),
          fills: count('Fills'),
          refusals: count('Intents rejected by risk checks'),
        })
        .nullable()
        .describe('Figures of the run; null if it failed'),
      failed,
    }),
  ),
  gone: count('Smallest factor without a profit')
    .nullable()
    .describe('null if every size makes a profit'),
  most: count('Factor with the largest profit')
    .nullable()
    .describe('null if no size makes a profit'),
});

/** The document of an audit as a schema. Parts that were not requested are absent. If no two runs are alike, parts that only inform are absent too. */
export const auditSchema = z.object({
  version: z.literal(AUDIT_VERSION),
  audit: z.object({
    strategy: text('Name of the strategy'),
    parameters: parametersSchema,
    source: text('Hash of the plugin and its imports'),
    from: time('Open of the first candle after warm-up'),
    to: time('Close of the last candle'),
    seed: count('Random seed of instants, noise and starts'),
    runs: count('Number of backtests'),
  }),
  lookAhead: lookAhead.optional(),
  determinism: determinism.optional(),
  warmUp: warmUp.optional(),
  order: order.optional(),
  sensitivity: sensitivity.optional(),
  ablation: ablation.optional(),
  capacity: capacity.optional(),
});

/** A finished audit in the form of its document. */
export type Audit = DeepReadonly<z.infer<typeof auditSchema>>;

/** Outcome of one proof. */
export type Proof = Pick<NonNullable<Audit['order']>, 'verdict' | 'reason' | 'findings'>;
