import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { filesOf, programOf } from '../../support/documents.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Tests that are registered with `node:test` from now on. A runner inside this one would have no reporter. */
function collectTests(): ReadonlyMap<string, () => unknown> {
  const tests = new Map<string, () => unknown>();
  vi.doMock('node:test', () => ({
    describe: (_: string, register: () => void) => {
      register();
    },
    test: (name: string, run: () => unknown) => tests.set(name, run),
  }));
  return tests;
}

/** Lines of a block that are not blank. */
function linesOf(block: string): number {
  return block.split('\n').filter((line) => line.trim() !== '').length;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('docs/from-code.md', () => {
  it('runs as written, from top to bottom', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const file = join(await temporaryFolder(), 'from-code.ts');
    await writeFile(file, programOf('docs/from-code.md'));

    await import(file);

    const lines = log.mock.calls.map((line) => line.join(' '));
    expect(lines).toEqual([
      expect.stringMatching(/^\d+\.\d+ [1-9]\d* 0$/),
      expect.stringMatching(/^\d{3} [1-9]\d*$/),
      'E_CONFIG_VALUE config simulation.seed: expected a whole number from 0 to 9007199254740991, received the number -1 (E_CONFIG_VALUE)',
      expect.stringMatching(/^\d{4} of \d{4} candles$/),
      'E_RUN_ABORTED',
      'true true',
      expect.stringMatching(/^6 (5|10|15) (20|40)$/),
    ]);
  });
});

describe('docs/extending.md', () => {
  it('runs as written, and its contracts pass', async () => {
    const file = join(await temporaryFolder(), 'extending.test.ts');
    await writeFile(file, programOf('docs/extending.md'));
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const tests = collectTests();

    await import(file);

    expect(log.mock.calls).toEqual([[true, expect.stringMatching(/^\d+\.\d+$/)]]);
    expect(tests.size).toBeGreaterThan(15);
    for (const run of tests.values()) await run();
  });
});

describe('docs/own-venue.md', () => {
  it('has a venue that passes its contract, and a bot that trades on it and stops', async () => {
    const file = join(await temporaryFolder(), 'own-venue.test.ts');
    await writeFile(file, programOf('docs/own-venue.md'));
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const tests = collectTests();

    await import(file);

    expect(log.mock.calls).toEqual([['buy', '65001']]);
    expect(tests.size).toBeGreaterThan(5);
    for (const run of tests.values()) await run();
  });
});

describe('docs/testing.md', () => {
  it('passes as written, from top to bottom', async () => {
    const file = join(await temporaryFolder(), 'testing.ts');
    await writeFile(file, programOf('docs/testing.md'));
    vi.stubEnv('EVENKEEL_UPDATE', '1');

    await expect(import(file)).resolves.toBeDefined();
    expect(readFileSync(file.replace('testing.ts', 'crossing.golden'), 'utf8')).toMatch(
      /^orders\n {2}2025-/,
    );
  });
});

describe('docs/recipes.md', () => {
  it('has strategies that pass their tests, and have the stated lengths', async () => {
    const folder = await temporaryFolder();
    const files = filesOf('docs/recipes.md');
    const tests = collectTests();
    const strategies = [...files.keys()].filter((file) => file.endsWith('.strategy.ts'));
    for (const [file, block] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), block);
    }

    for (const file of strategies)
      await import(join(folder, file.replace('.strategy.ts', '.test.mjs')));

    expect(tests.size).toBe(8);
    for (const run of tests.values()) await run();
    const said = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8').matchAll(
      /^\|[^|]+\| (\d+) +\|/gm,
    );
    const lines = strategies.map((file) => linesOf(files.get(file) ?? ''));
    expect(lines).toEqual([...said].map(([, count]) => Number(count)));
    expect(Math.max(...lines)).toBeLessThanOrEqual(40);
    for (const [file, block] of files)
      if (file.endsWith('.test.mjs')) expect(linesOf(block), file).toBeLessThanOrEqual(20);
  });
});
