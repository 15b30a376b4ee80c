import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DataError } from '../../domain/index.js';
import { fileError, hasSystemCode, openFile, type OpenFile } from './data-file.js';
import { makeFolder } from './make-folder.js';
import { moveTogether, type FileMove } from './move-together.js';

interface AtomicWriteOptions {
  /** Interrupts the write; nothing then appears under the final name. */
  readonly signal?: AbortSignal | undefined;
  readonly open?: OpenFile | undefined;
}

/** Bytes per write call. An abort is noticed between two calls. */
const PIECE_BYTES = 8 * 1024 * 1024;
let writes = 0;

/** A file to write. */
interface FileToWrite {
  readonly path: string;
  /** Asked for its first bytes after the files before it are written. */
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * Writes a file whole or not at all, see {@link writeFilesAtomically}.
 *
 * @throws {DataError} `E_DATA_WRITE` naming the file when the disk is full or the place cannot be written.
 * @throws the signal's reason when interrupted.
 */
export async function writeFileAtomically(
  path: string,
  chunks: FileToWrite['chunks'],
  options?: AtomicWriteOptions,
): Promise<void> {
  await writeFilesAtomically([{ path, chunks }], options);
}

/**
 * Writes files that belong together: writes a temporary file beside each, flushes all of them to the disk, then renames them in this order. If a
 * file cannot be written or renamed, for example on a full disk, nothing has changed (see {@link moveTogether}).
 *
 * A crash before the renames leaves the old files as they were and at most `.tmp` files, which nothing reads. A symbolic link stays, and the file that it
 * names is replaced. A path that names a device or a pipe is written straight: replacing it by a file would do harm.
 * @throws {DataError} `E_DATA_WRITE` naming the file when the disk is full or the place cannot be written.
 * @throws the signal's reason when interrupted.
 */
export async function writeFilesAtomically(
  files: readonly FileToWrite[],
  { signal, open: openTo = openFile }: AtomicWriteOptions = {},
): Promise<void> {
  const drafts: Draft[] = [];
  try {
    for (const file of files) {
      const draft = await explained(file, signal, () => draftOf(file.path));
      drafts.push(draft);
      await explained(draft, signal, () => writeDraft(draft, file.chunks, { signal, openTo }));
    }
    signal?.throwIfAborted();
    await moveTogether(drafts.filter(({ isStraight }) => !isStraight).map(toMove));
  } catch (error) {
    for (const { target, isStraight } of drafts)
      if (!isStraight) await rm(target, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The bytes of a file on their way to its place. */
interface Draft {
  readonly path: string;
  /** The file that the path names, through symbolic links. */
  readonly place: string;
  readonly target: string;
  /** Whether the path names a device or a pipe, which is not replaced. */
  readonly isStraight: boolean;
}

async function draftOf(path: string): Promise<Draft> {
  const isStraight = await isDeviceOrPipe(path);
  const place = isStraight ? path : await placeOf(path);
  const target = isStraight ? path : spareName(place);
  return { path, place, target, isStraight };
}

/** The place of a file through symbolic links, also of a link whose file does not exist yet. */
async function placeOf(path: string): Promise<string> {
  const real = await unlessMissing(realpath(path));
  if (real !== undefined) return real;
  const named = await unlessMissing(readlink(path));
  return named === undefined ? path : placeOf(resolve(await realpath(dirname(path)), named));
}

async function unlessMissing(asked: Promise<string>): Promise<string | undefined> {
  return asked.catch((error: unknown) => {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** Names the file in an error of the operating system. */
async function explained<Done>(
  { path }: Pick<Draft, 'path'>,
  signal: AbortSignal | undefined,
  write: () => Promise<Done>,
): Promise<Done> {
  try {
    return await write();
  } catch (error) {
    if (signal?.aborted === true || error instanceof DataError) throw error;
    throw fileError('E_DATA_WRITE', `write ${path}`, error);
  }
}

async function writeDraft(
  { place, target, isStraight }: Draft,
  chunks: FileToWrite['chunks'],
  how: { readonly signal: AbortSignal | undefined; readonly openTo: OpenFile },
): Promise<void> {
  if (!isStraight) await makeFolder(dirname(place));
  const handle = await how.openTo(target, 'w');
  try {
    await writeChunks(handle, chunks, how.signal);
    if (!isStraight) await handle.sync();
  } finally {
    await handle.close();
  }
}

function toMove(draft: Draft): FileMove {
  const { place, target } = draft;
  return {
    place,
    spare: spareName(place),
    move: () =>
      explained(draft, undefined, async () => {
        await rename(target, place);
        await syncFolder(dirname(place));
      }),
  };
}

/** A new name beside a place. */
function spareName(place: string): string {
  writes += 1;
  return `${place}.${String(process.pid)}-${String(writes)}.tmp`;
}

/**
 * Moves finished files that belong together to their places, through symbolic links, in this order and all or none. Between two file systems they are copied
 * and stay where they were.
 *
 * @throws the error of the operating system; {DataError} `E_DATA_WRITE` when a copy cannot be written.
 */
export async function moveFiles(
  files: readonly { readonly from: string; readonly path: string }[],
): Promise<void> {
  const moves: FileMove[] = [];
  for (const { from, path } of files) {
    const place = await placeOf(path);
    moves.push({ place, spare: spareName(place), move: () => moveFile(from, place) });
  }
  await moveTogether(moves);
}

async function moveFile(from: string, place: string): Promise<void> {
  try {
    await rename(from, place);
  } catch (error) {
    if (!hasSystemCode(error, 'EXDEV')) throw error;
    await writeFileAtomically(place, createReadStream(from) as AsyncIterable<Uint8Array>);
  }
  await syncFolder(dirname(place));
}

async function isDeviceOrPipe(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
}

async function writeChunks(
  handle: FileHandle,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.byteLength; start += PIECE_BYTES) {
      signal?.throwIfAborted();
      await handle.writeFile(chunk.subarray(start, start + PIECE_BYTES));
    }
  }
}

/** Makes the rename itself durable. Windows cannot open folders and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasSystemCode(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP')) throw error;
  }
}
