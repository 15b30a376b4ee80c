import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DataError } from '../../../domain/index.js';
import { fileError } from '../../files/data-file.js';

/** A file of rules or tiers. */
export interface RecordFile {
  readonly text: string;
  /** The text parsed as JSON; undefined when it is no JSON. */
  readonly json: unknown;
}

/** An exchange with thousands of symbols takes a few megabytes. */
const MOST_BYTES = 256 * 1024 * 1024;

const unpack = promisify(gunzip);

/**
 * Reads a file of rules or tiers, gzipped or not.
 *
 * @throws {DataError} naming the file: `E_DATA_READ`, `E_DATA_CORRUPT` when the gzip data is damaged or unpacks to more than 256 MiB,
 * `E_DATA_FORMAT` when it is no text in UTF-8, `E_DATA_EMPTY`.
 */
export async function readRecordFile(path: string): Promise<RecordFile> {
  const bytes = await readBytes(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DataError('E_DATA_FORMAT', `${path}: expected text in UTF-8, gzipped or not`, {
      cause: error,
    });
  }
  if (text.trim() === '') throw new DataError('E_DATA_EMPTY', `${path} is empty`);
  return { text, json: parseAsJson(text) };
}

async function readBytes(path: string): Promise<Uint8Array> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw fileError('E_DATA_READ', `read ${path}`, error);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await unpack(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataError(
      'E_DATA_CORRUPT',
      `${path}: the gzip data is damaged, truncated or too large: ${reason}`,
      { cause: error },
    );
  }
}

/** Our own layout is YAML: that the text is no JSON is no error yet. */
function parseAsJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
