import { access } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, types } from 'node:util';
import type { DataSource } from '../../../archive/index.js';
import { INTERVALS, PRODUCT_KINDS, reasonOf, UsageError } from '../../../domain/index.js';
import { VOLUME_UNIT_CHOICES } from '../options.js';
import { DATA_SOURCES } from './data-sources.js';
import { DUMP_KINDS } from './dump-kinds.js';

/** The value that a member of a source must have. */
interface Member {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const TEXT: Member = { expected: 'a string', fits: (value) => typeof value === 'string' };
const FUNCTION: Member = { expected: 'a function', fits: (value) => typeof value === 'function' };
const oneOf = (known: readonly unknown[]): Member => ({
  expected: `one of ${known.join(', ')}`,
  fits: (value) => known.includes(value),
});
const listOf = (known: readonly unknown[]): Member => ({
  expected: `a list of ${known.join(', ')}`,
  fits: (value) => Array.isArray(value) && value.every((each) => known.includes(each)),
});

const MEMBERS: Readonly<Record<keyof DataSource, Member>> = {
  name: TEXT,
  url: TEXT,
  product: oneOf(PRODUCT_KINDS),
  volumeUnit: oneOf(VOLUME_UNIT_CHOICES),
  kinds: listOf(DUMP_KINDS),
  intervals: listOf(INTERVALS),
  symbols: { expected: 'a regular expression', fits: types.isRegExp },
  example: TEXT,
  monthly: FUNCTION,
  daily: FUNCTION,
};

/**
 * Finds a source by its name, or loads it from a module: a path that ends in .js, .mjs or .ts. The module exports it as `source` or as default.
 *
 * @throws {UsageError} `E_USAGE` for an unknown name; `E_FETCH_SOURCE` for a module that cannot be loaded, or has no source.
 */
export async function readSource(name: string, cwd: string): Promise<DataSource> {
  if (/\.[cm]?[jt]s$/.test(name)) return loadSource(name, cwd);
  const found = DATA_SOURCES.find((source) => source.name === name);
  if (found !== undefined) return found;
  const names = DATA_SOURCES.map((source) => source.name).join(', ');
  throw new UsageError(
    'E_USAGE',
    `source: expected one of ${names}, or the path of a module, received "${name}"`,
  );
}

async function loadSource(file: string, cwd: string): Promise<DataSource> {
  const place = path.resolve(cwd, file);
  await access(place).catch((cause: unknown) => {
    throw new UsageError('E_FETCH_SOURCE', `${file}: cannot be read: ${reasonOf(cause)}`, {
      cause,
    });
  });
  const { createJiti } = await import('jiti');
  const url = pathToFileURL(place).href;
  const loaded: unknown = await createJiti(import.meta.url, { interopDefault: false })
    .import(url)
    .catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UsageError('E_FETCH_SOURCE', `${file}: cannot be loaded: ${reason}`, { cause });
    });
  const { source, default: fallback } = loaded as Readonly<Record<string, unknown>>;
  const found = source ?? fallback;
  if (typeof found !== 'object' || found === null)
    throw new UsageError(
      'E_FETCH_SOURCE',
      `${file}: expected an export named source, received none`,
    );
  const members = found as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(MEMBERS).find(([key, { fits }]) => !fits(members[key]));
  if (wrong === undefined) return found as DataSource;
  const [key, { expected }] = wrong;
  throw new UsageError(
    'E_FETCH_SOURCE',
    `${file}: source.${key}: expected ${expected}, received ${shown(members[key])}`,
  );
}

/** Most characters of a wrong value in a message. */
const SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'function' ? 'a function' : inspect(value).slice(0, SHOWN);
}
