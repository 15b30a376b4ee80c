import { createHash } from 'node:crypto';
import { DataError } from '../../domain/index.js';
import { ROW_BYTES } from '../columns/columns.js';
import { describeSeries, rowNoun, type SeriesInfo } from '../stored/series.js';
import { corruptFile, fileError, hasSystemCode } from './data-file.js';

/** What an Arrow file of the archive begins and ends with. */
export const MAGIC = 'ARROW1';

/** An Arrow file of the archive, and what its metadata says of it. */
export interface DescribedFile {
  readonly path: string;
  readonly info: SeriesInfo;
}

/**
 * Proves by its first bytes that a file is the one its metadata describes. `head`: the whole head, or the whole file if that is shorter.
 *
 * @throws {DataError} `E_DATA_CORRUPT` when it is damaged or cut short, `E_DATA_TORN` when it and its metadata come from different writes.
 */
export function proveHead({ path, info }: DescribedFile, size: number, head: Uint8Array): void {
  const { bytes, headBytes, headSha256 } = info.file;
  if (!startsWithMagic(head)) {
    throw corruptFile(path, 'it does not start with ARROW1, so it is not an Arrow file');
  }
  if (createHash('sha256').update(head).digest('hex') !== headSha256) {
    const hint =
      size < bytes
        ? `expected ${String(bytes)} bytes, received ${String(size)}`
        : 'another process is writing them now, their write was interrupted, or one of them was replaced; try again, then import the data again';
    const code = size < bytes ? 'E_DATA_CORRUPT' : 'E_DATA_TORN';
    throw new DataError(code, `${path} does not match its metadata: ${hint}`);
  }
  if (size !== bytes || bytes < headBytes + info.rows * ROW_BYTES) {
    throw corruptFile(path, `expected ${String(bytes)} bytes, received ${String(size)}`);
  }
}

/**
 * Proves that the head of a file contains the `description` from its metadata: rows, range, the hash of the values.
 *
 * @throws {DataError} `E_DATA_TORN` when it does not.
 */
export function proveDescription(path: string, head: Uint8Array, description: string): void {
  if (Buffer.from(head.buffer, head.byteOffset, head.byteLength).includes(description)) return;
  throw new DataError(
    'E_DATA_TORN',
    `${path} and its metadata contradict each other: one of them was changed; import the data again`,
  );
}

/**
 * Proves by its last bytes that a file is whole.
 *
 * @throws {DataError} `E_DATA_CORRUPT` when it is not.
 */
export function proveTail({ path }: DescribedFile, tail: Uint8Array): void {
  if (startsWithMagic(tail)) return;
  throw corruptFile(path, 'it does not end with ARROW1: it was truncated or overwritten');
}

function startsWithMagic(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/**
 * Proves every byte of a file by its hash.
 *
 * @throws {DataError} `E_DATA_CORRUPT` unless every byte is as it was written.
 */
export function proveHash({ path, info }: DescribedFile, actual: string): void {
  const expected = info.file.sha256;
  if (actual === expected) return;
  throw corruptFile(path, `expected SHA-256 ${expected}, received ${actual}`);
}

/** The error for a file that could not be opened. */
export function openError({ path, info }: DescribedFile, error: unknown): DataError {
  if (!hasSystemCode(error, 'ENOENT')) return fileError('E_DATA_READ', `open ${path}`, error);
  return new DataError(
    'E_DATA_MISSING',
    `${path} is missing: the archive has the metadata of ${describeSeries(info)} but not its ${rowNoun(info)}`,
    { cause: error },
  );
}
