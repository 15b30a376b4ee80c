import { z } from 'zod';
import type { DeepReadonly } from '../../domain/index.js';
import { countSchema as count, textSchema as text } from '../../report/index.js';
import { parametersSchema } from '../trials/trial-schema.js';
import { RULE_CHANGES } from './history.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const FUZZ_VERSION = 1;

const kind = <const Kind extends string>(name: Kind, description: string) =>
  z.literal(name).describe(description);
const candles = count('Number of candles');
const bps = (description: string) => z.int().describe(`${description}, in bps`);

const stretch = z.union([
  z.object({ kind: kind('flat', 'Prices do not move'), candles }),
  z.object({
    kind: kind('move', 'Every candle moves by the same amount'),
    candles,
    bps: bps('From open to close'),
  }),
  z.object({
    kind: kind('gap', 'One candle opens with a price gap'),
    bps: bps('From the previous close'),
  }),
  z.object({ kind: kind('spike', 'One candle moves away and returns'), bps: bps('Size') }),
  z.object({
    kind: kind('thin', 'Little volume'),
    candles,
    percent: count("Value of a candle's volume, in percent of the account"),
  }),
  z.object({ kind: kind('halt', 'Missing candles'), candles }),
  z.object({ kind: kind('rules', 'The venue changes its rules'), change: z.enum(RULE_CHANGES) }),
]);

const violation = z.object({
  law: text('The violated law'),
  value: z
    .number()
    .nullable()
    .describe('Figure of the law in the smallest history; null if the strategy failed'),
  failed: z
    .object({ code: text('Error code'), message: text('Error message, in one line') })
    .nullable()
    .describe('Failure of the strategy; null if it did not fail'),
  history: count('Number of the history in which it was found, from 1'),
  smaller: count('Number of times that history was reduced'),
  candles: count('Candles of the smallest history, including missing ones'),
  lateMs: count('Delay of its candles, in ms'),
  markets: z
    .array(z.object({ instrument: text('Instrument'), stretches: z.array(stretch) }))
    .describe('Markets of the history'),
  kept: text('Folder with its candles and config.yaml; `backtest` replays it'),
});

/** The document of a fuzz as a schema. */
export const fuzzSchema = z.object({
  version: z.literal(FUZZ_VERSION),
  fuzz: z.object({
    strategy: text('Name of the strategy'),
    parameters: parametersSchema,
    source: text('Hash of the plugin and its imports'),
    seed: count('Random seed'),
    histories: count('Histories drawn for each law that holds'),
    candles: count('Largest number of candles of a history'),
    interval: text('Interval of the candles'),
    lead: count('Quiet candles before each history for the warm-up'),
    laws: z.array(text('A law')).describe('All laws'),
    runs: count('Number of backtests'),
  }),
  violations: z.array(violation).describe('Violated laws, in the order of discovery'),
});

/** A finished fuzz in the form of its document. */
export type Fuzz = DeepReadonly<z.infer<typeof fuzzSchema>>;
export type FuzzViolation = Fuzz['violations'][number];
