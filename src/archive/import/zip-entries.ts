import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { DataError } from '../../domain/index.js';
import { fileError } from '../files/data-file.js';
import { MOST_TEXT_BYTES } from './text-bounds.js';

/** A file within a ZIP archive. */
export interface ZipEntry {
  /** For messages: the archive and the entry, such as `candles.zip/BTCUSDT-1m-2024-01.csv`. */
  readonly path: string;
  /** The unpacked content. Reading it ends with an error if size or checksum differ from the recorded ones. */
  readonly content: AsyncIterable<Buffer>;
}

/** A decade of days has 3,650. */
const MOST_ENTRIES = 10_000;

/**
 * Reads the files of a ZIP archive, one after the other by name. Nothing is unpacked to the disk; folders and what programs put beside files
 * (`__MACOSX/`, names that begin with a dot) are passed over.
 *
 * @throws {DataError} naming the archive or the entry: `E_DATA_CORRUPT` when it is damaged or cut short, or a name leads out of it;
 * `E_DATA_FORMAT` when it is encrypted, packed by an unknown method or beyond the bounds; `E_DATA_EMPTY`, `E_DATA_READ`.
 */
export async function* readZip(path: string): AsyncGenerator<ZipEntry> {
  const zip = await openZip(path);
  try {
    const entries = await listEntries(zip, path);
    requireBounds(entries, path);
    for (const entry of entries) {
      const name = `${path}/${entry.fileName}`;
      yield { path: name, content: unpack(zip, entry, name) };
    }
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  const { openPromise } = await import('yauzl');
  try {
    return await openPromise(path, { autoClose: false });
  } catch (error) {
    throw explain(path, error);
  }
}

async function listEntries(zip: ZipFile, path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  if (zip.entryCount > MOST_ENTRIES) {
    throw beyond(path, `at most ${String(MOST_ENTRIES)} files in one ZIP archive`);
  }
  try {
    for await (const entry of zip.eachEntry()) {
      if (isWanted(entry.fileName)) entries.push(entry);
    }
  } catch (error) {
    throw explain(path, error);
  }
  if (entries.length === 0) throw new DataError('E_DATA_EMPTY', `${path} contains no file`);
  return entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

function isWanted(name: string): boolean {
  if (name.endsWith('/') || name.startsWith('__MACOSX/')) return false;
  return !name.slice(name.lastIndexOf('/') + 1).startsWith('.');
}

/** Checks the sizes and methods that the archive states. Unpacking shows later whether they are true. */
function requireBounds(entries: readonly Entry[], path: string): void {
  const bytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (bytes > MOST_TEXT_BYTES) {
    throw beyond(path, `at most ${String(MOST_TEXT_BYTES)} unpacked bytes of text`);
  }
  for (const entry of entries) {
    if (entry.canDecodeFileData()) continue;
    const what = entry.isEncrypted()
      ? 'an encrypted one'
      : `method ${String(entry.compressionMethod)}`;
    throw new DataError(
      'E_DATA_FORMAT',
      `${path}/${entry.fileName}: expected a stored or deflated file, received ${what}; unpack it first`,
    );
  }
}

async function* unpack(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  let checksum = 0;
  try {
    const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const piece of stream) {
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw explain(name, error);
  }
  if (checksum === entry.crc32) return;
  throw new DataError(
    'E_DATA_CORRUPT',
    `${name}: expected the checksum ${hex(entry.crc32)}, received ${hex(checksum)}: the ZIP archive is damaged`,
  );
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

function beyond(path: string, expected: string): DataError {
  return new DataError('E_DATA_FORMAT', `${path}: expected ${expected}, received more`);
}

function explain(path: string, error: unknown): unknown {
  if (error instanceof DataError) return error;
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (isOfSystem) return fileError('E_DATA_READ', `read ${path}`, error);
  const reason = error instanceof Error ? error.message : String(error);
  return new DataError('E_DATA_CORRUPT', `${path}: the ZIP archive is damaged: ${reason}`, {
    cause: error,
  });
}
