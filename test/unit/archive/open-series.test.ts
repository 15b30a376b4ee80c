import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  hashColumns,
  openArchive,
  sliceColumns,
  type Archive,
} from '../../../src/archive/index.js';
import { parseInstrumentId, type CandleColumns } from '../../../src/domain/index.js';
import { columnsFrom, rowsOf } from '../../support/candle-columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { touchMetadata } from '../../support/touch-metadata.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 1);
const ROWS = 50;
const PAGED = { wholeRows: 0, blockRows: 7 };

async function storedArchive(
  columns = columnsFrom(START, ROWS, HOUR),
): Promise<{ readonly archive: Archive; readonly folder: string }> {
  const folder = await temporaryFolder();
  const archive = openArchive(folder);
  await archive.merge(
    { instrumentId: BTC, interval: '1h', columns },
    { source: 'a.csv', volumeUnit: 'base' },
  );
  return { archive, folder };
}

/** Writes eight bytes over a number of the stored file. */
async function overwrite(
  { archive, folder }: Awaited<ReturnType<typeof storedArchive>>,
  column: number,
  row: number,
  bytes: Uint8Array,
): Promise<void> {
  const { file } = await archive.info(BTC, '1h');
  const arrow = join(folder, 'spot', 'BTCUSDT', '1h.arrow');
  const handle = await open(arrow, 'r+');
  await handle.write(bytes, 0, 8, file.headBytes + (column * ROWS + row) * 8);
  await handle.close();
  await touchMetadata(arrow);
}

const numberBytes = (value: number): Uint8Array => new Uint8Array(Float64Array.of(value).buffer);
const timeBytes = (time: number): Uint8Array =>
  new Uint8Array(BigInt64Array.of(BigInt(time)).buffer);

describe('Archive.open', () => {
  for (const [name, options] of Object.entries({ whole: {}, 'in blocks': PAGED })) {
    it(`returns the rows of a series, ${name}`, async () => {
      const { archive } = await storedArchive();
      const stored = await archive.read(BTC, '1h');

      const series = await archive.open(BTC, '1h', options);

      expect(rowsOf(series.rows.whole())).toEqual(rowsOf(stored));
      expect(series.rows.close(30)).toBe(stored.close[30]);
      expect(series.info).toEqual(await archive.info(BTC, '1h'));
      expect(series.hash()).toBe(hashColumns(stored));
      await series.close();
    });

    it(`ends before a given time, ${name}, and hashes the remaining rows`, async () => {
      const { archive } = await storedArchive();
      const stored: CandleColumns = await archive.read(BTC, '1h');

      const series = await archive.open(BTC, '1h', { ...options, to: START + 20 * HOUR });

      expect(series.rows.length).toBe(20);
      expect(series.rows.openTime(20)).toBe(Number.POSITIVE_INFINITY);
      expect(series.hash()).toBe(hashColumns(sliceColumns(stored, 0, 20)));
      await series.close();
    });

    it(`refuses an end at the first row, ${name}`, async () => {
      const { archive } = await storedArchive();

      await expect(archive.open(BTC, '1h', { ...options, to: START })).rejects.toMatchObject({
        code: 'E_DATA_RANGE',
      });
    });

    it(`returns marks, ${name}, and undefined if no marks are stored or in the range`, async () => {
      const { archive } = await storedArchive();
      const marks = { ...columnsFrom(START, ROWS, HOUR), volume: new Float64Array(ROWS) };
      await archive.mergeMarks(
        { instrumentId: BTC, interval: '1h', columns: marks },
        { source: 'm.csv' },
      );

      const series = await archive.openMarks(BTC, '1h', options);

      expect(series?.rows.low(33)).toBe(marks.low[33]);
      expect(await archive.openMarks(BTC, '1min', options)).toBeUndefined();
      expect(await archive.openMarks(BTC, '1h', { ...options, to: START })).toBeUndefined();
      await series?.close();
    });
  }

  it('finds an impossible candle only when it reads its page', async () => {
    const stored = await storedArchive();
    await overwrite(stored, 2, 30, numberBytes(-1));
    const { rows, close } = await stored.archive.open(BTC, '1h', PAGED);

    expect(rows.openTime(27)).toBe(START + 27 * HOUR);
    expect(() => rows.openTime(28)).toThrow(/1h\.arrow row 31: expected/);
    expect(() => rows.openTime(28)).toThrow(
      expect.objectContaining({ code: 'E_DATA_DEFECT' }) as Error,
    );
    await close();
  });

  it('finds times that do not rise from one block to the next', async () => {
    const stored = await storedArchive();
    await overwrite(stored, 0, 28, timeBytes(START + 27 * HOUR));
    const { rows, close } = await stored.archive.open(BTC, '1h', PAGED);

    expect(() => rows.openTime(28)).toThrow(/row 29: expected a time after 2025-01-02T03:00:00/);
    await close();
  });

  it('does not see rows that are merged later', async () => {
    const { archive } = await storedArchive();
    const { rows, close } = await archive.open(BTC, '1h', PAGED);

    await archive.merge(
      { instrumentId: BTC, interval: '1h', columns: columnsFrom(START - HOUR, 1, HOUR) },
      { source: 'b.csv', volumeUnit: 'base' },
    );

    expect(rows.openTime(0)).toBe(START);
    expect(rows.openTime(49)).toBe(START + 49 * HOUR);
    await close();
  });
});
