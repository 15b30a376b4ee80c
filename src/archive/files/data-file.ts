import { readFile, readSync } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DataError, type ErrorCode, reasonOf } from '../../domain/index.js';

/** Opens a file, as `open` of node:fs/promises does; tests give one that fails. */
export type OpenFile = (path: string, flags: string) => Promise<FileHandle>;

export const openFile: OpenFile = (path, flags) => open(path, flags);

const readWithCallback = promisify(readFile);

/** Reads a text of a few kilobytes. node:fs/promises makes a handle per file; without it, thousands of files take a third of the time. */
export const readSmallText = (path: string): Promise<string> => readWithCallback(path, 'utf8');

/** Whether an error of the operating system has this code, for example `ENOENT`. */
export function hasSystemCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  );
}

/** Whether an error of the operating system says that there is no such place. */
export function isAbsent(error: unknown): boolean {
  return hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG');
}

/** Turns an error of the operating system into a DataError that names the file. */
export function fileError(code: ErrorCode, doing: string, error: unknown): DataError {
  return new DataError(code, `cannot ${doing}: ${reasonOf(error)}`, { cause: error });
}

/** Turns an error of reading a file into a DataError that names the file. A DataError stays as it is. */
export function readError(path: string, error: unknown): DataError {
  return error instanceof DataError ? error : fileError('E_DATA_READ', `read ${path}`, error);
}

/**
 * Refuses a path that is no regular file: opening a pipe waits for a writer.
 *
 * @throws {DataError} `E_DATA_READ`; the operating system's error when the path cannot be examined.
 */
export async function requireFile(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isFile()) return;
  const what = found.isDirectory() ? 'a folder' : 'a pipe or device';
  throw new DataError('E_DATA_READ', `cannot read ${path}: expected a file, received ${what}`);
}

/** The error for a file of the archive whose bytes differ from the written ones. */
export function corruptFile(path: string, what: string, cause?: unknown): DataError {
  return new DataError(
    'E_DATA_CORRUPT',
    `${path} is damaged: ${what}; delete it and its .json, and import the data again`,
    { cause },
  );
}

/**
 * Fills memory from an open file, waiting for the disk.
 *
 * @throws {DataError} `E_DATA_CORRUPT` when the file ends before, `E_DATA_READ` when it cannot be read.
 */
export function readFully(
  { fd, path }: { readonly fd: number; readonly path: string },
  bytes: Uint8Array,
  position: number,
): void {
  for (let done = 0; done < bytes.byteLength;) {
    const count = readSome({ fd, path }, bytes.subarray(done), position + done);
    if (count === 0) throw endsInside(path, position + done);
    done += count;
  }
}

function readSome(
  { fd, path }: { readonly fd: number; readonly path: string },
  bytes: Uint8Array,
  position: number,
): number {
  try {
    return readSync(fd, bytes, 0, bytes.byteLength, position);
  } catch (error) {
    throw fileError('E_DATA_READ', `read ${path}`, error);
  }
}

/** The error for a file of the archive that ends before the last of its rows. */
export function endsInside(path: string, position: number): DataError {
  return corruptFile(path, `it ends within its columns, at byte ${String(position)}`);
}

/** Whether a path exists. */
export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
