import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataError, nounOf, reasonOf } from '../../domain/index.js';
import { parseResult } from '../../report/index.js';
import type { CliContext } from '../cli-context.js';
import { unpackBundle } from './bundle-file.js';
import { CONFIG, JOURNAL, MANIFEST, RESULT } from './bundle-layout.js';
import { replayEpochs } from './bundled-journal.js';
import { describeFirstDifference, runAgain } from './bundled-run.js';
import { writeFiles } from './write-files.js';

/** A description of the comparison, for people, and the first difference; undefined if there is none. */
interface Verdict {
  readonly compared: string;
  readonly difference: string | undefined;
}

/**
 * Runs the contents of a bundle again, in a folder of its own, and compares: a result byte by byte, a journal command by command. A difference
 * gives exit code 3.
 *
 * @throws {DataError} `E_BUNDLE_FORMAT`, `E_BUNDLE_DAMAGED`; errors of the run.
 */
export async function verifyBundle(file: string, context: CliContext): Promise<void> {
  context.watchInterrupts?.();
  const files = unpackBundle(await readBundle(file, context), file);
  const textOf = (name: string): string => {
    const found = files.find((one) => one.name === name);
    if (found === undefined)
      throw new DataError('E_BUNDLE_FORMAT', `${file}: expected ${name} in the bundle`);
    return Buffer.from(found.bytes).toString('utf8');
  };
  const isJournal = files.some(({ name }) => name === JOURNAL);
  const text = isJournal ? '' : textOf(RESULT);
  const made = describeMaker(textOf(MANIFEST), `${file}: ${MANIFEST}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-verify-'));
  try {
    await writeFiles(files, folder);
    const { compared, difference } = isJournal
      ? await verifyJournal(folder, context)
      : await verifyResult(text, folder, { ...context, cwd: folder }, file);
    if (difference === undefined) {
      context.stdout.write(`${file}: equal, ${compared}, ${made}\n`);
      return;
    }
    context.stdout.write(`${file}: differs, ${made}\n  ${difference}\n`);
    context.setExitCode(3);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws {DataError} `E_BUNDLE_FORMAT` if the manifest does not name the engine and Node. */
function describeMaker(text: string, shown: string): string {
  const manifest = readManifest(text, shown);
  const [engine, node] = ['engine', 'node'].map((key) => {
    const { [key]: value } = manifest;
    if (typeof value === 'string') return value;
    const received = value === undefined ? 'nothing' : JSON.stringify(value);
    throw new DataError('E_BUNDLE_FORMAT', `${shown}: ${key}: expected text, received ${received}`);
  });
  return `made by engine ${String(engine)} on Node ${String(node)}`;
}

function readManifest(text: string, shown: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch (cause: unknown) {
    throw new DataError('E_BUNDLE_FORMAT', `${shown}: expected JSON: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

async function verifyResult(
  text: string,
  folder: string,
  context: CliContext,
  file: string,
): Promise<Verdict> {
  const result = parseResult(text, `${file}: ${RESULT}`);
  const again = await runAgain(CONFIG, { result, folder }, context);
  return {
    compared: `${String(text.length)} characters of run ${result.run.id}`,
    difference: describeFirstDifference(text, again),
  };
}

async function verifyJournal(folder: string, context: CliContext): Promise<Verdict> {
  const { epochs, events, commands, difference } = await replayEpochs(folder, context);
  const counted = (count: number, noun: string): string =>
    `${String(count)} ${nounOf(count, noun)}`;
  return {
    compared: `${counted(events, 'event')} and ${counted(commands, 'command')} of ${counted(epochs, 'epoch')}`,
    difference,
  };
}

async function readBundle(file: string, { cwd }: CliContext): Promise<Buffer> {
  return readFile(path.resolve(cwd, file)).catch((cause: unknown) => {
    throw new DataError(
      'E_BUNDLE_FORMAT',
      `${file}: expected a readable bundle, received none: ${reasonOf(cause)}`,
      {
        cause,
      },
    );
  });
}
