import { hash } from 'node:crypto';
import { z } from 'zod';
import { parametersSchema, trialOutcomeSchema } from '../trials/trial-schema.js';

/** Version of the shape of a line. Within a version keys may be added, but no key is removed or changes its meaning. */
export const LEDGER_VERSION = 1;

const sha256 = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe(description);

/** Moments of daily returns, as documents write them. */
export const momentsSchema = z.object({
  count: z.int().describe('Daily returns'),
  mean: z.number(),
  variance: z.number().describe('With n − 1'),
  skewness: z.number(),
  kurtosis: z.number().describe('3 for a normal distribution'),
  autocorrelation: z.number().describe('Of adjacent days'),
});

export const trialRecordSchema = z.object({
  version: z.literal(LEDGER_VERSION),
  id: sha256('Hash of all inputs: the run.id of the same backtest'),
  strategy: z.string().describe('Name of the strategy'),
  source: sha256('Hash of the plugin and its imports'),
  ground: sha256('Hash of the configuration without the parameters'),
  data: sha256('Hash of the candles and the records stored with them'),
  engine: z.string().describe('Version of the engine'),
  parameters: parametersSchema.describe('Set parameters, including the searched ones'),
  outcome: trialOutcomeSchema,
  at: z.int().optional().describe('End of the trial; UTC milliseconds'),
  moments: momentsSchema
    .optional()
    .describe('Moments of the daily returns; absent with fewer than two'),
  returns: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      'Byte offset of its daily returns in the file next to the ledger; absent if not stored',
    ),
});

/** One tried combination: its inputs and its outcome. */
export type TrialRecord = Readonly<z.infer<typeof trialRecordSchema>>;

/** Inputs that show whether two trials are of one strategy on the same ground. */
export type TrialInputs = Pick<TrialRecord, 'strategy' | 'source' | 'ground' | 'data' | 'engine'>;

const CHECK_DIGITS = 16;
const WORD = '"((?:[^"\\\\]|\\\\.)*)"';
/** Groups: the checked text, the inputs at its beginning, and the check. */
const LINE = new RegExp(
  `^(\\{"version":\\d+,"id":"([0-9a-f]{64})","strategy":${WORD},"source":${WORD},"ground":${WORD},"data":${WORD},"engine":${WORD},.*),"check":"([0-9a-f]{16})"\\}$`,
);

/** Beginning of every line of a ledger. */
export const LINE_START = '{"version":';

/** Writes a record as one line, with a check over its text at the end. `returns`: the byte at which its daily returns begin. */
export function formatLine(record: TrialRecord, returns = record.returns): string {
  const { version, id, strategy, source, ground, data, engine, parameters, outcome } = record;
  const { at, moments } = record;
  const text = JSON.stringify({
    version,
    id,
    strategy,
    source,
    ground,
    data,
    engine,
    parameters,
    outcome,
    at,
    moments,
    returns,
  }).slice(0, -1);
  return `${text},"check":"${checkOf(text)}"}\n`;
}

/** A whole line of which only the beginning is parsed. */
export interface LedgerLine extends TrialInputs {
  readonly id: string;
  /** JSON of the record. */
  readonly text: string;
}

/** Reads a line without its line feed if its check is right; undefined if the line is damaged, or not of a ledger. */
export function readLine(line: string): LedgerLine | undefined {
  const [, text = '', id = '', strategy = '', source = '', ground = '', data = '', ...rest] =
    LINE.exec(line) ?? [];
  const [engine = '', check] = rest;
  if (check !== checkOf(text)) return undefined;
  return { id, strategy, source, ground, data, engine, text: `${text}}` };
}

/** Whether the trial of a line finished, without parsing it. No text within the line can look the same, because its quotes are escaped. */
export function isFinished({ text }: LedgerLine): boolean {
  return text.includes('"outcome":{"status":"finished"');
}

/** Whether a line was written by this version, without parsing it. */
export function isOfThisVersion({ text }: LedgerLine): boolean {
  return text.startsWith(`${LINE_START}${String(LEDGER_VERSION)},`);
}

/** Parses a line; undefined when it is of another version. */
export function parseLine({ text }: LedgerLine): TrialRecord | undefined {
  const parsed = trialRecordSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

function checkOf(text: string): string {
  return hash('sha256', text).slice(0, CHECK_DIGITS);
}
