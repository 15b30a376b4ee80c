import { access } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findWrongMember, type DataSource } from '../../../archive/index.js';
import { reasonOf, UsageError } from '../../../domain/index.js';
import { DATA_SOURCES } from './data-sources.js';

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
  const wrong = findWrongMember(found);
  if (wrong === undefined) return found as DataSource;
  throw new UsageError('E_FETCH_SOURCE', `${file}: source.${wrong}`);
}
