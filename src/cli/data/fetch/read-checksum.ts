import { DataError } from '../../../domain/index.js';

/** What a message shows of an answer that is not what it should be. */
const SHOWN = 60;

/**
 * Reads a checksum file in the format of sha256sum: the hash, spaces, the name of the file.
 *
 * @throws {DataError} `E_FETCH_ANSWER` when it is none, or is of another file.
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
