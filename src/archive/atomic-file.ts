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

/**
 * Writes a file whole or not at all: writes a temporary file beside it, flushes it to the disk, then renames it.
 *
 * A crash leaves the old file as it was and at most a `.tmp` file, which nothing reads. A path that names a device or a pipe is
 * written straight: replacing it by a file would do harm.
 * @throws {DataError} `E_DATA_WRITE` naming the file when the disk is full or the place cannot be written.
 * @throws the signal's reason when interrupted.
 */
export async function writeFileAtomically(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { signal, open: openTo = openFile }: AtomicWriteOptions = {},
): Promise<void> {
  const isStraight = await isDeviceOrPipe(path);
  writes += 1;
  const target = isStraight ? path : `${path}.${String(process.pid)}-${String(writes)}.tmp`;
  try {
    if (!isStraight) await makeFolder(dirname(path));
    const handle = await openTo(target, 'w');
    try {
      await writeChunks(handle, chunks, signal);
      if (!isStraight) await handle.sync();
    } finally {
      await handle.close();
    }
    signal?.throwIfAborted();
    if (isStraight) return;
    await rename(target, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!isStraight) await rm(target, { force: true }).catch(() => undefined);
    if (signal?.aborted === true || error instanceof DataError) throw error;
    throw fileError('E_DATA_WRITE', `write ${path}`, error);
  }
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
