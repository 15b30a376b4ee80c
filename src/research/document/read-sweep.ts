import { DataError } from '../../domain/index.js';
import { sweepSchema, type Sweep } from './sweep-schema.js';

/**
 * Reads the document of a sweep back. `file` is named in the errors.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or no sweep, naming the key.
 */
export function readSweep(json: string, file: string): Sweep {
  const parsed = sweepSchema.safeParse(parse(json, file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const key = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.join('.')}:`;
  throw new DataError(
    'E_RESULT_FORMAT',
    `${file}:${key} ${issue?.message ?? 'no sweep'} (E_RESULT_FORMAT)`,
    { cause: parsed.error },
  );
}

function parse(json: string, file: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataError('E_RESULT_FORMAT', `${file}: not JSON: ${reason} (E_RESULT_FORMAT)`, {
      cause,
    });
  }
}
