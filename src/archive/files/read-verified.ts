import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import type { CandleColumns } from '../../domain/index.js';
import { columnsOver } from '../columns/columns.js';
import { timestampsToNumbers } from './arrow-encode.js';
import { readError, readFully } from './data-file.js';
import type { FileMemory } from './file-memory.js';
import {
  MAGIC,
  openError,
  proveHash,
  proveHead,
  proveTail,
  type DescribedFile,
} from './prove-file.js';

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Bytes that are hashed while they are in the processor's cache. */
const PIECE_BYTES = 256 * 1024;

/** A verified file, in the memory that the caller gave. */
interface VerifiedFile {
  readonly columns: CandleColumns;
  /** The bytes before the rows, with the description of the file. */
  readonly head: Uint8Array;
}

/**
 * Reads a whole Arrow file of the archive once, proves every byte of it and returns all rows as they stand. The columns lie in the given
 * memory.
 *
 * It reads synchronously. For thousands of small files in the page cache, this takes a fifth of the time of Node's thread pool, whose four
 * threads are shared by all threads of a process. To read several files at once, use several threads.
 *
 * @throws {DataError} `E_DATA_MISSING` without the file, `E_DATA_CORRUPT` unless every byte is as it was written, `E_DATA_TORN` when it and
 * its metadata come from different writes.
 */
export function readVerified(file: DescribedFile, memory: FileMemory): VerifiedFile {
  const fd = open(file);
  try {
    return readOpen(fd, file, memory);
  } catch (error) {
    throw readError(file.path, error);
  } finally {
    closeSync(fd);
  }
}

function open(file: DescribedFile): number {
  try {
    return openSync(file.path, 'r');
  } catch (error) {
    throw openError(file, error);
  }
}

function readOpen(fd: number, file: DescribedFile, memory: FileMemory): VerifiedFile {
  const { bytes, headBytes } = file.info.file;
  const { size } = fstatSync(fd);
  // Numbers must lie at multiples of their size.
  const start = (NUMBER_BYTES - (headBytes % NUMBER_BYTES)) % NUMBER_BYTES;
  const buffer = memory.take(start + size);
  const whole = new Uint8Array(buffer, start, size);
  const sha256 = readHashing({ fd, path: file.path }, whole);
  const head = whole.subarray(0, headBytes);
  proveHead(file, size, head);
  proveTail(file, whole.subarray(bytes - MAGIC.length));
  proveHash(file, sha256);
  const columns = columnsOver(buffer, file.info.rows, start + headBytes);
  timestampsToNumbers(columns.openTime);
  return { columns, head };
}

/** Fills the memory from the start of a file. Returns the SHA-256 of what was read. */
function readHashing(
  file: { readonly fd: number; readonly path: string },
  bytes: Uint8Array,
): string {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    readFully(file, piece, start);
    hash.update(piece);
  }
  return hash.digest('hex');
}
