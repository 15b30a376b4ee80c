import { readFile } from 'node:fs/promises';
import { A_FILE, checkOptions, type OptionChecks } from '../config/index.js';
import { DataError, reasonOf } from '../domain/index.js';
import { readResultJson as parse, type Result } from '../report/index.js';

const PLACE: OptionChecks<{ readonly file: unknown }> = { file: { ...A_FILE, isRequired: true } };

/**
 * Reads a result that `evenkeel backtest --json` wrote, of this version or an earlier one.
 *
 * @param file - path or `file:` URL.
 * @throws {DataError} `E_DATA_READ` when it cannot be read, `E_RESULT_FORMAT` when it is not a result, `E_RESULT_VERSION` for a later version;
 * {UsageError} `E_USAGE` for something else than a path.
 */
export async function readResult(file: string | URL): Promise<Result> {
  checkOptions({ file }, PLACE, 'readResult');
  const name = String(file);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new DataError('E_DATA_READ', `${name}: cannot be read: ${reasonOf(cause)}`, { cause });
  });
  return parse(text, name);
}
