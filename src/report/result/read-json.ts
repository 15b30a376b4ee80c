import type { z } from 'zod';
import { DataError } from '../../domain/index.js';

/** Most characters of a wrong value that an error shows. */
const SHOWN = 60;

/**
 * Parses the JSON text of a document. A byte order mark before it, which some editors write, is ignored.
 *
 * @param what - the expected kind of document, for people
 * @throws {DataError} `E_RESULT_FORMAT` naming the file, and what it has instead.
 */
export function parseJsonDocument(json: string, file: string, what: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const received = json.trim() === '' ? 'an empty file' : `invalid or truncated JSON: ${reason}`;
    const text = `${file}: expected ${what}, received ${received} (E_RESULT_FORMAT)`;
    throw new DataError('E_RESULT_FORMAT', text, { cause });
  }
}

/** Makes the error for a document of another shape: file, key, expected and received value. */
export function formatError(
  error: z.ZodError,
  value: unknown,
  { file, what }: { readonly file: string; readonly what: string },
): DataError {
  const [issue] = error.issues;
  const path = issue?.path ?? [];
  const key = path.length === 0 ? '' : ` ${path.map(String).join('.')}:`;
  const said = expectationIn(issue?.message ?? `expected ${what}`);
  const found = path.reduce<unknown>(
    (part, name) => Reflect.get(Object(part) as object, name) as unknown,
    value,
  );
  const received = found === undefined ? 'nothing' : JSON.stringify(found).slice(0, SHOWN);
  return new DataError(
    'E_RESULT_FORMAT',
    `${file}:${key} ${said}, received ${received}; the file should be ${what} (E_RESULT_FORMAT)`,
    { cause: error },
  );
}

/** What a message of the schema expects. The library's own messages name the received type, too, but not the value. */
function expectationIn(message: string): string {
  return message.replace(/^Invalid input: /, '').replace(/, received .*$/, '');
}
