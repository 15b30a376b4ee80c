import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { A_FILE, checkOptions, type OptionChecks } from '../config/index.js';
import { DomainError, findFirstDifference } from '../domain/index.js';
import { goldenLines, type GoldenValue } from './golden-lines.js';
import { StrategyTest } from './strategy-test.js';

/**
 * Compares orders, fills, refusals and equity with the lines of a file. With `EVENKEEL_UPDATE=1` in the environment it writes the file instead, if the file
 * is missing or differs.
 *
 * @param file - path or `file:` URL; a relative path starts from the folder of the process.
 * @throws {DomainError} `E_TEST_GOLDEN` with the first line that differs, or if the file is missing; {UsageError} `E_USAGE` for another kind of file or
 * value.
 * @example await matchGolden(new URL('crossing.golden', import.meta.url), test)
 */
export async function matchGolden(file: string | URL, value: GoldenValue): Promise<void> {
  checkOptions({ file, value }, GOLDEN);
  const name = file instanceof URL || file.startsWith('file:') ? fileURLToPath(file) : file;
  const lines = goldenLines(value);
  const stored = await readLines(name);
  const difference =
    stored === undefined ? 'the file does not exist' : describeDifference(stored, lines);
  if (difference === undefined) return;
  // eslint-disable-next-line no-restricted-properties -- test runners hand nothing else on to the tests that they run
  if (process.env['EVENKEEL_UPDATE'] === '1') {
    await mkdir(path.dirname(name), { recursive: true });
    await writeFile(name, `${lines.join('\n')}\n`);
    return;
  }
  throw new DomainError(
    'E_TEST_GOLDEN',
    `${path.relative('.', name)}: ${difference}\nSet EVENKEEL_UPDATE=1 in the environment to accept the received lines.`,
  );
}

const GOLDEN: OptionChecks<{ readonly file: unknown; readonly value: unknown }> = {
  file: { ...A_FILE, isRequired: true },
  value: {
    expected: 'a test of startStrategy, or a result of runBacktest',
    accepts: (value) =>
      value instanceof StrategyTest ||
      (typeof value === 'object' && value !== null && 'orders' in value && 'equity' in value),
    isRequired: true,
  },
};

async function readLines(file: string): Promise<readonly string[] | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    // A checkout on Windows may have changed the line ends.
    return text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function describeDifference(
  stored: readonly string[],
  lines: readonly string[],
): string | undefined {
  const found = findFirstDifference(stored, lines);
  if (found === undefined) return undefined;
  const { line, expected = 'no more lines', received = 'no more lines' } = found;
  return `line ${String(line)} differs\n  expected: ${expected}\n  received: ${received}`;
}
