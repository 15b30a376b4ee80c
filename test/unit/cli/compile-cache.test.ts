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

describe('what is kept of compiled code', () => {
  it('lies in a folder for the user alone, in the cache', async () => {
    const home = await temporaryFolder();

    const [folder = '', ...more] = foldersOf({ HOME: home });

    expect([folder, ...more]).toEqual([path.join(home, '.cache', 'evenkeel', 'code')]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it.each(['evenkeel', 'evenkeel/code'])(
    'is nothing where others can write to %s, since it is run',
    async (name) => {
      const cache = await temporaryFolder();
      await mkdir(path.join(cache, 'evenkeel', 'code'), { recursive: true, mode: 0o700 });
      await chmod(path.join(cache, name), 0o770);

      expect(foldersOf({ XDG_CACHE_HOME: cache })).toEqual([]);
    },
  );

  it('is nothing without a folder of the user', async () => {
    const file = path.join(await temporaryFolder(), 'none');

    expect(foldersOf({})).toEqual([]);
    expect(foldersOf({ HOME: '/dev/null', XDG_CACHE_HOME: path.relative('/', file) })).toEqual([]);
  });

  it('is nothing where Node cannot keep it', async () => {
    const home = await temporaryFolder();

    keepCompiledCode({ HOME: home }, { enableCompileCache: undefined });

    await expect(stat(path.join(home, '.cache'))).rejects.toThrow('ENOENT');
  });
});
