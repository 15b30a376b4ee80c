import { createHash } from 'node:crypto';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DataError } from '../../domain/index.js';

/** A file of a bundle. Its name has slashes and is relative to the folder that the bundle is unpacked in. */
export interface BundledFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Most characters of a wrong line that an error shows. */
const SHOWN = 60;
const MAGIC = 'evenkeel bundle 1';
/** Largest size of an unpacked bundle, because all of it is in memory. */
const MOST_BYTES = 4 * 2 ** 30;

/** Packs files. The first line names the format and the SHA-256 of the rest: one JSON line for each file, gzipped. */
export function packBundle(files: readonly BundledFile[]): Buffer {
  const lines = files.map(({ name, bytes }) =>
    Buffer.from(`${JSON.stringify({ name, data: Buffer.from(bytes).toString('base64') })}\n`),
  );
  const body = gzipSync(Buffer.concat(lines));
  return Buffer.concat([Buffer.from(`${MAGIC} ${sha256(body)}\n`), body]);
}

/**
 * Reads a bundle that {@link packBundle} made.
 *
 * @param shown - the file as its user named it.
 * @throws {DataError} `E_BUNDLE_FORMAT` if the data is no bundle, `E_BUNDLE_DAMAGED` if a byte has changed.
 */
export function unpackBundle(bundle: Buffer, shown: string): readonly BundledFile[] {
  const end = bundle.indexOf('\n');
  const [, version, hash] =
    /^evenkeel bundle (\d+) ([0-9a-f]{64})$/.exec(
      bundle.subarray(0, Math.max(0, end)).toString('latin1'),
    ) ?? [];
  if (version === undefined || hash === undefined)
    throw new DataError(
      'E_BUNDLE_FORMAT',
      `${shown}: expected a bundle, whose first line is "${MAGIC} SHA-256"`,
    );
  if (version !== '1')
    throw new DataError(
      'E_BUNDLE_FORMAT',
      `${shown}: expected a bundle of version 1, received ${version}`,
    );
  const body = bundle.subarray(end + 1);
  const received = sha256(body);
  if (received !== hash)
    throw new DataError(
      'E_BUNDLE_DAMAGED',
      `${shown} is damaged: expected ${String(body.byteLength)} bytes with SHA-256 ${hash}, received ${received}`,
    );
  try {
    return readFiles(gunzipSync(body, { maxOutputLength: MOST_BYTES }), shown);
  } catch (cause: unknown) {
    if (cause instanceof DataError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataError('E_BUNDLE_FORMAT', `${shown}: expected files, a line each: ${why}`, {
      cause,
    });
  }
}

function readFiles(lines: Buffer, shown: string): readonly BundledFile[] {
  const files: BundledFile[] = [];
  for (let at = 0; at < lines.byteLength;) {
    const next = lines.indexOf('\n', at);
    files.push(readLine(lines.toString('utf8', at, next < 0 ? undefined : next), shown));
    at = next < 0 ? lines.byteLength : next + 1;
  }
  return files;
}

function readLine(line: string, shown: string): BundledFile {
  const { name, data } = Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof data !== 'string')
    throw new DataError(
      'E_BUNDLE_FORMAT',
      `${shown}: expected lines of {"name": text, "data": text}, received ${line.slice(0, SHOWN)}`,
    );
  const isInside =
    !path.posix.isAbsolute(name) &&
    !name.includes('\0') &&
    name.split(/[\\/]/).every((part) => !['', '.', '..'].includes(part));
  if (!isInside)
    throw new DataError(
      'E_BUNDLE_FORMAT',
      `${shown}: expected names of files within the bundle, received ${JSON.stringify(name)}`,
    );
  return { name, bytes: Buffer.from(data, 'base64') };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
