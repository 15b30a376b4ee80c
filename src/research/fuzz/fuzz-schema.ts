import { z } from 'zod';
import { countSchema as count, textSchema as text } from '../document/schema-parts.js';
import { parametersSchema } from '../trials/trial-schema.js';
import { RULE_CHANGES } from './history.js';

/** Version of the shape of the document. Within a version keys may be added, but no key is removed or changes its meaning. */
export const FUZZ_VERSION = 1;

const kind = <const Kind extends string>(name: Kind, description: string) =>
  z.literal(name).describe(description);
const candles = count('How many candles');
const bps = (description: string) => z.int().describe(`${description}, in bps`);

const stretch = z.union([
  z.object({ kind: kind('flat', 'Nothing moves'), candles }),
  z.object({ kind: kind('move', 'Each goes as far'), candles, bps: bps('From open to close') }),
  z.object({ kind: kind('gap', 'One candle opens elsewhere'), bps: bps('From the close before') }),
  z.object({ kind: kind('spike', 'One candle goes away and comes back'), bps: bps('How far') }),
  z.object({
    kind: kind('thin', 'There is little volume'),
    candles,
    percent: count('Worth of the volume of a candle, in percent of the account'),
  }),
  z.object({ kind: kind('halt', 'Candles are missing'), candles }),
  z.object({ kind: kind('rules', 'The venue has other rules'), change: z.enum(RULE_CHANGES) }),
]);

const violation = z.object({
  law: text('The law that is broken'),
  value: z
    .number()
    .nullable()
    .describe('Its figure in the smallest history; null where the strategy failed'),
  failed: z
    .object({ code: text('Error code'), message: text('What failed, in one line') })
    .nullable()
    .describe('How the strategy failed; null where it did not'),
  history: count('Place of the drawn history in which it was found, from 1'),
  smaller: count('How many times that history was made smaller'),
  candles: count('Candles of the smallest history, missing ones among them'),
  lateMs: count('How late its candles arrive, in ms'),
  markets: z
    .array(z.object({ instrument: text('Instrument'), stretches: z.array(stretch) }))
    .describe('What happens in it'),
  kept: text('Folder with its candles and config.yaml, which `backtest` replays'),
});

/** The document of a fuzz as a schema. */
export const fuzzSchema = z.object({
  version: z.literal(FUZZ_VERSION),
  fuzz: z.object({
    strategy: text('Name of the strategy'),
    parameters: parametersSchema,
    source: text('Hash of the plugin and what it imports'),
    seed: count('Start of the draws'),
    histories: count('Histories that were drawn for each law that holds'),
    candles: count('Most candles of a history'),
    interval: text('Of the candles that are drawn'),
    lead: count('Quiet candles before each history, which warm the strategy up'),
    laws: z.array(text('A law')).describe('All laws'),
    runs: count('Backtests that were run'),
  }),
  violations: z
    .array(violation)
    .describe('Laws that are broken, in the order in which they were found'),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished fuzz in the form of its document. */
export type Fuzz = DeepReadonly<z.infer<typeof fuzzSchema>>;
export type FuzzViolation = Fuzz['violations'][number];

/** JSON Schema of the document, for readers in other languages. */
export function fuzzJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(fuzzSchema, { io: 'input' });
}
