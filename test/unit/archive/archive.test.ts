import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import {
  openArchive,
  type Archive,
  type MergeOptions,
  type MergeReport,
} from '../../../src/archive/index.js';
import { parseInstrumentId, type CandleColumns } from '../../../src/domain/index.js';
import { columnsFrom, columnsOf, rowsOf } from '../../support/candle-columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { touchMetadata } from '../../support/touch-metadata.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 1);

const merge = (
  archive: Archive,
  columns: CandleColumns,
  options: Partial<MergeOptions> = {},
): Promise<MergeReport> =>
  archive.merge(
    { instrumentId: BTC, interval: '1h', columns },
    { source: 'a.csv', volumeUnit: 'base', ...options },
  );

async function storedArchive(columns = columnsFrom(START, 10, HOUR)): Promise<{
  readonly archive: Archive;
  readonly folder: string;
  readonly arrow: string;
  readonly metadata: string;
}> {
  const folder = await temporaryFolder();
  const archive = openArchive(folder);
  await merge(archive, columns);
  const path = join(folder, 'spot', 'BTCUSDT', '1h');
  return { archive, folder, arrow: `${path}.arrow`, metadata: `${path}.json` };
}

async function flipFirstOpen(archive: Archive, arrow: string): Promise<void> {
  const bytes = await readFile(arrow);
  const info = await archive.info(BTC, '1h');
  const place = info.file.headBytes + info.rows * 8; // lowest byte of the first open
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(arrow, bytes);
}

describe('openArchive', () => {
  it('reads stored candles back bit for bit', async () => {
    const columns = columnsFrom(START, 10, HOUR);
    const { archive } = await storedArchive(columns);

    const read = await archive.read(BTC, '1h', { verify: true });

    expect(rowsOf(read)).toEqual(rowsOf(columns));
  });

  it('stores times before 1970 and long after 2038', async () => {
    const columns = columnsOf([{ time: -HOUR }, { time: 0 }, { time: Date.UTC(2150, 0, 1) }]);
    const { archive } = await storedArchive(columns);

    const read = await archive.read(BTC, '1h');

    expect([...read.openTime]).toEqual([-HOUR, 0, Date.UTC(2150, 0, 1)]);
  });

  it('describes the series with range, rows, gaps and source', async () => {
    const columns = columnsOf([{ time: START }, { time: START + 3 * HOUR }]);
    const { archive } = await storedArchive(columns);

    const info = await archive.info(BTC, '1h');

    expect(info).toMatchObject({
      kind: 'candles',
      instrumentId: 'spot:BTCUSDT',
      interval: '1h',
      volumeUnit: 'base',
      sources: ['a.csv'],
      rows: 2,
      from: START,
      to: START + 4 * HOUR,
      gaps: 1,
      missing: 2,
    });
  });

  it('reads a range from an inclusive to an exclusive open time', async () => {
    const { archive } = await storedArchive();

    const read = await archive.read(BTC, '1h', { from: START + 2 * HOUR, to: START + 4 * HOUR });

    expect([...read.openTime]).toEqual([START + 2 * HOUR, START + 3 * HOUR]);
    expect([...read.close]).toEqual([103, 104]);
  });

  it('writes files that the Arrow library reads as one batch of a timestamp and five numbers', async () => {
    const { arrow } = await storedArchive();

    const table = tableFromIPC(await readFile(arrow));

    expect(table.schema.fields.map((field) => `${field.name}: ${String(field.type)}`)).toEqual([
      'open_time: Timestamp<MILLISECOND, UTC>',
      'open: Float64',
      'high: Float64',
      'low: Float64',
      'close: Float64',
      'volume: Float64',
    ]);
    expect(table.batches).toHaveLength(1);
    expect(table.getChild('open_time')?.get(1)).toBe(START + HOUR);
    expect(table.getChild('volume')?.get(9)).toBe(9);
  });

  it('stores columns that share one array without damage', async () => {
    const price = Float64Array.from([7, 8, 9]);
    const openTime = Float64Array.from([START, START + HOUR, START + 2 * HOUR]);
    const columns = { openTime, open: price, high: price, low: price, close: price, volume: price };
    const { archive } = await storedArchive(columns);

    const read = await archive.read(BTC, '1h', { verify: true });

    expect(rowsOf(read)).toEqual(rowsOf(columns));
  });

  it('writes the same bytes for the same candles, merged at once or in parts', async () => {
    const columns = columnsFrom(START, 10, HOUR);
    const first = await storedArchive(columns);
    const second = await storedArchive(columnsFrom(START, 4, HOUR));
    await merge(second.archive, columns);

    expect(await readFile(second.arrow)).toEqual(await readFile(first.arrow));
    expect(await readFile(second.metadata)).toEqual(await readFile(first.metadata));
  });

  it('lists series, and ignores temporary and foreign files', async () => {
    const { archive, folder } = await storedArchive();
    await writeFile(join(folder, 'spot', 'BTCUSDT', '1h.arrow.1-1.tmp'), 'half');
    await writeFile(join(folder, 'spot', 'BTCUSDT', 'funding.arrow'), 'later');
    await writeFile(join(folder, 'spot', 'notes.txt'), 'hello');
    await mkdir(join(folder, 'spot', 'my notes'));
    await writeFile(join(folder, 'spot', 'my notes', '1h.json'), '{}');

    const entries = await archive.list();

    expect(entries.map(({ status, key }) => ({ status, key }))).toEqual([
      { status: 'usable', key: { instrumentId: BTC, interval: '1h' } },
    ]);
  });
});

describe('Archive.merge', () => {
  it('counts new rows and rows that are already stored', async () => {
    const { archive } = await storedArchive(columnsFrom(START, 10, HOUR));

    const report = await merge(archive, columnsFrom(START, 12, HOUR), { source: 'b.csv' });

    expect(report).toMatchObject({ added: 2, duplicates: 10, replaced: 0 });
    expect(report.info).toMatchObject({ rows: 12, sources: ['a.csv', 'b.csv'] });
  });

  it('sorts rows before and after the stored rows by time', async () => {
    const { archive } = await storedArchive(columnsOf([{ time: START + HOUR }]));

    await merge(archive, columnsOf([{ time: START }, { time: START + 2 * HOUR }]));

    const read = await archive.read(BTC, '1h');
    expect([...read.openTime]).toEqual([START, START + HOUR, START + 2 * HOUR]);
  });

  it('refuses other values for a stored time, and leaves the file unchanged', async () => {
    const { archive, arrow } = await storedArchive(columnsOf([{ time: START, close: 101 }]));
    const before = await readFile(arrow);

    const refused = merge(archive, columnsOf([{ time: START, close: 101.5 }]));

    await expect(refused).rejects.toMatchObject({
      code: 'E_DATA_CONFLICT',
      message: expect.stringContaining(
        '2025-01-01T00:00:00Z: close 101 stored, 101.5 given',
      ) as string,
    });
    expect(await readFile(arrow)).toEqual(before);
  });

  it('overwrites stored values with replace', async () => {
    const { archive } = await storedArchive(columnsOf([{ time: START, close: 101 }]));

    const report = await merge(archive, columnsOf([{ time: START, close: 101.5 }]), {
      replace: true,
    });

    expect(report).toMatchObject({ added: 0, duplicates: 0, replaced: 1 });
    expect([...(await archive.read(BTC, '1h')).close]).toEqual([101.5]);
  });

  it('refuses a volume in another unit', async () => {
    const { archive } = await storedArchive();

    const refused = merge(archive, columnsFrom(START, 1, HOUR), { volumeUnit: 'quote' });

    await expect(refused).rejects.toMatchObject({ code: 'E_DATA_UNIT' });
  });

  it('refuses an empty series, impossible candles, and times off the grid', async () => {
    const archive = openArchive(await temporaryFolder());

    await expect(merge(archive, columnsOf([]))).rejects.toMatchObject({ code: 'E_DATA_EMPTY' });
    await expect(merge(archive, columnsOf([{ time: START, low: 103 }]))).rejects.toMatchObject({
      code: 'E_DATA_DEFECT',
      message: expect.stringContaining('row 1 of spot:BTCUSDT 1h: expected high ≥ low') as string,
    });
    await expect(merge(archive, columnsOf([{ time: START + 1 }]))).rejects.toMatchObject({
      code: 'E_DATA_DEFECT',
      message: expect.stringContaining('expected a time at the start of a candle') as string,
    });
  });
});

describe('reading a broken archive', () => {
  it('reports a missing folder', async () => {
    const archive = openArchive(join(await temporaryFolder(), 'nowhere'));

    await expect(archive.list()).rejects.toMatchObject({ code: 'E_DATA_ARCHIVE' });
    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({
      code: 'E_DATA_ARCHIVE',
      message: expect.stringContaining('nowhere') as string,
    });
  });

  it('reports a missing series with the series that the archive holds', async () => {
    const { archive } = await storedArchive();
    const empty = openArchive(await temporaryFolder());

    await expect(archive.read(BTC, '1min')).rejects.toMatchObject({
      code: 'E_DATA_MISSING',
      message: expect.stringContaining('it holds spot:BTCUSDT 1h') as string,
    });
    await expect(empty.read(BTC, '1h')).rejects.toMatchObject({
      code: 'E_DATA_MISSING',
      message: expect.stringContaining('the archive is empty') as string,
    });
  });

  it('reports the stored range if the requested range is empty', async () => {
    const { archive } = await storedArchive();

    const read = archive.read(BTC, '1h', { from: START + 10 * HOUR });

    await expect(read).rejects.toMatchObject({
      code: 'E_DATA_RANGE',
      message: expect.stringContaining('2025-01-01T00:00:00Z to 2025-01-01T10:00:00Z') as string,
    });
  });

  it('refuses a series without rows', async () => {
    const { archive, metadata } = await storedArchive();
    await writeFile(
      metadata,
      (await readFile(metadata, 'utf8')).replace('"rows": 10', '"rows": 0'),
    );

    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({ code: 'E_DATA_EMPTY' });
  });

  it('refuses a file that was truncated at any place', async () => {
    const { archive, arrow } = await storedArchive();
    const whole = await readFile(arrow);

    for (const length of [0, 3, 8, 700, whole.byteLength - 300, whole.byteLength - 1]) {
      await writeFile(arrow, whole);
      await truncate(arrow, length);
      await expect(archive.read(BTC, '1h'), `${String(length)} bytes`).rejects.toMatchObject({
        code: 'E_DATA_CORRUPT',
        message: expect.stringContaining('1h.arrow') as string,
      });
    }
  });

  it('refuses a file that was changed after its metadata, at every read', async () => {
    const { archive, arrow } = await storedArchive();
    await flipFirstOpen(archive, arrow);

    for (let time = 0; time < 3; time += 1) {
      await expect(archive.read(BTC, '1h')).rejects.toMatchObject({
        code: 'E_DATA_CORRUPT',
        message: expect.stringContaining('SHA-256') as string,
      });
      await expect(archive.open(BTC, '1h', { wholeRows: 0 })).rejects.toMatchObject({
        code: 'E_DATA_CORRUPT',
      });
    }
  });

  it('verifies a file that was rewritten with the same bytes, and only once', async () => {
    const { archive, arrow, metadata } = await storedArchive();
    await writeFile(arrow, await readFile(arrow));
    // Times of a file system are as coarse as its clock.
    await new Promise((resolve) => setTimeout(resolve, 50));

    await archive.read(BTC, '1h');
    const confirmed = await stat(metadata);
    await archive.read(BTC, '1h');

    // Newer metadata marks a file as verified.
    expect(confirmed.ctimeMs).toBeGreaterThan((await stat(arrow)).ctimeMs);
    expect((await stat(metadata)).ctimeMs).toBe(confirmed.ctimeMs);
  });

  it('finds damage with unchanged file times only with verify', async () => {
    const { archive, arrow } = await storedArchive();
    await flipFirstOpen(archive, arrow);
    await touchMetadata(arrow);

    const read = await archive.read(BTC, '1h');

    expect(read.open[0]).not.toBe(100);
    await expect(archive.read(BTC, '1h', { verify: true })).rejects.toMatchObject({
      code: 'E_DATA_CORRUPT',
      message: expect.stringContaining('SHA-256') as string,
    });
  });

  it('reports the row of an impossible value', async () => {
    const { archive, arrow } = await storedArchive();
    const bytes = await readFile(arrow);
    const info = await archive.info(BTC, '1h');
    bytes.writeDoubleLE(Number.NaN, info.file.headBytes + (info.rows + 6) * 8); // open of row 7
    await writeFile(arrow, bytes);
    await touchMetadata(arrow);

    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({
      code: 'E_DATA_DEFECT',
      message: expect.stringContaining('1h.arrow row 7: expected a finite open') as string,
    });
    await expect(
      archive.read(BTC, '1h', { from: START + 6 * HOUR, to: START + 7 * HOUR }),
    ).rejects.toMatchObject({ message: expect.stringContaining('row 7:') as string });
  });

  it('refuses a file of another format and the file of another series', async () => {
    const { archive, folder, arrow } = await storedArchive();
    await archive.merge(
      { instrumentId: BTC, interval: '15min', columns: columnsFrom(START, 10, HOUR / 4) },
      { source: 'a.csv', volumeUnit: 'base' },
    );
    const other = join(folder, 'spot', 'BTCUSDT', '15min.arrow');

    await writeFile(arrow, 'time,open,high,low,close,volume\n'.repeat(100));
    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({ code: 'E_DATA_CORRUPT' });
    await rename(other, arrow);
    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({ code: 'E_DATA_TORN' });
    await expect(archive.read(BTC, '15min')).rejects.toMatchObject({ code: 'E_DATA_MISSING' });
  });

  it.each([
    ['{', 'not JSON'],
    ['[]', 'expected an object'],
    ['{"version":2}', 'version: expected 1, received 2'],
    ['{"version":1,"kind":"other"}', 'kind: expected one of candles, mark, received "other"'],
    ['{"version":1,"kind":"candles","file":{}}', 'instrument: expected a text, received nothing'],
  ])('reports the file and the key of invalid metadata %s', async (text, message) => {
    const { archive, metadata } = await storedArchive();
    await writeFile(metadata, text);

    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({
      code: 'E_DATA_METADATA',
      message: expect.stringMatching(/1h\.json: /) as string,
    });
    await expect(archive.read(BTC, '1h')).rejects.toThrow(message);
  });
});

describe('an interrupted write', () => {
  it('is reported if candles have no metadata, and is repaired by the next merge', async () => {
    const { archive, metadata } = await storedArchive(columnsFrom(START, 10, HOUR));
    await rm(metadata);

    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({ code: 'E_DATA_TORN' });
    expect(await archive.list()).toMatchObject([
      { status: 'broken', error: { code: 'E_DATA_TORN' } },
    ]);
    const report = await merge(archive, columnsFrom(START, 11, HOUR));

    expect(report).toMatchObject({ added: 1, duplicates: 10 });
    expect((await archive.read(BTC, '1h', { verify: true })).openTime).toHaveLength(11);
  });

  it('is reported if the metadata is older than the candles, and is repaired by the next merge', async () => {
    const { archive, metadata } = await storedArchive(columnsOf([{ time: START, close: 101 }]));
    const older = await readFile(metadata);
    await merge(archive, columnsOf([{ time: START, close: 100.5 }]), { replace: true });
    await writeFile(metadata, older);

    await expect(archive.read(BTC, '1h')).rejects.toMatchObject({ code: 'E_DATA_TORN' });
    await merge(archive, columnsOf([{ time: START, close: 100.5 }]));

    expect([...(await archive.read(BTC, '1h', { verify: true })).close]).toEqual([100.5]);
  });

  it.each(['1h.arrow', '1h.json'])(
    'keeps the stored candles if the disk is full while %s is written',
    async (file) => {
      const { archive, folder } = await storedArchive(columnsFrom(START, 10, HOUR));
      const names = await readdir(join(folder, 'spot', 'BTCUSDT'));

      const failed = merge(fullDisk(folder, file), columnsFrom(START, 12, HOUR));

      await expect(failed).rejects.toMatchObject({
        code: 'E_DATA_WRITE',
        message: `cannot write ${join(folder, 'spot', 'BTCUSDT', file)}: the disk is full`,
      });
      expect(await readdir(join(folder, 'spot', 'BTCUSDT'))).toEqual(names);
      expect((await archive.read(BTC, '1h', { verify: true })).openTime).toHaveLength(10);
      const report = await merge(archive, columnsFrom(START, 12, HOUR));
      expect(report.info.rows).toBe(12);
      expect((await archive.read(BTC, '1h', { verify: true })).openTime).toHaveLength(12);
    },
  );

  it.each(['1h.arrow', '1h.json'])(
    'stores nothing new if the disk is full while %s is written',
    async (file) => {
      const folder = await temporaryFolder();

      const failed = merge(fullDisk(folder, file), columnsFrom(START, 12, HOUR));

      await expect(failed).rejects.toMatchObject({ code: 'E_DATA_WRITE' });
      expect(await readdir(join(folder, 'spot', 'BTCUSDT'))).toEqual([]);
    },
  );

  it('leaves no file if it is aborted', async () => {
    const { archive, folder } = await storedArchive();
    const names = await readdir(join(folder, 'spot', 'BTCUSDT'));

    const aborted = merge(archive, columnsFrom(START, 12, HOUR), {
      signal: AbortSignal.abort(new Error('Ctrl-C')),
    });

    await expect(aborted).rejects.toThrow('Ctrl-C');
    expect(await readdir(join(folder, 'spot', 'BTCUSDT'))).toEqual(names);
    expect((await archive.read(BTC, '1h', { verify: true })).openTime).toHaveLength(10);
  });
});

/** The archive in a folder of a disk that has no room for one of the files. */
function fullDisk(folder: string, file: string): Archive {
  return openArchive(folder, {
    open: async (path, flags) => {
      const handle = await open(path, flags);
      if (path.includes(`${file}.`)) {
        handle.sync = () =>
          Promise.reject(
            Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }),
          );
      }
      return handle;
    },
  });
}
