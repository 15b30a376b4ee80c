import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginCache } from '../../../src/cli/bot/plugin-cache.js';
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
