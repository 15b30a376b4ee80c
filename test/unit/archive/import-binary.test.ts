import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as arrow from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { importCandles, openArchive, type ImportReport } from '../../../src/archive/index.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { rowsOf, type PlainColumns } from '../../support/candle-columns.js';
import { encodeFeather } from '../../support/candle-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
const MINUTE = 60_000;
const START = Date.UTC(2025, 0, 1);
const ROWS = 3_000;
const TIMES = Array.from({ length: ROWS }, (_, minute) => START + minute * MINUTE);
const NUMBERS = {
  open: TIMES.map((_, minute) => 100 + minute),
  high: TIMES.map((_, minute) => 102.5 + minute),
  low: TIMES.map((_, minute) => 99.25 + minute),
  close: TIMES.map((_, minute) => 101 + minute),
  volume: TIMES.map((_, minute) => minute / 7),
};
const EXPECTED = { openTime: TIMES, ...NUMBERS };

interface Imported {
  readonly report: ImportReport;
  readonly rows: PlainColumns;
}

async function importBytes(bytes: Uint8Array): Promise<Imported> {
  const folder = await temporaryFolder();
  const path = join(folder, 'candles.bin');
  await writeFile(path, bytes);
  const archive = openArchive(join(folder, 'archive'));
  const report = await importCandles(archive, {
    paths: [path],
    instrumentId: BTC,
    interval: '1min',
    volumeUnit: 'base',
  });
  return { report, rows: rowsOf(await archive.read(BTC, '1min')) };
}

const float64 = (values: readonly number[]): arrow.Vector =>
  arrow.vectorFromArray([...values], new arrow.Float64());

/** A column of int64 values with a timestamp type. */
function timestamps(type: arrow.Timestamp, perMs: (ms: bigint) => bigint): arrow.Vector {
  const data = BigInt64Array.from(TIMES, (time) => perMs(BigInt(time)));
  return new arrow.Vector([arrow.makeData({ type, length: data.length, nullCount: 0, data })]);
}

const feather = (time: arrow.Vector, overrides: Record<string, arrow.Vector> = {}): Uint8Array =>
  encodeFeather({
    date: time,
    open: float64(NUMBERS.open),
    high: float64(NUMBERS.high),
    low: float64(NUMBERS.low),
    close: float64(NUMBERS.close),
    volume: float64(NUMBERS.volume),
    ...overrides,
  });

const MILLISECONDS = timestamps(new arrow.TimestampMillisecond('UTC'), (ms) => ms);

describe('Feather files', () => {
  it.each([
    ['timestamp[s]', timestamps(new arrow.TimestampSecond('UTC'), (ms) => ms / 1_000n)],
    ['timestamp[ms]', MILLISECONDS],
    ['timestamp[us]', timestamps(new arrow.TimestampMicrosecond('UTC'), (ms) => ms * 1_000n)],
    ['timestamp[ns]', timestamps(new arrow.TimestampNanosecond('UTC'), (ms) => ms * 1_000_000n)],
    [
      'timestamp[us] without zone',
      timestamps(new arrow.TimestampMicrosecond(), (ms) => ms * 1_000n),
    ],
    ['int64 milliseconds', arrow.vectorFromArray(TIMES.map(BigInt), new arrow.Int64())],
    ['float64 seconds', float64(TIMES.map((time) => time / 1_000))],
    [
      'text',
      arrow.vectorFromArray(
        TIMES.map((time) => new Date(time).toISOString()),
        new arrow.Utf8(),
      ),
    ],
  ])('with LZ4 and times as %s are read', async (_, time) => {
    const { report, rows } = await importBytes(feather(time));

    expect(report.files[0]?.format).toBe('feather');
    expect(rows).toEqual(EXPECTED);
  });

  it('without compression, and of several batches, are read', async () => {
    const half = (from: number, to: number): arrow.RecordBatch => {
      const whole = arrow.tableFromIPC(feather(MILLISECONDS));
      return (whole.slice(from, to).batches[0] as arrow.RecordBatch).slice();
    };
    const writer = new arrow.RecordBatchFileWriter();
    writer.write(half(0, 1_000));
    writer.write(half(1_000, ROWS));
    writer.finish();

    const { rows } = await importBytes(await writer.toUint8Array());

    expect(rows).toEqual(EXPECTED);
  });

  it('are refused if they unpack to far more than their size', async () => {
    // 96 MB of zeros in some 400 kB.
    const zeros = new arrow.Vector([
      arrow.makeData({ type: new arrow.Float64(), data: new Float64Array(12_000_000) }),
    ]);

    await expect(importBytes(encodeFeather({ date: zeros }))).rejects.toMatchObject({
      code: 'E_DATA_FORMAT',
      message: expect.stringContaining('may be a decompression bomb') as string,
    });
  });

  it('in the stream format are read', async () => {
    const stream = arrow.tableToIPC(arrow.tableFromIPC(feather(MILLISECONDS)), 'stream');

    const { rows } = await importBytes(stream);

    expect(rows).toEqual(EXPECTED);
  });

  it('with int64 and float32 columns are read', async () => {
    const { rows } = await importBytes(
      feather(MILLISECONDS, {
        open: arrow.vectorFromArray(NUMBERS.open.map(BigInt), new arrow.Int64()),
        low: arrow.vectorFromArray(NUMBERS.low, new arrow.Float32()), // quarters: exact in float32
        high: arrow.vectorFromArray(NUMBERS.high, new arrow.Float32()),
      }),
    );

    expect(rows).toEqual(EXPECTED);
  });

  it('are refused with the row and column of an empty cell', async () => {
    const volume = arrow.vectorFromArray(
      NUMBERS.volume.map((value, index) => (index === 6 ? null : value)),
      new arrow.Float64(),
    );

    await expect(importBytes(feather(MILLISECONDS, { volume }))).rejects.toMatchObject({
      code: 'E_DATA_ROW',
      message: expect.stringContaining(
        'row 7, column "volume": expected a number, received nothing',
      ) as string,
    });
  });

  it('are refused with the type of a column that holds no numbers', async () => {
    const volume = arrow.vectorFromArray(
      TIMES.map(() => true),
      new arrow.Bool(),
    );

    await expect(importBytes(feather(MILLISECONDS, { volume }))).rejects.toThrow(
      'row 1, column "volume": expected a number, received a value of type Bool',
    );
  });

  it('are refused if truncated', async () => {
    const bytes = feather(MILLISECONDS);

    await expect(importBytes(bytes.subarray(0, bytes.byteLength / 2))).rejects.toMatchObject({
      code: 'E_DATA_CORRUPT',
    });
  });

  it('are refused with ZSTD compression, with advice to save them again', async () => {
    arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, {
      // The writer only checks for a frame with its magic number.
      encode: () => Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0]),
    });
    const writer = new arrow.RecordBatchFileWriter({ compressionType: arrow.CompressionType.ZSTD });
    writer.write(arrow.tableFromIPC(feather(MILLISECONDS)));
    writer.finish();
    const bytes = writer.toUint8Array(true);
    Reflect.deleteProperty(
      Reflect.get(arrow.compressionRegistry, 'registry') as object,
      arrow.CompressionType.ZSTD,
    );

    await expect(importBytes(bytes)).rejects.toMatchObject({
      code: 'E_DATA_FORMAT',
      message: expect.stringMatching(/candles\.bin: .*compression="lz4"/) as string,
    });
  });
});

describe('Parquet files', () => {
  const parquet = (options: Partial<Parameters<typeof parquetWriteBuffer>[0]> = {}): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'date', data: TIMES.map((time) => new Date(time)), type: 'TIMESTAMP' },
          ...Object.entries(NUMBERS).map(([name, data]) => ({
            name,
            data,
            type: 'DOUBLE' as const,
          })),
        ],
        rowGroupSize: 1_000,
        ...options,
      }),
    );

  it('of several row groups are read', async () => {
    const { report, rows } = await importBytes(parquet());

    expect(report.files[0]?.format).toBe('parquet');
    expect(rows).toEqual(EXPECTED);
  });

  it('with gzip and times as int64 are read', async () => {
    const columnData = [
      { name: 'time', data: TIMES.map(BigInt), type: 'INT64' as const },
      ...Object.entries(NUMBERS).map(([name, data]) => ({ name, data, type: 'DOUBLE' as const })),
    ];

    const { rows } = await importBytes(
      parquet({ columnData, codec: 'GZIP', compressors: { GZIP: (bytes) => gzipSync(bytes) } }),
    );

    expect(rows).toEqual(EXPECTED);
  });

  it('are refused if a page unpacks to more than its stated size', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2));

    await expect(
      importBytes(parquet({ codec: 'GZIP', compressors: { GZIP: () => bomb } })),
    ).rejects.toMatchObject({ code: 'E_DATA_CORRUPT' });
  });

  it('are refused with the row and column of an empty cell', async () => {
    const low = NUMBERS.low.map((value, index) => (index === 1_500 ? null : value));
    const columnData = [
      { name: 'time', data: TIMES.map(BigInt), type: 'INT64' as const },
      ...Object.entries({ ...NUMBERS, low }).map(([name, data]) => ({
        name,
        data,
        type: 'DOUBLE' as const,
      })),
    ];

    await expect(importBytes(parquet({ columnData }))).rejects.toThrow(
      'row 1501, column "low": expected a number, received nothing',
    );
  });

  it('are refused with another compression, with advice to save them again', async () => {
    const bytes = parquet({ codec: 'ZSTD', compressors: { ZSTD: (page) => page } });

    await expect(importBytes(bytes)).rejects.toMatchObject({
      code: 'E_DATA_FORMAT',
      message: expect.stringContaining('received ZSTD; save it again') as string,
    });
  });

  it('are refused if truncated', async () => {
    const bytes = parquet();

    await expect(importBytes(bytes.subarray(0, 5_000))).rejects.toMatchObject({
      code: 'E_DATA_CORRUPT',
    });
  });
});

it('importCandles leaves the imported file unchanged', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'candles.feather');
  const bytes = feather(MILLISECONDS);
  await writeFile(path, bytes);
  const archive = openArchive(folder);

  await importCandles(archive, {
    paths: [path],
    instrumentId: BTC,
    interval: '1min',
    volumeUnit: 'base',
  });

  expect((await readFile(path)).equals(bytes)).toBe(true);
});
