import { DataError } from '../../../domain/index.js';

/** Most characters of a wrong answer in a message. */
const SHOWN = 60;

/**
 * Reads a checksum file in the format of sha256sum: the hash, spaces, the name of the file.
 *
 * @throws {DataError} `E_FETCH_ANSWER` if the text is no checksum, or belongs to another file.
 */
export function readChecksum(text: string, { url, name }: { url: string; name: string }): string {
  const [, hash, named] = /^([0-9a-f]{64})\s+\*?(\S+)\s*$/i.exec(text) ?? [];
  if (hash === undefined || named === undefined) {
    const shown = JSON.stringify(text.slice(0, SHOWN));
    throw new DataError(
      'E_FETCH_ANSWER',
      `${url}: expected a SHA-256 and the name of a file, received ${shown}`,
    );
  }
  if (named !== name) {
    throw new DataError(
      'E_FETCH_ANSWER',
      `${url}: expected the checksum of ${name}, received that of ${named}`,
    );
  }
  return hash.toLowerCase();
}
