import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importCandles, openArchive, type ImportReport } from '../../../src/archive/index.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { encodeZip, zip64Size, type ZippedFile } from '../../support/zip-files.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
/** 2025-01-01T00:00:00Z */
const START = 1_735_689_600_000;
const row = (minute: number): string => `${String(START + minute * 60_000)},100,102,99,101,5`;
const csv = (from: number, to: number): string =>
  [
    'time_ms,open,high,low,close,volume',
    ...Array.from({ length: to - from }, (_, index) => row(from + index)),
    '',
  ].join('\n');
const FILE: ZippedFile = { name: 'one.csv', data: csv(0, 50) };
const WHOLE = encodeZip([FILE]);

interface Imported {
  readonly report: ImportReport | undefined;
  readonly error: unknown;
  /** Whether anything was written. */
  readonly isStored: boolean;
}

async function importZip(bytes: Uint8Array): Promise<Imported> {
  const folder = await temporaryFolder();
  const path = join(folder, 'candles.zip');
  await writeFile(path, bytes);
  const archive = openArchive(join(folder, 'archive'));
  const series = { instrumentId: BTC, interval: '1min', volumeUnit: 'base' } as const;
  let report: ImportReport | undefined;
  let error: unknown;
  try {
    report = await importCandles(archive, { paths: [path], ...series });
  } catch (thrown) {
    error = thrown;
  }
  return { report, error, isStored: existsSync(join(folder, 'archive')) };
}

describe('a ZIP archive', () => {
  it('is read file by file, in the order of their names', async () => {
    const bytes = encodeZip([
      { name: 'b.csv', data: csv(50, 60), method: 0 },
      { name: 'folder/', data: '' },
      { name: 'folder/a.csv', data: csv(60, 70) },
      { name: '__MACOSX/._a.csv', data: 'passed over' },
      { name: 'folder/.DS_Store', data: 'passed over' },
      { name: 'a.csv', data: csv(0, 51) },
    ]);

    const { report } = await importZip(bytes);

    expect(report).toMatchObject({
      added: 70,
      repeatedAcross: 1,
      info: { rows: 70, gaps: 0, sources: ['candles.zip'] },
    });
    expect(report?.files.map(({ name, format, rowsRead }) => [name, format, rowsRead])).toEqual([
      ['candles.zip/a.csv', 'csv.zip', 51],
      ['candles.zip/b.csv', 'csv.zip', 10],
      ['candles.zip/folder/a.csv', 'csv.zip', 10],
    ]);
  });

  describe('with more rows than a batch', () => {
    const entries = Array.from({ length: 10 }, (_, index): ZippedFile => {
      return {
        name: `${String(index)}.csv`,
        data: csv(Math.max(0, index * 10 - 1), index * 10 + 10),
      };
    });
    const bad: ZippedFile = { name: 'a.csv', data: `${csv(100, 102)}x,1,1,1,1,1\n` };

    async function importInto(
      folder: string,
      files: readonly ZippedFile[],
      batchRows?: number,
    ): Promise<ImportReport> {
      const path = join(folder, 'candles.zip');
      await writeFile(path, encodeZip(files));
      const series = { instrumentId: BTC, interval: '1min', volumeUnit: 'base' } as const;
      const archive = openArchive(join(folder, 'archive'));
      return importCandles(archive, { paths: [path], ...series, batchRows });
    }

    const filesIn = async (folder: string): Promise<readonly (readonly [string, string])[]> => {
      const names = await readdir(join(folder, 'archive'), { recursive: true });
      const files = names.filter((name) => /arrow|json/.test(name)).sort();
      return Promise.all(
        files.map(async (name) => [name, await readFile(join(folder, 'archive', name), 'base64')]),
      );
    };

    it.each([1, 35, 99])(
      'is stored with the same bytes as in one batch, %i rows at once',
      async (rows) => {
        const [whole, pieces] = [await temporaryFolder(), await temporaryFolder()];
        const wanted = await importInto(whole, entries);

        const report = await importInto(pieces, entries, rows);

        expect(report).toMatchObject({ info: wanted.info, files: wanted.files, added: 100 });
        expect(report.duplicates + report.repeatedAcross).toBe(wanted.repeatedAcross);
        expect(await filesIn(pieces)).toEqual(await filesIn(whole));
        expect(await readdir(join(pieces, 'archive'))).toEqual(['spot']);
      },
    );

    it('is added to the stored rows, or changes nothing if a row is bad', async () => {
      const folder = await temporaryFolder();
      await importInto(folder, [{ name: 'a.csv', data: csv(200, 210) }], 10);
      const before = await filesIn(folder);

      await expect(importInto(folder, [...entries, bad], 10)).rejects.toMatchObject({
        code: 'E_DATA_ROW',
        message: expect.stringContaining('candles.zip/a.csv row 4') as string,
      });
      expect(await filesIn(folder)).toEqual(before);
      expect(await readdir(join(folder, 'archive'))).toEqual(['spot']);

      expect(await importInto(folder, entries, 10)).toMatchObject({ info: { rows: 110, gaps: 1 } });
    });

    it('leaves no new folder after a failure', async () => {
      const folder = await temporaryFolder();
      await expect(importInto(folder, [...entries, bad], 10)).rejects.toThrow('row 4');
      expect(existsSync(join(folder, 'archive'))).toBe(false);
    });

    it('is refused with the path of the stored file if this file is damaged', async () => {
      const folder = await temporaryFolder();
      await importInto(folder, entries, 10);
      const stored = join(folder, 'archive/spot/BTCUSDT/1min.arrow');
      await writeFile(stored, 'cut short');

      await expect(importInto(folder, entries, 10)).rejects.toMatchObject({
        code: 'E_DATA_CORRUPT',
        message: expect.stringContaining(stored) as string,
      });
    });
  });

  /** A deflated megabyte. Any number of copies in a row are one deflate stream. */
  const megabyteOf = (text: string): Buffer =>
    deflateRawSync(Buffer.alloc(1 << 20, text), { finishFlush: constants.Z_FULL_FLUSH });
  const tenGigabytesOf = (text: string): Buffer =>
    Buffer.concat([
      deflateRawSync('time,open,high,low,close,volume\n', { finishFlush: constants.Z_FULL_FLUSH }),
      ...Array<Buffer>(10_240).fill(megabyteOf(text)),
      deflateRawSync(''),
    ]);
  const TEN_GIGABYTES = 10 * 1024 ** 3;
  const bomb = (text: string, size: number): ZippedFile => ({
    name: 'bomb.csv',
    packed: tenGigabytesOf(text),
    size: Math.min(size, 0xffffffff),
    ...(size > 0xffffffff && { extra: zip64Size(size) }),
  });
  const flipped = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const stored = encodeZip([{ ...FILE, method: 0 }]);

  it.each<[string, () => Uint8Array, string, string | RegExp]>([
    ['without a byte', () => Buffer.alloc(0), 'E_DATA_EMPTY', 'candles.zip is empty'],
    ['a signature alone', () => Buffer.from('PK\u0003\u0004'), 'E_DATA_CORRUPT', 'candles.zip'],
    ['cut in its file', () => WHOLE.subarray(0, 100), 'E_DATA_CORRUPT', 'truncated'],
    ['cut by a byte', () => WHOLE.subarray(0, -1), 'E_DATA_CORRUPT', 'truncated'],
    ['without its end', () => WHOLE.subarray(0, -22), 'E_DATA_CORRUPT', 'truncated'],
    [
      'with bytes behind it',
      () => Buffer.concat([WHOLE, Buffer.from('x')]),
      'E_DATA_CORRUPT',
      'damaged',
    ],
    [
      'without its start',
      () => Buffer.concat([WHOLE.subarray(0, 4), WHOLE.subarray(60)]),
      'E_DATA_CORRUPT',
      'damaged',
    ],
    [
      'of another checksum',
      () => encodeZip([{ ...FILE, checksum: 1 }]),
      'E_DATA_CORRUPT',
      /candles\.zip\/one\.csv: expected the checksum 00000001, received/,
    ],
    [
      'a bit of which is another',
      () => flipped(stored, stored.indexOf(',101,') + 3),
      'E_DATA_CORRUPT',
      'expected the checksum',
    ],
    [
      'a deflated bit of which is another',
      () => flipped(WHOLE, 60),
      'E_DATA_CORRUPT',
      'candles.zip/one.csv',
    ],
    [
      'that says it is shorter',
      () => encodeZip([{ ...FILE, size: 10 }]),
      'E_DATA_CORRUPT',
      'too many bytes',
    ],
    [
      'that says it is longer',
      () => encodeZip([{ ...FILE, size: 10_000 }]),
      'E_DATA_CORRUPT',
      'not enough bytes',
    ],
    [
      'stored in another size',
      () => encodeZip([{ ...FILE, method: 0, size: 10 }]),
      'E_DATA_CORRUPT',
      'size mismatch',
    ],
    [
      'packed beyond its end',
      () => encodeZip([{ ...FILE, packedSize: 1_000_000 }]),
      'E_DATA_CORRUPT',
      'overflows',
    ],
    [
      'with ..',
      () => encodeZip([{ ...FILE, name: '../../one.csv' }]),
      'E_DATA_CORRUPT',
      '../../one.csv',
    ],
    [
      'with .. inside',
      () => encodeZip([{ ...FILE, name: 'a/../../one.csv' }]),
      'E_DATA_CORRUPT',
      'one.csv',
    ],
    [
      'with .. and backslashes',
      () => encodeZip([{ ...FILE, name: '..\\one.csv' }]),
      'E_DATA_CORRUPT',
      'one.csv',
    ],
    [
      'of an absolute path',
      () => encodeZip([{ ...FILE, name: '/etc/one.csv' }]),
      'E_DATA_CORRUPT',
      'absolute path',
    ],
    [
      'of a drive',
      () => encodeZip([{ ...FILE, name: 'C:\\one.csv' }]),
      'E_DATA_CORRUPT',
      'absolute path',
    ],
    [
      'in another one',
      () => encodeZip([{ name: 'inner.zip', data: WHOLE }]),
      'E_DATA_FORMAT',
      'candles.zip/inner.zip: expected CSV in a ZIP archive, received another ZIP archive',
    ],
    [
      'of gzip',
      () => encodeZip([{ name: 'a.csv.gz', data: gzipSync(csv(0, 5)) }]),
      'E_DATA_FORMAT',
      'received gzip',
    ],
    [
      'of Feather',
      () => encodeZip([{ name: 'a.feather', data: 'ARROW1\0\0' }]),
      'E_DATA_FORMAT',
      'received Feather',
    ],
    [
      'of UTF-16',
      () => encodeZip([{ name: 'a.csv', data: Buffer.from([0xff, 0xfe, 65, 0]) }]),
      'E_DATA_FORMAT',
      'UTF-16',
    ],
    ['encrypted', () => encodeZip([{ ...FILE, flags: 1 }]), 'E_DATA_FORMAT', 'an encrypted one'],
    [
      'encrypted strongly',
      () => encodeZip([{ ...FILE, flags: 0x41 }]),
      'E_DATA_CORRUPT',
      'encryption',
    ],
    [
      'packed by another method',
      () => encodeZip([{ ...FILE, method: 14 }]),
      'E_DATA_FORMAT',
      'method 14',
    ],
    ['of several disks', () => encodeZip([FILE], { disk: 2 }), 'E_DATA_CORRUPT', 'multi-disk'],
    ['that counts more files', () => encodeZip([FILE], { count: 2 }), 'E_DATA_CORRUPT', 'damaged'],
    [
      'with its list elsewhere',
      () => encodeZip([FILE], { directoryOffset: 3 }),
      'E_DATA_CORRUPT',
      'central directory',
    ],
    [
      'with its file elsewhere',
      () => encodeZip([{ ...FILE, offset: 7 }]),
      'E_DATA_CORRUPT',
      'local file header',
    ],
    [
      'with its file behind its end',
      () => encodeZip([{ ...FILE, offset: 1_000_000 }]),
      'E_DATA_CORRUPT',
      'candles.zip/one.csv',
    ],
    [
      'with another head',
      () => encodeZip([{ ...FILE, localSignature: 1 }, FILE]),
      'E_DATA_FORMAT',
      'received other bytes',
    ],
    [
      'with a cut field',
      () => encodeZip([{ ...FILE, extra: Buffer.from([1, 0, 99, 0]) }]),
      'E_DATA_CORRUPT',
      'extra field',
    ],
    ['of nothing', () => encodeZip([]), 'E_DATA_EMPTY', 'candles.zip contains no file'],
    [
      'of a folder',
      () => encodeZip([{ name: 'a/', data: '' }]),
      'E_DATA_EMPTY',
      'candles.zip contains no file',
    ],
    [
      'of an empty file',
      () => encodeZip([{ name: 'a.csv', data: '' }]),
      'E_DATA_EMPTY',
      'candles.zip/a.csv is empty',
    ],
    [
      'of too many files',
      () => encodeZip([FILE], { count: 10_001 }),
      'E_DATA_FORMAT',
      'at most 10000 files',
    ],
    [
      'of which the second file is bad',
      () => encodeZip([FILE, { name: 'two.csv', data: `${csv(50, 52)}x,1,1,1,1,1\n` }]),
      'E_DATA_ROW',
      'candles.zip/two.csv row 4, column "time_ms"',
    ],
    [
      'of files that lie over each other',
      () =>
        encodeZip(
          Array<ZippedFile>(90).fill({
            ...FILE,
            packed: Buffer.alloc(0),
            size: 100_000_000,
            offset: 0,
          }),
        ),
      'E_DATA_FORMAT',
      'at most 8589934592 unpacked bytes',
    ],
    [
      'that unpacks to 10 GB and says so',
      () => encodeZip([bomb('\n', TEN_GIGABYTES)]),
      'E_DATA_FORMAT',
      'at most 8589934592 unpacked bytes',
    ],
    [
      'that unpacks to 10 GB and hides it',
      () => encodeZip([bomb('1', 100)]),
      'E_DATA_CORRUPT',
      'too many bytes',
    ],
    [
      'that unpacks to 10 GB of lines',
      () => encodeZip([bomb('\n', 4e9)]),
      'E_DATA_FORMAT',
      'at most 50000000 rows',
    ],
    [
      'that unpacks to one line of 10 GB',
      () => encodeZip([bomb('1', 4e9)]),
      'E_DATA_ROW',
      'at most 1048576 bytes in a row',
    ],
    [
      'that unpacks to 10 GB of zeros',
      () => encodeZip([bomb('\0', 4e9)]),
      'E_DATA_FORMAT',
      'received other bytes',
    ],
  ])('%s is refused, and nothing is stored', async (_what, bytes, code, message) => {
    const { error, isStored } = await importZip(bytes());

    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    expect(isStored).toBe(false);
  });
});
