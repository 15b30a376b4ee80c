import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeFileAtomically } from '../../../archive/index.js';
import type { FileHost, RawAnswer } from '../../../client/index.js';
import { DataError } from '../../../domain/index.js';
import type { Dump } from '../../../archive/index.js';
import type { PlannedDump } from './plan-dumps.js';
import { readChecksum } from './read-checksum.js';

export interface FetchOptions {
  readonly host: FileHost;
  /** Folder of the files until they are imported. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called before each file, with its number from 1 and the number of all files. */
  readonly onFile: (name: string, index: number, count: number) => void;
}

/** A published file, with its checksum. */
interface PublishedDump extends Dump {
  readonly sha256: string;
}

export interface FoundDumps {
  readonly published: readonly PublishedDump[];
  readonly missing: readonly Dump[];
}

/** Requests the checksum of every file; this shows whether the file exists. A month that is not published yet is replaced by its days. */
export async function findDumps(
  planned: readonly PlannedDump[],
  options: FetchOptions,
): Promise<FoundDumps> {
  const published: PublishedDump[] = [];
  const missing: Dump[] = [];
  for (const [index, dump] of planned.entries()) {
    options.onFile(basename(dump.checksumPath), index + 1, planned.length);
    const sha256 = await checksumOf(dump, options);
    if (sha256 !== undefined) {
      published.push({ ...dump, sha256 });
      continue;
    }
    if (dump.instead.length === 0) missing.push(dump);
    for (const day of dump.instead) {
      const daySha256 = await checksumOf(day, options);
      if (daySha256 === undefined) missing.push(day);
      else published.push({ ...day, sha256: daySha256 });
    }
  }
  return { published, missing };
}

/**
 * Downloads files, each completely or not at all. A file that is in the folder with the published checksum is not requested again.
 *
 * @returns the paths of the files, in the same order.
 * @throws {DataError} `E_FETCH_CHECKSUM`, `E_FETCH_ANSWER`; {HttpFailure}; the signal's reason.
 */
export async function downloadDumps(
  dumps: readonly PublishedDump[],
  options: FetchOptions,
): Promise<readonly string[]> {
  const { host, folder, signal, onFile } = options;
  const paths: string[] = [];
  for (const [index, { path, sha256 }] of dumps.entries()) {
    const name = basename(path);
    const place = join(folder, name);
    paths.push(place);
    onFile(name, index + 1, dumps.length);
    if ((await hashFile(place)) === sha256) continue;
    const answer = await ask(path, options);
    if (answer.status === 404) {
      throw new DataError(
        'E_FETCH_ANSWER',
        `${host.urlOf(path)}: expected the file of its checksum, received status 404`,
      );
    }
    const received = hashOf(answer.body);
    if (received !== sha256) {
      throw new DataError(
        'E_FETCH_CHECKSUM',
        `${host.urlOf(path)}: expected the published SHA-256 ${sha256}, received ${received} (${String(answer.body.length)} bytes)`,
      );
    }
    await writeFileAtomically(place, [answer.body], { signal });
  }
  return paths;
}

async function checksumOf(
  { path, checksumPath }: Dump,
  options: FetchOptions,
): Promise<string | undefined> {
  const answer = await ask(checksumPath, options);
  if (answer.status === 404) return undefined;
  const url = options.host.urlOf(checksumPath);
  return readChecksum(answer.body.toString('utf8'), { url, name: basename(path) });
}

/** Requests a file. Status 404 is an answer, too; every other status is an error. */
async function ask(path: string, { host, signal }: FetchOptions): Promise<RawAnswer> {
  signal.throwIfAborted();
  const answer = await host.get(path, signal);
  const { status, headers } = answer;
  if (status === 200 || status === 404) return answer;
  const { location } = headers;
  const to = status >= 300 && status < 400 && typeof location === 'string' ? location : undefined;
  const hint =
    to === undefined
      ? ''
      : ` to ${to.slice(0, 200)}; redirects are not followed, --url names another host`;
  throw new DataError(
    'E_FETCH_ANSWER',
    `${host.urlOf(path)}: expected status 200 or 404, received ${String(status)}${hint}`,
  );
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function hashFile(path: string): Promise<string | undefined> {
  return readFile(path).then(hashOf, () => undefined);
}
