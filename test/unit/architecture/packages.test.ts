import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The kind of access that a module of Node gives. */
const ACCESS: Readonly<Record<string, string>> = {
  fs: 'files',
  'fs/promises': 'files',
  net: 'sockets',
  tls: 'sockets',
  http: 'sockets',
  https: 'sockets',
  http2: 'sockets',
  dgram: 'sockets',
  dns: 'sockets',
  child_process: 'processes',
  cluster: 'processes',
  worker_threads: 'threads',
};
const IMPORT = /(?:\brequire\(|\bfrom ?|\bimport ?\(?)["'](?:node:)?([a-z0-9_/]+)["']/g;

/** Shipped files that are not loaded: packages within the package, its tests and examples. */
const NOT_LOADED = /(?:^|\/)(?:node_modules|tests?|scripts|benchmarks|examples|deps)\//;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

function productionPackages(): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Manifest;
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).sort();
}

/** The kinds of access that the shipped files of a package import, without the packages within it. */
function accessOf(name: string): readonly string[] {
  const folder = path.join(ROOT, 'node_modules', name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.[cm]?js$/.test(file) && !NOT_LOADED.test(file),
  );
  const found = new Set<string>();
  for (const file of files)
    for (const [, module = ''] of readFileSync(path.join(folder, file), 'utf8').matchAll(IMPORT)) {
      const access = ACCESS[module];
      if (access !== undefined) found.add(access);
    }
  return [...found].sort();
}

/** Rows of the table in docs/security.md: a package and its kinds of access. */
function documented(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');
  const rows = text
    .split('## Packages')[1]
    ?.split('\n## ')[0]
    ?.matchAll(/^\| `([^`]+)` +\| ([^|]*)\|/gm);
  return new Map(
    [...(rows ?? [])].map(([, name = '', opens = '']) => [
      name,
      opens.trim() === 'nothing' ? [] : opens.trim().split(', ').sort(),
    ]),
  );
}

describe('the list of packages in docs/security.md', () => {
  it('names each production package with its kinds of access', () => {
    const found = productionPackages().map((name) => [name, accessOf(name)] as const);

    expect(Object.fromEntries(documented())).toEqual(Object.fromEntries(found));
  });
});
