import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import { DataError, present } from '../../domain/index.js';
import { parseResult } from '../../report/index.js';
import type { CliContext } from '../cli-context.js';
import { unpackBundle, type BundledFile } from './bundle-file.js';
import { describeFirstDifference, runAgain } from './bundled-run.js';
import { CONFIG, MANIFEST, RESULT } from './create-bundle.js';

/**
 * Runs what a bundle holds again, in a folder of its own, and compares the results byte by byte; exit code 3 with the first difference.
 *
 * @throws {DataError} `E_BUNDLE_FORMAT`, `E_BUNDLE_DAMAGED`; errors of the run.
 */
export async function verifyBundle(file: string, context: CliContext): Promise<void> {
  const files = unpackBundle(await readBundle(file, context), file);
  const textOf = (name: string): string => {
    const found = files.find((one) => one.name === name);
    if (found === undefined)
      throw new DataError('E_BUNDLE_FORMAT', `${file}: expected ${name} in the bundle`);
    return Buffer.from(found.bytes).toString('utf8');
  };
  const text = textOf(RESULT);
  const result = parseResult(text, `${file}: ${RESULT}`);
  const { engine, node } = JSON.parse(textOf(MANIFEST)) as Readonly<Record<string, string>>;
  const made = `made by engine ${present(engine, 'engine')} on Node ${present(node, 'node')}`;
  const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-verify-'));
  try {
    await writeAll(files, folder);
    const again = await runAgain(CONFIG, { result, folder }, { ...context, cwd: folder });
    const difference = describeFirstDifference(text, again);
    if (difference === undefined) {
      context.stdout.write(
        `${file}: equal, ${String(text.length)} characters of run ${result.run.id}, ${made}\n`,
      );
      return;
    }
    context.stdout.write(`${file}: differs, ${made}\n  ${difference}\n`);
    context.setExitCode(3);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readBundle(file: string, { cwd }: CliContext): Promise<Buffer> {
  return readFile(path.resolve(cwd, file)).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataError('E_BUNDLE_FORMAT', `${file}: expected a readable bundle: ${why}`, {
      cause,
    });
  });
}

async function writeAll(files: readonly BundledFile[], folder: string): Promise<void> {
  for (const { name, bytes } of files) {
    const place = path.join(folder, name);
    await makeFolder(path.dirname(place));
    await writeFile(place, bytes);
  }
}
