import { DataError } from '../domain/index.js';
import { RESULT_VERSION, resultSchema, type Result } from './result-schema.js';

/**
 * Writes a result as JSON text: keys in the order of the schema, one line per order, fill, refusal and curve point, a line feed at the
 * end. Same result, same bytes.
 */
export function writeResult(result: Result): string {
  const members = Object.entries(result).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${writeMember(value)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}

function writeMember(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
  if (value.length === 0) return '[]';
  const lines = value.map((entry) => `    ${JSON.stringify(entry)}`);
  return `[\n${lines.join(',\n')}\n  ]`;
}

/**
 * Reads a result file back. `file` is named in the errors.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or no result, naming the key; `E_RESULT_VERSION` for another version.
 */
export function parseResult(json: string, file: string): Result {
  const value = parseJson(json, file);
  const version = isObject(value) ? value['version'] : undefined;
  if (Number.isInteger(version) && version !== RESULT_VERSION) {
    throw new DataError(
      'E_RESULT_VERSION',
      `${file}: version: expected ${String(RESULT_VERSION)}, received ${String(version)} (E_RESULT_VERSION)`,
    );
  }
  const parsed = resultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const key = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.join('.')}:`;
  throw new DataError(
    'E_RESULT_FORMAT',
    `${file}:${key} ${issue?.message ?? 'no result file'} (E_RESULT_FORMAT)`,
    { cause: parsed.error },
  );
}

function parseJson(json: string, file: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataError(
      'E_RESULT_FORMAT',
      `${file}: expected JSON, received text that is none: ${reason} (E_RESULT_FORMAT)`,
      { cause: error },
    );
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
