import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  importCandles,
  openArchive,
  type Archive,
  type FileReport,
  type ImportOptions,
  type ImportReport,
} from '../../../src/archive/index.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { rowsOf, type PlainColumns } from '../../support/candle-columns.js';
import { writeGzip, writeText } from '../../support/candle-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
const MINUTE = 60_000;
/** 2025-01-01T00:00:00Z */
const START = 1_735_689_600_000;
const HEADER = 'time_ms,open,high,low,close,volume';
const row = (minute: number, close = 101): string =>
  `${String(START + minute * MINUTE)},100,102,99,${String(close)},5`;
const csv = (...rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`;

interface Import {
  readonly folder: string;
  readonly archive: Archive;
  run(path: string, overrides?: Partial<ImportOptions>): Promise<ImportReport & FileReport>;
}

async function anImport(): Promise<Import> {
  const folder = await temporaryFolder();
  const archive = openArchive(join(folder, 'archive'));
  return {
    folder,
    archive,
    run: async (path, overrides = {}) => {
      const report = await importCandles(archive, {
        paths: [path],
        instrumentId: BTC,
        interval: '1min',
        volumeUnit: 'base',
        ...overrides,
      });
      const [file] = report.files;
      if (file === undefined) throw new Error('nothing is said of the file');
      return { ...report, ...file };
    },
  };
}

/** Imports one text and returns the stored rows. */
async function importText(
  text: string,
  overrides: Partial<ImportOptions> = {},
): Promise<PlainColumns> {
  const { folder, archive, run } = await anImport();
  await run(await writeText(folder, 'candles.csv', text), overrides);
  return rowsOf(await archive.read(BTC, overrides.interval ?? '1min'));
}

async function refusalOf(text: string, overrides: Partial<ImportOptions> = {}): Promise<unknown> {
  return importText(text, overrides).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const TWO_ROWS = {
  openTime: [START, START + MINUTE],
  open: [100, 100],
  high: [102, 102],
  low: [99, 99],
  close: [101, 101],
  volume: [5, 5],
};

describe('importCandles', () => {
  it('reports read, added, repeated and unordered rows, and gaps', async () => {
    const { folder, run } = await anImport();
    const path = await writeText(
      folder,
      'candles.csv',
      csv(row(0), row(1), row(1), '', row(9), row(5)),
    );

    const report = await run(path);

    expect(report).toMatchObject({
      format: 'csv',
      timeFormat: 'milliseconds',
      rowsRead: 5,
      added: 4,
      duplicates: 0,
      replaced: 0,
      repeated: 1,
      unordered: 1,
      refused: { count: 0, examples: [] },
      info: { rows: 4, gaps: 2, missing: 6, sources: ['candles.csv'] }, // minutes 2-4 and 6-8
    });
  });

  it('counts rows that are already stored', async () => {
    const { folder, run } = await anImport();
    const path = await writeText(folder, 'candles.csv', csv(row(0), row(1)));
    await run(path);

    const report = await run(path);

    expect(report).toMatchObject({ added: 0, duplicates: 2 });
  });

  it('recognizes gzip by content, not by name', async () => {
    const { folder, archive, run } = await anImport();
    const path = await writeGzip(folder, 'candles.csv', csv(row(0), row(1)));

    const report = await run(path);

    expect(report.format).toBe('csv.gz');
    expect(rowsOf(await archive.read(BTC, '1min'))).toEqual(TWO_ROWS);
  });

  it.each([
    ['time_ms,open,high,low,close,volume', ','],
    ['Timestamp,Open,High,Low,Close,Volume', ','],
    ['date;o;h;l;c;v', ';'],
    ['Open Time\tOpen\tHigh\tLow\tClose\tVol', '\t'],
    ['idx|open_price|high_price|low_price|close_price|volume', '|'],
    ['\uFEFF"open_time","open","high","low","close","volume"', ','],
    [',open,high,low,close,volume', ','],
  ])('recognizes the header %s', async (header, delimiter) => {
    const lines = [row(0), row(1)].map((line) => line.replaceAll(',', delimiter));

    expect(await importText([header, ...lines, ''].join('\n'))).toEqual(TWO_ROWS);
  });

  it('finds the columns in any order among other columns', async () => {
    const text = `symbol,close,volume,low,high,open,time\nX,101,5,99,102,100,${String(START)}\n`;

    expect(await importText(text)).toEqual({
      openTime: [START],
      open: [100],
      high: [102],
      low: [99],
      close: [101],
      volume: [5],
    });
  });

  it('uses the first of several time columns', async () => {
    const text = `unix,date,open,high,low,close,volume\n${String(START)},2020-05-05 00:00:00,100,102,99,101,5\n`;

    expect((await importText(text)).openTime).toEqual([START]);
  });

  it('reads twelve columns without a header', async () => {
    const dump = (minute: number): string =>
      `${row(minute)},${String(START + (minute + 1) * MINUTE - 1)},505,7,2.5,252.5,0`;

    expect(await importText(`${dump(0)}\n${dump(1)}\n`)).toEqual(TWO_ROWS);
  });

  it('uses given column names for a file without a header, or in place of its header', async () => {
    const lines = `${String(START)},100,101,102,99,x,5\n`;
    const columns = ['time', 'open', 'close', 'high', 'low', '-', 'volume'];

    const without = await importText(lines, { columns });
    const inPlace = await importText(`a,b,c,d,e,f,g\n${lines}`, { columns });

    expect(without).toMatchObject({ high: [102], low: [99], close: [101], volume: [5] });
    expect(inPlace).toEqual(without);
  });

  it.each([
    ['seconds', '1735689600'],
    ['seconds with decimals', '1735689600.0'],
    ['milliseconds', '1735689600000'],
    ['microseconds', '1735689600000000'],
    ['nanoseconds', '1735689600000000000'],
    ['ISO with Z', '2025-01-01T00:00:00Z'],
    ['ISO with a space and microseconds', '2025-01-01 00:00:00.000000+00:00'],
    ['ISO in another zone', '2025-01-01T02:00:00+02:00'],
    ['ISO without colon in the zone', '2025-01-01T00:00:00+0000'],
    ['ISO with UTC', '2025-01-01 00:00:00UTC'],
    ['a date', '2025-01-01'],
    ['a time between spaces', ' 2025-01-01 '],
  ])('reads times as %s', async (_, time) => {
    expect((await importText(`${HEADER}\n${time},100,102,99,101,5\n`)).openTime).toEqual([START]);
  });

  it('reads times without a zone as UTC only with assumeUtc', async () => {
    const text = `${HEADER}\n2025-01-01 00:00:00,100,102,99,101,5\n`;

    expect(await refusalOf(text)).toMatchObject({
      code: 'E_DATA_ROW',
      message: expect.stringContaining('expected a time with a zone') as string,
    });
    expect((await importText(text, { assumeUtc: true })).openTime).toEqual([START]);
  });

  it.each(['2024-02-30', '2025-02-29 00:00:00Z', '2025-04-31T02:00:00+02:00'])(
    'refuses the day of %s, which does not exist',
    async (time) => {
      const text = `${HEADER}\n${time},100,102,99,101,5\n`;

      expect(await refusalOf(text)).toMatchObject({
        code: 'E_DATA_ROW',
        message: expect.stringContaining(`received "${time}"`) as string,
      });
    },
  );

  it('reads numbers with exponents and spaces', async () => {
    const text = `${HEADER}\n${String(START)}, 1e2 ,1.02E+2,99.,101,2.9e-7\n`;

    expect(await importText(text)).toMatchObject({ open: [100], high: [102], volume: [2.9e-7] });
  });

  it('reads lines that end in CR LF, and a last line without end', async () => {
    expect(await importText(csv(row(0), row(1)).trim().replaceAll('\n', '\r\n'))).toEqual(TWO_ROWS);
  });
});

describe('a bad row', () => {
  const good = row(0);
  const time = String(START + MINUTE);

  it.each([
    [`${time},100,102,99,,5`, 'row 3, column "close": expected a number, received ""'],
    [`${time},100,abc,99,101,5`, 'row 3, column "high": expected a number, received "abc"'],
    [`${time},0x10,102,99,101,5`, 'row 3, column "open": expected a number, received "0x10"'],
    [`${time},100,102,99,101`, 'row 3, expected at least 6 cells, received 5'],
    [`soon,100,102,99,101,5`, 'row 3, column "time_ms": expected a time in seconds'],
    [`1735689660,100,102,99,101,5`, 'expected a time in milliseconds as in the previous rows'],
    [`${time},100,102,99,Infinity,5`, 'row 3: expected a finite close above 0, received Infinity'],
    [`${time},100,102,0,101,5`, 'row 3: expected a finite low above 0, received 0'],
    [`${time},100,102,99,101,-1`, 'row 3: expected a finite volume of 0 or more, received -1'],
    [`${time},100,98,99,101,5`, 'row 3: expected high ≥ low, received high 98 and low 99'],
    [`${time},103,102,99,101,5`, 'row 3: expected open between low 99 and high 102, received 103'],
    [`${time},100,102,99,98,5`, 'row 3: expected close between low 99 and high 102, received 98'],
    [
      `${String(START + 1)},100,102,99,101,5`,
      'row 3: expected a time at the start of a candle of 1min',
    ],
    [`${String(START)},100,102,99,100,5`, 'row 3: row 2 has the same time and other values'],
  ])('%s stops the import and is reported', async (bad, message) => {
    const { folder, archive, run } = await anImport();
    const path = await writeText(folder, 'candles.csv', csv(good, bad, row(2)));

    await expect(run(path)).rejects.toMatchObject({
      code: 'E_DATA_ROW',
      message: expect.stringContaining(message) as string,
    });
    await expect(run(path)).rejects.toThrow(path);
    await expect(archive.list()).rejects.toMatchObject({ code: 'E_DATA_ARCHIVE' });
  });

  it('is left out and counted with skipBad', async () => {
    const { folder, archive, run } = await anImport();
    const bad = [`${time},100,102,99,,5`, `${String(START + 2 * MINUTE)},100,98,99,101,5`];
    const path = await writeText(folder, 'candles.csv', csv(good, ...bad, row(3)));

    const report = await run(path, { skipBad: true });

    expect(report).toMatchObject({
      rowsRead: 4,
      added: 2,
      refused: {
        count: 2,
        examples: [
          { row: 3, reason: 'column "close": expected a number, received ""' },
          { row: 4, reason: 'expected high ≥ low, received high 98 and low 99' },
        ],
      },
    });
    expect((await archive.read(BTC, '1min')).openTime).toHaveLength(2);
  });
});

describe('importCandles of an unusable file', () => {
  it.each([
    ['', 'E_DATA_EMPTY', 'candles.csv is empty'],
    [`${HEADER}\n`, 'E_DATA_EMPTY', 'contains no rows'],
    ['\n\n', 'E_DATA_EMPTY', 'contains no rows'],
    [`time,open,high,low,close\n${row(0)}\n`, 'E_DATA_COLUMN', 'expected a column for volume'],
    [`time,open,Open,high,low,close,volume\n`, 'E_DATA_COLUMN', 'received "open" twice'],
    [`${row(0)}\n`, 'E_DATA_COLUMN', 'row 1: expected a header, or 12 columns without a header'],
    [`${HEADER}\n"1,2\n`, 'E_DATA_ROW', 'expected CSV'],
    ['FEA1....', 'E_DATA_FORMAT', 'Feather version 1; save it again with to_feather'],
    ['BZh9....', 'E_DATA_FORMAT', 'bzip2; unpack it, or pack it again with gzip'],
    ['abc\u0000def', 'E_DATA_FORMAT', 'received other bytes'],
    ['ARROW1..', 'E_DATA_CORRUPT', 'the Arrow file is damaged or truncated'],
    ['PAR1....', 'E_DATA_CORRUPT', 'the Parquet file is damaged or truncated'],
  ])('refuses %j with %s', async (text, code, message) => {
    expect(await refusalOf(text)).toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  it('refuses a missing file and a folder', async () => {
    const { folder, run } = await anImport();

    await expect(run(join(folder, 'none.csv'))).rejects.toMatchObject({
      code: 'E_DATA_READ',
      message: expect.stringMatching(/cannot read .*none\.csv: no such file or folder/) as string,
    });
    await expect(run(folder)).rejects.toMatchObject({ code: 'E_DATA_READ' });
  });

  it('refuses truncated gzip data', async () => {
    const { folder, run } = await anImport();
    const rows = Array.from({ length: 5_000 }, (_, minute) => row(minute));
    const path = await writeGzip(folder, 'candles.csv.gz', csv(...rows));
    await truncate(path, (await readFile(path)).byteLength - 100);

    await expect(run(path)).rejects.toMatchObject({
      code: 'E_DATA_CORRUPT',
      message: expect.stringContaining('the gzip data is damaged or truncated') as string,
    });
  });

  it('refuses candles of another interval, and names this interval', async () => {
    const hours = [0, 60, 120, 180, 240].map((minute) => row(minute));

    expect(await refusalOf(csv(...hours))).toMatchObject({
      code: 'E_DATA_INTERVAL',
      message: expect.stringContaining('pass --interval 1h') as string,
    });
  });

  it('refuses milliseconds of before 1973, which it would read as seconds', async () => {
    const lines = [0, 1, 2, 3, 4].map((minute) => `${String(minute * 60_000)},100,102,99,101,5`);

    expect(await refusalOf(csv(...lines))).toMatchObject({
      code: 'E_DATA_INTERVAL',
      message: expect.stringContaining(
        'expected candles 1min apart, received times in seconds that are 1000 times as far apart; a number below 100000000000 is read as seconds: write such times as ISO 8601',
      ) as string,
    });
  });

  it('stores nothing when interrupted', async () => {
    const { folder, run } = await anImport();
    const rows = Array.from({ length: 60_000 }, (_, minute) => row(minute));
    const path = await writeGzip(folder, 'candles.csv.gz', csv(...rows));
    const stop = new AbortController();

    const interrupted = run(path, {
      signal: stop.signal,
      onProgress: () => {
        stop.abort(new Error('Ctrl-C'));
      },
    });

    await expect(interrupted).rejects.toThrow('Ctrl-C');
    expect(await readdir(folder)).toEqual(['candles.csv.gz']);
  });

  it('refuses a gzipped Arrow file', async () => {
    const { folder, run } = await anImport();
    const path = join(folder, 'candles.feather.gz');
    await writeFile(path, gzipSync('ARROW1\u0000\u0000'));

    await expect(run(path)).rejects.toMatchObject({ code: 'E_DATA_FORMAT' });
  });
});
