import { chmod, open, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { openBanMemory } from '../../../src/bots/ban-memory.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ORIGIN = 'https://venue.example';
const userId = process.getuid?.() ?? 0;

describe('the memory of bans', () => {
  it('knows in the next process until when a host has banned us, and of no other', async () => {
    const root = await temporaryFolder();
    const place = { runtimeFolder: root, userId };

    openBanMemory(place).note(ORIGIN, 1_700_000_000_000);

    expect(openBanMemory(place).until(ORIGIN)).toBe(1_700_000_000_000);
    expect(openBanMemory(place).until('https://other.example')).toBeUndefined();
  });

  it('keeps the longest ban that any process notes, in any order', async () => {
    const place = { runtimeFolder: await temporaryFolder(), userId };

    openBanMemory(place).note(ORIGIN, 1_700_000_600_000);
    openBanMemory(place).note(ORIGIN, 1_700_000_300_000);
    expect(openBanMemory(place).until(ORIGIN)).toBe(1_700_000_600_000);

    openBanMemory(place).note(ORIGIN, 1_700_001_200_000);
    expect(openBanMemory(place).until(ORIGIN)).toBe(1_700_001_200_000);
  });

  it('leaves alone what another process is just writing', async () => {
    const root = await temporaryFolder();
    const place = { runtimeFolder: root, userId };
    openBanMemory(place).note(ORIGIN, 1_700_000_000_000);
    const folder = path.join(root, `evenkeel-${String(userId)}`);
    const [file = ''] = await readdir(folder);
    // The other process has emptied its draft file and not yet filled it.
    const others = await open(path.join(folder, `${file}.new`), 'w');

    openBanMemory(place).note(ORIGIN, 1_700_000_600_000);
    await others.writeFile('1700000500000');
    await others.close();

    expect(openBanMemory(place).until(ORIGIN)).toBe(1_700_000_600_000);
  });

  it('believes nothing that others could have written, or that is no time', async () => {
    const root = await temporaryFolder();
    const place = { runtimeFolder: root, userId };
    const memory = openBanMemory(place);
    memory.note(ORIGIN, 1_700_000_000_000);
    const folder = path.join(root, `evenkeel-${String(userId)}`);

    await chmod(folder, 0o777);
    expect(memory.until(ORIGIN)).toBeUndefined();
    await chmod(folder, 0o700);
    const [file = ''] = await readdir(folder);
    await writeFile(path.join(folder, file), 'soon');
    expect(memory.until(ORIGIN)).toBeUndefined();
  });

  it('goes on without where it cannot write', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const memory = openBanMemory({ runtimeFolder: file, userId });

    memory.note(ORIGIN, 1);

    expect(memory.until(ORIGIN)).toBeUndefined();
  });
});
