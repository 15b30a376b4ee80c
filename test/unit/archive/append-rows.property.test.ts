import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openArchive, sliceColumns } from '../../../src/archive/index.js';
import { appendRows } from '../../../src/archive/stored/append-rows.js';
import { openFile, type OpenFile } from '../../../src/archive/files/data-file.js';
import { seriesPaths } from '../../../src/archive/files/layout.js';
import { createInstrumentId, MINUTE_MS } from '../../../src/domain/index.js';
import { columnsFrom } from '../../support/candle-columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const KEY = { instrumentId: createInstrumentId('spot', 'BTCUSDT'), interval: '1min' } as const;
const START = Date.UTC(2025, 0, 1);
const OPTIONS = { volumeUnit: 'base', source: 'second' } as const;

async function stored(rows: number): Promise<string> {
  const folder = await temporaryFolder();
  const columns = columnsFrom(START, rows, MINUTE_MS);
  await openArchive(folder).merge({ ...KEY, columns }, { volumeUnit: 'base', source: 'first' });
  return folder;
}

/** Hashes of both files. Vitest would compare long buffers byte by byte, which is slow. */
const filesOf = (folder: string): Promise<readonly string[]> => {
  const { arrow, metadata } = seriesPaths(folder, KEY);
  const hashed = async (file: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  return Promise.all([arrow, metadata].map(hashed));
};

describe('appendRows', () => {
  it('writes the same bytes as a merge, with or without a gap', async () => {
    const rows = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(65_535, 65_536, 65_537));
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.nat(3), async (before, after, gap) => {
        const [merged, appended] = [await stored(before), await stored(before)];
        const columns = columnsFrom(START + (before + gap) * MINUTE_MS, after, MINUTE_MS);
        const { info } = await openArchive(merged).merge({ ...KEY, columns }, OPTIONS);
        const old = await openArchive(appended).info(KEY.instrumentId, KEY.interval);

        const source = { directory: appended, open: openFile, key: KEY };
        const report = await appendRows(source, old, columns, OPTIONS);

        expect(report).toEqual({ info, added: after, duplicates: 0, replaced: 0 });
        expect(await filesOf(appended)).toEqual(await filesOf(merged));
      }),
      { numRuns: 6 },
    );
  });

  it('returns undefined and writes nothing if a row is not after the stored rows', async () => {
    const folder = await stored(10);
    const before = await filesOf(folder);
    const old = await openArchive(folder).info(KEY.instrumentId, KEY.interval);
    const columns = columnsFrom(START + 9 * MINUTE_MS, 5, MINUTE_MS);

    const source = { directory: folder, open: openFile, key: KEY };
    expect(await appendRows(source, old, columns, OPTIONS)).toBeUndefined();
    expect(await filesOf(folder)).toEqual(before);
  });

  it.each(['1min.arrow', '1min.json'])(
    'changes nothing if the disk is full while %s is written',
    async (file) => {
      const folder = await stored(10);
      const before = await filesOf(folder);
      const old = await openArchive(folder).info(KEY.instrumentId, KEY.interval);
      const open: OpenFile = (path, flags) =>
        path.includes(`${file}.`)
          ? Promise.reject(new Error('ENOSPC: no space left on device, open'))
          : openFile(path, flags);
      const columns = sliceColumns(columnsFrom(START, 20, MINUTE_MS), 10, 20);

      const failed = appendRows({ directory: folder, open, key: KEY }, old, columns, OPTIONS);

      await expect(failed).rejects.toThrow(`${file}: the disk is full`);
      expect(await filesOf(folder)).toEqual(before);
    },
  );

  it('refuses stored rows that were changed', async () => {
    const folder = await stored(10);
    const old = await openArchive(folder).info(KEY.instrumentId, KEY.interval);
    const { arrow } = seriesPaths(folder, KEY);
    const bytes = await readFile(arrow);
    bytes[old.file.headBytes + 100] = 255 - (bytes[old.file.headBytes + 100] ?? 0);
    const changed = await openFile(arrow, 'w');
    await changed.writeFile(bytes);
    await changed.close();
    const columns = sliceColumns(columnsFrom(START, 20, MINUTE_MS), 10, 20);

    const source = { directory: folder, open: openFile, key: KEY };
    await expect(appendRows(source, old, columns, OPTIONS)).rejects.toMatchObject({
      code: 'E_DATA_CORRUPT',
    });
  });
});
