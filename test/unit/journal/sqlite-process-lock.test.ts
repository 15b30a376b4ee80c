import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { present } from '../../../src/domain/index.js';
import { takeProcessLock } from '../../../src/journal/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('takeProcessLock', () => {
  it('gives the lock to one holder at a time, until its release', async () => {
    const file = path.join(await temporaryFolder(), 'lock');
    const lock = present(await takeProcessLock(file), 'lock');

    const [second, isHeld] = [await takeProcessLock(file), lock.isHeld];
    lock.release();

    expect([second, isHeld, lock.isHeld]).toEqual([undefined, true, false]);
    const again = await takeProcessLock(file);
    expect(again?.isHeld).toBe(true);
    again?.release();
  });

  it.each(['removed', 'another'])('loses the lock if its file is %s', async (what) => {
    const file = path.join(await temporaryFolder(), 'lock');
    const lock = present(await takeProcessLock(file), 'lock');

    await rm(file);
    if (what === 'another') await writeFile(file, '');

    expect(lock.isHeld).toBe(false);
    lock.release();
  });
});
