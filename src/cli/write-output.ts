import { access, constants, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataError, reasonOf } from '../domain/index.js';
import type { CliContext } from './cli-context.js';

/**
 * Checks before a long run that its result can be written. `-` is always possible.
 *
 * @throws {DataError} `E_DATA_WRITE` when the target is a folder or may not be written, or its folder is missing or cannot be written to.
 */
export async function checkOutput(target: string, { cwd }: CliContext): Promise<void> {
  if (target === '-') return;
  const file = path.resolve(cwd, target);
  const found = await stat(file).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ENAMETOOLONG') throw unwritable(target, cause);
    return undefined;
  });
  if (found?.isDirectory() === true) {
    throw new DataError('E_DATA_WRITE', `cannot write ${target}: it is a folder`);
  }
  const folder = path.dirname(file);
  const folderFound = await stat(folder).catch(() => undefined);
  if (folderFound?.isDirectory() !== true) {
    const missing = path.dirname(target);
    throw new DataError('E_DATA_WRITE', `cannot write ${target}: there is no folder ${missing}`);
  }
  // A file is replaced by a new one in its folder; a device is written to.
  const places = found === undefined ? [folder] : [file];
  if (found?.isFile() === true) places.push(path.dirname(await realpath(file)));
  for (const place of places)
    await access(place, constants.W_OK).catch((cause: unknown) => {
      throw unwritable(target, cause);
    });
}

function unwritable(target: string, cause: unknown): DataError {
  return new DataError('E_DATA_WRITE', `cannot write ${target}: ${reasonOf(cause)}`, { cause });
}

/**
 * Checks before a long run that a folder can be made and written to.
 *
 * @throws {DataError} `E_DATA_WRITE` when the target, or a folder above it, is a file or cannot be written to.
 */
export async function checkOutputFolder(target: string, { cwd }: CliContext): Promise<void> {
  let folder = path.resolve(cwd, target);
  let found = await stat(folder).catch(() => undefined);
  while (found === undefined && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
    found = await stat(folder).catch(() => undefined);
  }
  const fail = (why: string, cause?: unknown): never => {
    throw new DataError('E_DATA_WRITE', `cannot write to ${target}: ${why}`, { cause });
  };
  if (found?.isDirectory() === false) fail(`${path.relative(cwd, folder)} is a file`);
  await access(folder, constants.W_OK).catch((cause: unknown) => fail(reasonOf(cause), cause));
}

/**
 * Writes a document, as one text or in pieces, completely or not at all; `-` is stdout.
 *
 * @throws {DataError} `E_DATA_WRITE` when the disk is full or the file cannot be written; the signal's reason when interrupted.
 */
export async function writeOutput(
  target: string,
  document: string | Iterable<string>,
  { cwd, stdout, signal }: CliContext,
): Promise<void> {
  const pieces = typeof document === 'string' ? [document] : document;
  if (target === '-') {
    for (const piece of pieces) stdout.write(piece);
    return;
  }
  const { writeFileAtomically } = await import('../archive/index.js');
  await writeFileAtomically(path.resolve(cwd, target), encoded(pieces), { signal });
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}
