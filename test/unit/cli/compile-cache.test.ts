import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepCompiledCode } from '../../../src/cli/compile-cache.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The folders that Node gets for its compile cache. */
function foldersOf(env: Readonly<Record<string, string>>): readonly string[] {
  const folders: string[] = [];
  keepCompiledCode(env, { enableCompileCache: (folder) => folders.push(folder) });
  return folders;
}

describe('keepCompiledCode', () => {
  it('keeps the code in a cache folder that only the user can access', async () => {
    const home = await temporaryFolder();

    const [folder = '', ...more] = foldersOf({ HOME: home });

    expect([folder, ...more]).toEqual([path.join(home, '.cache', 'evenkeel', 'code')]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it.each(['evenkeel', 'evenkeel/code'])(
    'keeps nothing if others can write to %s',
    async (name) => {
      const cache = await temporaryFolder();
      await mkdir(path.join(cache, 'evenkeel', 'code'), { recursive: true, mode: 0o700 });
      await chmod(path.join(cache, name), 0o770);

      expect(foldersOf({ XDG_CACHE_HOME: cache })).toEqual([]);
    },
  );

  it('keeps nothing without a usable cache folder', async () => {
    const file = path.join(await temporaryFolder(), 'none');

    expect(foldersOf({})).toEqual([]);
    expect(foldersOf({ HOME: '/dev/null', XDG_CACHE_HOME: path.relative('/', file) })).toEqual([]);
  });

  it('creates no folder if Node has no compile cache', async () => {
    const home = await temporaryFolder();

    keepCompiledCode({ HOME: home }, { enableCompileCache: undefined });

    await expect(stat(path.join(home, '.cache'))).rejects.toThrow('ENOENT');
  });
});
