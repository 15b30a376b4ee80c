import { chmod, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { keepPrivate } from '../../../src/journal/sqlite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

describe('keepPrivate', () => {
  it('creates a private file, and makes a readable file and its log private', async () => {
    const folder = await temporaryFolder();
    const [made, open] = [path.join(folder, 'made'), path.join(folder, 'open')];
    for (const file of [open, `${open}-wal`]) {
      await writeFile(file, '');
      await chmod(file, 0o644);
    }

    keepPrivate(made);
    keepPrivate(open);

    expect(await Promise.all([made, open, `${open}-wal`].map(modeOf))).toEqual([
      0o600, 0o600, 0o600,
    ]);
  });

  // The mode of this file cannot be changed, like the mode of a file that another process has just removed.
  it.runIf(process.platform === 'linux')(
    'does not throw for a file whose mode cannot be changed',
    () => {
      expect(() => keepPrivate('/proc/self/comm')).not.toThrow();
    },
  );
});
