import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataError } from '../domain/index.js';
import { fileError, hasSystemCode, openFile, type OpenFile } from './data-file.js';
import { makeFolder } from './make-folder.js';

export interface AtomicWriteOptions {
  /** Interrupts the write; nothing then appears under the final name. */
  readonly signal?: AbortSignal | undefined;
  readonly open?: OpenFile | undefined;
}

/** Bytes per write call. An abort is noticed between two calls. */
const PIECE_BYTES = 8 * 1024 * 1024;
let writes = 0;

/** A file to write. */
export interface FileToWrite {
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
 * file cannot be written, for example on a full disk, nothing has changed.
 *
 * A crash before the renames leaves the old files as they were and at most `.tmp` files, which nothing reads. A path that names a device or a pipe is
 * written straight: replacing it by a file would do harm.
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
      const draft = await draftOf(file.path);
      drafts.push(draft);
      await explained(draft, signal, () => writeDraft(draft, file.chunks, { signal, openTo }));
    }
    signal?.throwIfAborted();
    for (const draft of drafts) await explained(draft, undefined, () => moveToPlace(draft));
  } catch (error) {
    for (const { target, isStraight } of drafts)
      if (!isStraight) await rm(target, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The bytes of a file on their way to its place. */
interface Draft {
  readonly path: string;
  readonly target: string;
  /** Whether the path names a device or a pipe, which is not replaced. */
  readonly isStraight: boolean;
}

async function draftOf(path: string): Promise<Draft> {
  const isStraight = await isDeviceOrPipe(path);
  writes += 1;
  const target = isStraight ? path : `${path}.${String(process.pid)}-${String(writes)}.tmp`;
  return { path, target, isStraight };
}

/** Names the file in an error of the operating system. */
async function explained(
  { path }: Draft,
  signal: AbortSignal | undefined,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (signal?.aborted === true || error instanceof DataError) throw error;
    throw fileError('E_DATA_WRITE', `write ${path}`, error);
  }
}

async function writeDraft(
  { path, target, isStraight }: Draft,
  chunks: FileToWrite['chunks'],
  how: { readonly signal: AbortSignal | undefined; readonly openTo: OpenFile },
): Promise<void> {
  if (!isStraight) await makeFolder(dirname(path));
  const handle = await how.openTo(target, 'w');
  try {
    await writeChunks(handle, chunks, how.signal);
    if (!isStraight) await handle.sync();
  } finally {
    await handle.close();
  }
}

async function moveToPlace({ path, target, isStraight }: Draft): Promise<void> {
  if (isStraight) return;
  await rename(target, path);
  await syncFolder(dirname(path));
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
export async function syncFolder(folder: string): Promise<void> {
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
