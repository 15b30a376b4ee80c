import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  importCandles,
  openArchive,
  type Archive,
  type ImportOptions,
  type ImportReport,
} from '../../../src/archive/index.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { writeText } from '../../support/candle-files.js';
import { rejectionOf } from '../../support/failure.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
/** 2025-01-01T00:00:00Z */
const START = 1_735_689_600_000;
const row = (minute: number, volume = 5): string =>
  `${String(START + minute * 60_000)},100,102,99,101,${String(volume)}`;
const csv = (from: number, to: number): string =>
  [
    'time_ms,open,high,low,close,volume',
    ...Array.from({ length: to - from }, (_, index) => row(from + index)),
    '',
  ].join('\n');

interface Import {
  readonly folder: string;
  readonly archive: Archive;
  readonly paths: readonly string[];
  /** Stores after each file, so that an interrupt can come at many places. */
  run(overrides?: Partial<ImportOptions>): Promise<ImportReport>;
}

/** Ten files of ten minutes. Each file repeats the last minute of the file before. */
async function tenFiles(): Promise<Import> {
  const folder = await temporaryFolder();
  const archive = openArchive(join(folder, 'archive'));
  const paths = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      writeText(folder, `${String(index)}.csv`, csv(Math.max(0, index * 10 - 1), index * 10 + 10)),
    ),
  );
  const series = { instrumentId: BTC, interval: '1min', volumeUnit: 'base', batchRows: 1 } as const;
  return {
    folder,
    archive,
    paths,
    run: (overrides = {}) => importCandles(archive, { paths, ...series, ...overrides }),
  };
}

const storedIn = (folder: string): Promise<Buffer> =>
  readFile(join(folder, 'archive/spot/BTCUSDT/1min.arrow'));
const ledgerIn = (folder: string): string => join(folder, 'archive/spot/BTCUSDT/1min.import.json');

describe('importCandles of many files', () => {
  it.each([1, 35, 1_000])(
    'stores the same bytes for any batch size (%i rows)',
    async (batchRows) => {
      const one = await tenFiles();
      const other = await tenFiles();
      await one.run({ batchRows });
      await other.run({ batchRows: 7 });

      expect((await storedIn(one.folder)).equals(await storedIn(other.folder))).toBe(true);
      expect(existsSync(ledgerIn(one.folder))).toBe(false);
    },
  );

  it('counts added rows, and rows repeated across files', async () => {
    const { run } = await tenFiles();

    const report = await run({ batchRows: 35 });

    expect(report).toMatchObject({ added: 100, continued: 0, info: { rows: 100, gaps: 0 } });
    // The last minute of each file except the last file, whether it was already stored or not.
    expect(report.duplicates + report.repeatedAcross).toBe(9);
    expect(report.files).toHaveLength(10);
  });

  it('continues after each interrupt, and stores the same bytes', async () => {
    const whole = await tenFiles();
    await whole.run();
    const { folder, run } = await tenFiles();
    let files = 0;
    for (let stop = 1; stop < 10; stop += 1) {
      const interrupt = new AbortController();
      const onFile = (index: number): void => {
        if (index === stop) interrupt.abort(new Error('interrupted'));
      };
      await expect(run({ onFile, signal: interrupt.signal })).rejects.toThrow('interrupted');
    }

    const report = await run({ onFile: () => (files += 1) });

    expect(report).toMatchObject({ continued: 9, added: 10, info: { rows: 100 } });
    expect(files).toBe(10);
    expect((await storedIn(folder)).equals(await storedIn(whole.folder))).toBe(true);
  });

  it('reports a bad file, keeps the files before it, and continues after them', async () => {
    const { folder, archive, paths, run } = await tenFiles();
    await writeFile(join(folder, '4.csv'), `${csv(40, 50)}bad\n`);

    const failure = await rejectionOf(run({ batchRows: 1_000 }));

    expect(failure).toMatchObject({
      code: 'E_DATA_ROW',
      message: `${paths[4] ?? ''} row 12, expected at least 6 cells, received 1 (stored: 4 of 10 files; run the same command again to continue after them)`,
    });
    expect((await archive.info(BTC, '1min')).rows).toBe(40);

    await writeFile(join(folder, '4.csv'), csv(40, 50));
    expect(await run()).toMatchObject({ continued: 4, added: 60, info: { rows: 100 } });
  });

  it('names the files that hold different values of a candle', async () => {
    const { folder, run } = await tenFiles();
    await writeFile(join(folder, '3.csv'), csv(30, 40).replace(row(31), row(31, 6)));
    await run();
    await writeFile(join(folder, '3.csv'), csv(30, 40));

    const apart = await rejectionOf(run());
    const together = await rejectionOf(run({ batchRows: 1_000 }));

    expect(apart).toMatchObject({
      code: 'E_DATA_CONFLICT',
      message: expect.stringMatching(
        /^3\.csv: .*volume 6 stored, 5 given.*\(stored: 3 of 10/,
      ) as string,
    });
    expect(together).toMatchObject({
      code: 'E_DATA_CONFLICT',
      message: expect.stringMatching(/^\d\.csv to 9\.csv: .*volume 6 stored, 5 given/) as string,
    });
  });

  it('reads all files again if the stored series has changed', async () => {
    const { archive, folder, run } = await tenFiles();
    await writeFile(join(folder, '4.csv'), 'bad\n');
    await rejectionOf(run());
    await writeFile(join(folder, '4.csv'), csv(40, 50));
    const columns = await archive.read(BTC, '1min', { to: START + 60_000 });
    const shifted = { ...columns, openTime: columns.openTime.map((time) => time - 60_000) };
    const series = { instrumentId: BTC, interval: '1min', columns: shifted } as const;
    await archive.merge(series, { source: 'another', volumeUnit: 'base' });

    expect(await run()).toMatchObject({ continued: 0, info: { rows: 101 } });
  });

  it('reports duplicates if the remaining file adds no rows', async () => {
    const { folder, run } = await tenFiles();
    await writeFile(join(folder, '9.csv'), 'bad\n');
    await rejectionOf(run());
    await writeFile(join(folder, '9.csv'), csv(80, 90));

    expect(await run()).toMatchObject({ continued: 9, added: 0, duplicates: 10 });
  });
});
