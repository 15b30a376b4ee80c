import { z } from 'zod';
import { countSchema as count, resultSchema, timeSchema as time } from '../../report/index.js';

const { statistics, equity, accounting } = resultSchema.shape;

const finished = z.object({
  status: z.literal('finished'),
  from: time('Open of the first candle after warm-up'),
  to: time('Close of the last candle'),
  candles: count('Candles given to the strategy, warm-up not counted'),
  equity,
  statistics,
  longestHold: count(
    'Longest holding time of a position, to the end of the run if still open; milliseconds; absent in lines of earlier versions',
  ).optional(),
  intents: count('Intents of the strategy'),
  orders: count('Orders sent'),
  fills: count('Fills'),
  refusals: count('Intents rejected by risk checks'),
  undecidedCandles: count('Candles whose hidden path could have changed the result'),
  accounting,
  noticed: z
    .array(z.string())
    .optional()
    .describe('Uses of clock, randomness and promises that the run detected; absent if none'),
});

const failed = z.object({
  status: z.literal('failed'),
  code: z.string().describe('Error code, see docs/errors.md'),
  message: z.string().describe('Error message, in one line'),
});

/** Outcome of one combination, in the form of sweep documents and of the trial ledger. */
export const trialOutcomeSchema = z.discriminatedUnion('status', [finished, failed]);

/** Figures of a finished run in the form of its result file, or the reason for their lack. Its size does not grow with the run. */
export type TrialOutcome = Readonly<z.infer<typeof trialOutcomeSchema>>;
export type FinishedTrial = Extract<TrialOutcome, { readonly status: 'finished' }>;
export type FailedTrial = Extract<TrialOutcome, { readonly status: 'failed' }>;

/** Parameters of a strategy by name. */
export const parametersSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]),
);
