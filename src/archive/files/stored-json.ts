import { z } from 'zod';
import {
  DataError,
  formatFixed,
  formatUtc,
  parseFixed,
  parseInstrumentId,
  parseInterval,
  parseUtc,
  TradingError,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';

/** Version of the shape of every JSON file of the archive. */
export const STORED_VERSION = z.literal(1, { error: '1' });

const text = z.string({ error: 'a text' });

/** A value that a file holds as text. For a wrong text, the message of the parser is the whole message. */
function written<T>(
  parse: (text: string) => T,
  format: (value: T) => string,
): z.ZodCodec<z.ZodString, z.ZodCustom<T, T>> {
  // On writing, an absent value fails here, as it does on reading, and not in the formatter.
  const present = z.custom<T>((value) => value !== undefined);
  return z.codec(text, present, {
    decode: (value, context) => {
      try {
        return parse(value);
      } catch (error) {
        if (!(error instanceof TradingError)) throw error;
        context.issues.push({ code: 'custom', message: error.message, input: value });
        return z.NEVER;
      }
    },
    encode: format,
  });
}

export const storedTime = written<EpochMs>(parseUtc, formatUtc);
export const storedInstrument = written(parseInstrumentId, String);
export const storedInterval = written(parseInterval, String);
export const storedAmount = written<Fixed>(parseFixed, formatFixed);
export const storedFlag = z.boolean({ error: 'true or false' });
export const storedCount = z.int({ error: 'a whole number' }).min(0, { error: 'a whole number' });
export const storedSources = z
  .array(z.string({ error: 'a text' }), { error: 'a list of strings' })
  .readonly();
export const storedHash = text.regex(/^[0-9a-f]{64}$/, { error: 'a SHA-256 in hex' });

/** One of a list of words. */
export function storedWord<const T extends readonly [string, ...string[]]>(
  words: T,
): z.ZodEnum<{ [Word in T[number]]: Word }> {
  return z.enum(words, { error: `one of ${words.join(', ')}` });
}

/** @throws {DataError} `E_DATA_METADATA` naming the file when the text is no JSON. */
export function parseJsonFile(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new DataError('E_DATA_METADATA', `${path}: not JSON`, { cause: error });
  }
}

/**
 * Reads a JSON file of the archive by its schema. Keys that the schema does not have are left out.
 *
 * @throws {DataError} `E_DATA_METADATA` naming the file and the first key that is wrong.
 */
export function readStored<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  path: string,
): z.output<Schema> {
  const parsed = schema.safeParse(json, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const key = issue?.path.map(String).join('.') ?? '';
  throw new DataError('E_DATA_METADATA', `${path}: ${key}: ${describe(issue)}`);
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined || issue.code === 'custom') return issue?.message ?? '';
  const received = issue.input === undefined ? 'nothing' : JSON.stringify(issue.input).slice(0, 60);
  return `expected ${issue.message}, received ${received}`;
}
