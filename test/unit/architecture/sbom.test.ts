import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');

interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly content: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** A JavaScript module of the build. */
const { readSbom } = (await import(path.join(ROOT, '.ci/sbom.mjs'))) as {
  readonly readSbom: (root: string) => string;
};
const bill = JSON.parse(readSbom(ROOT)) as Bill;
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Readonly<
  Record<
    'dependencies' | 'devDependencies' | 'optionalDependencies',
    Readonly<Record<string, string>>
  >
>;

describe('the bill of materials', () => {
  it('names each production package with version and checksum, and no development package', () => {
    const named = new Map(bill.components.map((component) => [component.name, component]));
    const shipped = { ...manifest.dependencies, ...manifest.optionalDependencies };

    for (const [name, version] of Object.entries(shipped)) {
      expect(named.get(name)).toMatchObject({ version });
      expect(named.get(name)?.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
    for (const name of ['vitest', 'eslint', 'typescript', 'playwright-core'])
      expect(named.has(name)).toBe(false);
  });

  it('reaches every component from the package by known references', () => {
    const known = new Set(bill.components.map(({ purl }) => purl));
    const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const waiting = [...(bill.dependencies[0]?.dependsOn ?? [])];
    for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
      if (reached.has(ref)) continue;
      reached.add(ref);
      waiting.push(...(needs.get(ref) ?? []));
    }

    expect([...reached].filter((ref) => !known.has(ref))).toEqual([]);
    expect([...known].filter((ref) => !reached.has(ref))).toEqual([]);
  });

  it('is the same text for each call', () => {
    expect(readSbom(ROOT)).toBe(readSbom(ROOT));
  });
});
