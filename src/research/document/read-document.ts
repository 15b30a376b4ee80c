import type { z } from 'zod';
import { DataError } from '../../domain/index.js';
import { formatError, parseJsonDocument } from '../../report/index.js';

/**
 * Reads a document back by its schema.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or has another shape, naming file and key; `E_RESULT_VERSION` for
 * another version.
 */
export function readDocument<T>(
  schema: z.ZodType<T>,
  json: string,
  { file, what }: { readonly file: string; readonly what: string },
): T {
  const value = parseJsonDocument(json, file, what);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const version = versionOf(value);
  if (
    issue?.code === 'invalid_value' &&
    issue.path.join('.') === 'version' &&
    version !== undefined
  )
    throw new DataError(
      'E_RESULT_VERSION',
      `${file}: version: expected ${issue.values.join(' or ')}, received ${String(version)} (E_RESULT_VERSION)`,
      { cause: parsed.error },
    );
  throw formatError(parsed.error, value, { file, what });
}

function versionOf(value: unknown): number | undefined {
  const { version } = Object(value) as { readonly version?: unknown };
  return typeof version === 'number' ? version : undefined;
}
