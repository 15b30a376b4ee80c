import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  parametersSchema,
  trialOutcomeSchema,
  type DailyReturns,
  type TrialJob,
  type TrialRun,
} from '../research/index.js';

/** Version of the messages of a queue. A worker refuses a search of another version. */
export const QUEUE_VERSION = 1;
/** Most characters of the description of a search: its plugin and config together. */
export const MOST_DESCRIBED = 16 * 2 ** 20;
const MOST_TRIALS = 1_000;
const MOST_DAYS = 100_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** File names of a plugin: relative, with slashes, below the folder that the worker writes them to. */
const fileName = z
  .string()
  .max(500)
  .regex(/^[^/\\\0:][^\\\0:]*$/)
  .refine((name) => name.split('/').every((part) => part !== '' && part !== '.' && part !== '..'), {
    error: 'expected a file below the folder of the plugin',
  });
const files = z.record(fileName, z.string());

/** The description of a search: what must be the same on a worker before it runs a combination, and the bot's file and plugin that it receives. */
const searchSchema = z.strictObject({
  version: z.literal(QUEUE_VERSION),
  /** Hash that identifies the coordinator: two coordinators have two searches, even with the same inputs. */
  owner: sha256,
  /** Version of the engine. */
  engine: z.string().max(100),
  /** Major version of Node. */
  node: z.int().nonnegative(),
  /** YAML of the bot, with all parameters and options that were set for this search. */
  config: z.string(),
  plugin: z.strictObject({ hash: sha256, entry: fileName, files }),
  inputs: z.strictObject({
    strategy: z.string().max(1_000),
    source: sha256,
    ground: sha256,
    data: sha256,
    engine: z.string().max(100),
  }),
  /** Checksums of all stored data of the bot's instruments. */
  holdings: z.array(z.strictObject({ name: z.string().max(1_000), sha256 })).max(100_000),
});

/** A search as the coordinator announces it to workers. */
export type SearchDescription = Readonly<z.infer<typeof searchSchema>>;

const spanSchema = z.strictObject({ from: z.int(), to: z.int() });
const jobSchema = z.strictObject({
  parameters: parametersSchema,
  span: spanSchema.optional(),
  redraw: spanSchema.extend({ seed: z.int(), block: z.int().positive() }).optional(),
});
const trialsSchema = z.array(jobSchema).min(1).max(MOST_TRIALS);

/** The data of a job of the queue: combinations that one worker runs. */
export const chunkSchema = z.strictObject({
  /** JSON of the combinations. */
  trials: z.string().max(MOST_DESCRIBED),
  signature: z.string().optional(),
});
export type Chunk = Readonly<z.infer<typeof chunkSchema>>;

/** Daily returns: the end of the first day, and float64 in base64, little-endian. */
const returnsSchema = z.strictObject({
  from: z.int(),
  values: z
    .string()
    .max(MOST_DAYS * 11)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/),
});
const runSchema = z.union([
  z.strictObject({ outcome: trialOutcomeSchema, returns: returnsSchema.optional() }),
  // The combination broke the thread that ran it.
  z.strictObject({ crash: z.string() }),
]);
const runsSchema = z.array(runSchema).max(MOST_TRIALS);

/** The result of a chunk, as a worker returns it. */
export const chunkResultSchema = z.strictObject({
  /** JSON of one {@link ChunkRun} per combination, in their order. */
  runs: z.string(),
  signature: z.string().optional(),
});
export type ChunkResult = Readonly<z.infer<typeof chunkResultSchema>>;

/** The result of one combination of a chunk, or the reason of its crash. */
export type ChunkRun = TrialRun | { readonly crash: string };

/** Reads the description of a search. Undefined if the text is no valid description. */
export function parseSearch(text: string): SearchDescription | undefined {
  if (text.length > MOST_DESCRIBED) return undefined;
  return parseMessage(text, searchSchema);
}

/** Name of a search in a queue, and on the command line: the first 16 hexadecimal digits of the hash of its description. */
export function nameOfSearch(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export function writeTrials(trials: readonly TrialJob[]): string {
  return JSON.stringify(trials);
}

/** Reads the combinations of a chunk. Undefined if the text is no valid list. */
export function parseTrials(text: string): readonly TrialJob[] | undefined {
  return parseMessage(text, trialsSchema);
}

/** Id of a chunk: a hash of all its inputs. The queue keeps a chunk that is added twice only once. */
export function idOfChunk(search: string, trials: string): string {
  return createHash('sha256').update(`${search}\n${trials}`).digest('hex').slice(0, 40);
}

/** The key of a combination within a search: JSON of its parameters, span and redraw. */
export function keyOfTrial({ parameters, span, redraw }: TrialJob): string {
  const set = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    set,
    span === undefined ? null : [span.from, span.to],
    redraw === undefined ? null : [redraw.from, redraw.to, redraw.seed, redraw.block],
  ]);
}

export function writeRuns(runs: readonly ChunkRun[]): string {
  return JSON.stringify(
    runs.map((run) => {
      if ('crash' in run) return run;
      const { outcome, returns } = run;
      return returns === undefined ? { outcome } : { outcome, returns: writeReturns(returns) };
    }),
  );
}

/** Reads the results of a chunk. Undefined if the text is not valid or does not hold exactly `count` results. */
export function parseRuns(text: string, count: number): readonly ChunkRun[] | undefined {
  const parsed = parseMessage(text, runsSchema);
  if (parsed?.length !== count) return undefined;
  const runs: ChunkRun[] = [];
  for (const run of parsed) {
    if ('crash' in run || run.returns === undefined) {
      runs.push(run as ChunkRun);
      continue;
    }
    const returns = readReturns(run.returns);
    if (returns === undefined) return undefined;
    runs.push({ outcome: run.outcome, returns });
  }
  return runs;
}

function writeReturns({ from, values }: DailyReturns): z.infer<typeof returnsSchema> {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, 8 * index);
  return { from, values: bytes.toString('base64') };
}

function readReturns({ from, values }: z.infer<typeof returnsSchema>): DailyReturns | undefined {
  const bytes = Buffer.from(values, 'base64');
  if (bytes.length === 0 || bytes.length % 8 !== 0) return undefined;
  const returns = new Float64Array(bytes.length / 8);
  for (let index = 0; index < returns.length; index += 1)
    returns[index] = bytes.readDoubleLE(8 * index);
  return returns.every(Number.isFinite) ? { from, values: returns } : undefined;
}

/** Reads JSON that fits a schema. Undefined if the text is no JSON or does not fit. */
export function parseMessage<T>(text: string, schema: z.ZodType<T>): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
