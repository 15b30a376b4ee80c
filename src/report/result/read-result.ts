import { DataError, isObject } from '../../domain/index.js';
import { formatError, parseJsonDocument } from './read-json.js';
import { resultSchema, type Result } from './result-schema.js';
import { RESULT_VERSION } from './result-version.js';

const RESULT = 'a result written by backtest --json';

/**
 * Reads a result file back. `file` is named in the errors.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or no result, naming the key; `E_RESULT_VERSION` for another version.
 */
export function parseResult(json: string, file: string): Result {
  return checkResult(parseJsonDocument(json, file, RESULT), file, [RESULT_VERSION]);
}

/** Versions that {@link readResultJson} reads. */
const READ_VERSIONS = [1, RESULT_VERSION] as const;

/**
 * Reads as {@link parseResult}, and version 1 too. Facts about orders and fills that version 1 lacks are marked as unknown.
 *
 * @throws {DataError} as {@link parseResult}, and `E_RESULT_FORMAT` for a file that is cut short.
 */
export function readResultJson(json: string, file: string): Result {
  const value = parseJsonDocument(json, file, RESULT);
  const current = isObject(value) && value['version'] === 1 ? upgrade(value) : value;
  return checkResult(current, file, READ_VERSIONS);
}

/** Adds the fields of orders and fills that version 2 introduced. */
function upgrade(value: Readonly<Record<string, unknown>>): unknown {
  const more = (list: unknown, added: object): unknown =>
    Array.isArray(list) ? list.map((entry: unknown) => ({ ...added, ...(entry as object) })) : list;
  const warnings = Array.isArray(value['warnings']) ? (value['warnings'] as unknown[]) : [];
  return {
    ...value,
    version: RESULT_VERSION,
    orders: more(value['orders'], { intent: 0, label: null, cause: 'signal' }),
    fills: more(value['fills'], { intent: null, label: null }),
    warnings: [
      ...warnings,
      'The file is of version 1: it does not say which intents its orders served, nor why, and has no list of trades.',
    ],
  };
}

/** @param versions - versions that the caller reads, for the error. */
function checkResult(value: unknown, file: string, versions: readonly number[]): Result {
  const version = isObject(value) ? value['version'] : undefined;
  if (Number.isInteger(version) && version !== RESULT_VERSION) {
    throw new DataError(
      'E_RESULT_VERSION',
      `${file}: version: expected ${versions.join(' or ')}, received ${String(version)} (E_RESULT_VERSION)`,
    );
  }
  const parsed = resultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw formatError(parsed.error, value, { file, what: RESULT });
}
