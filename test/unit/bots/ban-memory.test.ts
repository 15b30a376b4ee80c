import { chmod, open, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { openBanMemory } from '../../../src/bots/ban-memory.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ORIGIN = 'https://venue.example';
const userId = process.getuid?.() ?? 0;

describe('openBanMemory', () => {
  it('keeps the end of a ban for the next process, for each host', async () => {
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

  it('keeps its ban while another process writes a draft file', async () => {
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

  it('ignores a file in a folder that is open to others, and a file without a time', async () => {
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

  it('does not throw if it cannot write', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const memory = openBanMemory({ runtimeFolder: file, userId });

    memory.note(ORIGIN, 1);

    expect(memory.until(ORIGIN)).toBeUndefined();
  });
});
