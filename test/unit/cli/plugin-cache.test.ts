import { chmod, mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginCache } from '../../../src/cli/bot/plugin-cache.js';
import { cleanCache } from '../../../src/cli/clean-cache.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('the cache of compiled plugins', () => {
  it('is a folder that only the user can access', async () => {
    const base = await temporaryFolder();

    const folder = await pluginCache({ env: { XDG_CACHE_HOME: base } });

    expect(folder).toBe(path.join(base, 'evenkeel'));
    expect((await stat(folder ?? '')).mode & 0o777).toBe(0o700);
    expect(await pluginCache({ env: { XDG_CACHE_HOME: base } })).toBe(folder);
  });

  it.each([
    ['the folder', 0o777, 0o600],
    ['an entry', 0o700, 0o666],
  ])('is not used if others can write %s', async (_, ofFolder, ofEntry) => {
    const base = await temporaryFolder();
    const folder = path.join(base, 'evenkeel');
    await mkdir(folder);
    await writeFile(path.join(folder, 'planted.mjs'), 'throw new Error("run")');
    await chmod(path.join(folder, 'planted.mjs'), ofEntry);
    await chmod(folder, ofFolder);

    expect(await pluginCache({ env: { XDG_CACHE_HOME: base } })).toBeUndefined();
  });
});

describe('cleaning of the cache', () => {
  const NOW = Date.UTC(2025, 5, 1);
  const ago = (days: number): Date => new Date(NOW - days * 86_400_000);

  /** A file that was last written and last read this many days ago. */
  async function entry(folder: string, name: string, written: number, read: number): Promise<void> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, name);
    await utimes(file, ago(read), ago(written));
  }

  it('removes entries that were neither written nor read for 30 days', async () => {
    const folder = await temporaryFolder();
    await entry(folder, 'old.mjs', 40, 31);
    await entry(folder, 'read.mjs', 40, 29);
    await entry(folder, 'new.mjs', 29, 29);
    await entry(folder, 'findings/old.json', 31, 31);
    await entry(folder, 'findings/new.json', 1, 1);
    await entry(folder, 'code/v22/old', 31, 31);

    cleanCache(folder, NOW);

    const left = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((found) => found.isFile())
      .map(({ name }) => name);
    expect(left.sort()).toEqual(['cleaned', 'new.json', 'new.mjs', 'read.mjs']);
  });

  it('removes folders that are empty without old entries, and nothing beside the cached entries', async () => {
    const folder = await temporaryFolder();
    await entry(folder, 'aa/plugin/lib/old.ts', 31, 31);
    await entry(folder, 'bb/plugin/old.ts', 31, 31);
    await entry(folder, 'bb/plugin/new.ts', 1, 1);
    await entry(folder, 'notes/old.txt', 400, 400);
    await mkdir(path.join(folder, 'cc'));
    for (const name of ['aa/plugin/lib', 'aa/plugin', 'aa', 'bb/plugin', 'bb', 'notes'])
      await utimes(path.join(folder, name), ago(31), ago(31));

    // A folder that was just made waits for its files.
    await utimes(path.join(folder, 'cc'), ago(1), ago(1));
    cleanCache(folder, NOW, (name) => /^[a-f]{2}$/.test(name));

    const left = (await readdir(folder, { recursive: true })).sort();
    expect(left).toEqual([
      ...['bb', 'bb/plugin', 'bb/plugin/new.ts', 'cc', 'cleaned'],
      ...['notes', 'notes/old.txt'],
    ]);
  });

  it('does nothing within a day of the last cleaning', async () => {
    const folder = await temporaryFolder();
    await entry(folder, 'cleaned', 0.9, 0.9);
    await entry(folder, 'old.mjs', 40, 40);

    cleanCache(folder, NOW);
    expect(await readdir(folder)).toEqual(['cleaned', 'old.mjs']);

    cleanCache(folder, NOW + 0.2 * 86_400_000);
    expect(await readdir(folder)).toEqual(['cleaned']);
  });

  it('leaves a folder that cannot be written to as it is', async () => {
    const folder = path.join(await temporaryFolder(), 'missing');

    expect(() => {
      cleanCache(folder, NOW);
    }).not.toThrow();
  });

  it('happens when a command asks for the cache', async () => {
    const base = await temporaryFolder();
    await entry(base, 'evenkeel/old.mjs', 0, 0);
    await chmod(path.join(base, 'evenkeel'), 0o700);

    await pluginCache({ env: { XDG_CACHE_HOME: base } });

    expect(await readdir(path.join(base, 'evenkeel'))).toEqual(['cleaned']);
  });
});
