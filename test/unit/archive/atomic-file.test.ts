import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  writeFileAtomically,
  writeFilesAtomically,
} from '../../../src/archive/files/atomic-file.js';
import { seriesPaths } from '../../../src/archive/files/layout.js';
import { makeFolder } from '../../../src/archive/files/make-folder.js';
import { StagedSeries } from '../../../src/archive/stored/stage-series.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const bytes = (text: string): readonly Uint8Array[] => [new TextEncoder().encode(text)];

describe('writeFileAtomically', () => {
  it('leaves a symbolic link in place and replaces the file that it names', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'kept'));
    await writeFile(join(folder, 'kept', 'result.json'), 'old');
    await symlink(join('kept', 'result.json'), join(folder, 'link.json'));
    await symlink('link.json', join(folder, 'second.json'));

    await writeFileAtomically(join(folder, 'second.json'), bytes('new'));

    expect(await readlink(join(folder, 'second.json'))).toBe('link.json');
    expect(await readlink(join(folder, 'link.json'))).toBe(join('kept', 'result.json'));
    expect(await readFile(join(folder, 'kept', 'result.json'), 'utf8')).toBe('new');
    expect(await readdir(join(folder, 'kept'))).toEqual(['result.json']);
  });

  it('writes the file of a symbolic link whose file does not exist yet', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'inner', 'deep'), { recursive: true });
    await symlink(join('inner', 'deep'), join(folder, 'short'));
    await symlink(join('..', 'result.json'), join(folder, 'short', 'link.json'));

    await writeFileAtomically(join(folder, 'short', 'link.json'), bytes('new'));

    expect(await readFile(join(folder, 'inner', 'result.json'), 'utf8')).toBe('new');
    expect(await readlink(join(folder, 'short', 'link.json'))).toBe(join('..', 'result.json'));
  });

  it('refuses links that lead round in a circle by the name of the file', async () => {
    const file = join(await temporaryFolder(), 'a');
    await symlink('b', file);
    await symlink('a', join(dirname(file), 'b'));

    await expect(writeFileAtomically(file, bytes('new'))).rejects.toMatchObject({
      code: 'E_DATA_WRITE',
      message: expect.stringContaining(file) as string,
    });
  });
});

describe('writeFilesAtomically', () => {
  it.each([
    ['puts the old first file back', 'old'],
    ['leaves none where none was', undefined],
  ])('%s if the second one cannot be moved to its place', async (_, old) => {
    const folder = await temporaryFolder();
    const [first, second] = [join(folder, 'rows'), join(folder, 'rows.json')];
    if (old !== undefined) await writeFile(first, old);
    await mkdir(second);
    const before = await readdir(folder);

    await expect(
      writeFilesAtomically([
        { path: first, chunks: bytes('new') },
        { path: second, chunks: bytes('new') },
      ]),
    ).rejects.toMatchObject({
      code: 'E_DATA_WRITE',
      message: `cannot write ${second}: it is a folder, not a file`,
    });

    expect(await readdir(folder)).toEqual(before);
    if (old !== undefined) expect(await readFile(first, 'utf8')).toBe(old);
  });

  it('leaves nothing but the new files', async () => {
    const folder = await temporaryFolder();
    const [first, second] = [join(folder, 'rows'), join(folder, 'rows.json')];
    for (const text of ['old', 'new'])
      await writeFilesAtomically([
        { path: first, chunks: bytes(text) },
        { path: second, chunks: bytes(text) },
      ]);

    expect(await readdir(folder)).toEqual(['rows', 'rows.json']);
    expect(await readFile(first, 'utf8')).toBe('new');
    expect(await readFile(second, 'utf8')).toBe('new');
  });
});

describe('StagedSeries', () => {
  it('puts the old candles back, also through a link, if their metadata cannot be moved', async () => {
    const folder = await temporaryFolder();
    const pathsIn = (archive: string) =>
      seriesPaths(archive, { instrumentId: parseInstrumentId('spot:BTCUSDT'), interval: '1min' });
    const { arrow, metadata } = pathsIn(join(folder, 'data'));
    await makeFolder(dirname(arrow));
    await writeFile(join(folder, 'elsewhere'), 'old');
    await symlink(join(folder, 'elsewhere'), arrow);

    const staged = await StagedSeries.begin(join(folder, 'data'), pathsIn);
    for (const file of Object.values(pathsIn(staged.directory)))
      await writeFileAtomically(file, bytes('new'));
    await mkdir(metadata);
    await expect(staged.commit()).rejects.toMatchObject({ code: 'E_DATA_WRITE' });

    expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('old');
    expect(await readlink(arrow)).toBe(join(folder, 'elsewhere'));
  });

  it('replaces the file that a link in the archive names, and not before it commits', async () => {
    const folder = await temporaryFolder();
    const pathsIn = (archive: string) =>
      seriesPaths(archive, { instrumentId: parseInstrumentId('spot:BTCUSDT'), interval: '1min' });
    const { arrow, metadata } = pathsIn(join(folder, 'data'));
    await makeFolder(dirname(arrow));
    await writeFile(join(folder, 'elsewhere'), 'old');
    await symlink(join(folder, 'elsewhere'), arrow);
    await writeFile(metadata, 'old');

    const staged = await StagedSeries.begin(join(folder, 'data'), pathsIn);
    await writeFileAtomically(pathsIn(staged.directory).arrow, bytes('new'));
    expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('old');
    await staged.commit();

    expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('new');
    expect(await readlink(arrow)).toBe(join(folder, 'elsewhere'));
  });
});
