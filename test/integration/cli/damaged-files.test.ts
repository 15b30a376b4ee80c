import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as arrow from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { importCandles, openArchive, type ImportReport } from '../../../src/archive/index.js';
import { readInThread } from '../../../src/cli/data/read-in-thread.js';
import { parseInstrumentId } from '../../../src/domain/index.js';
import { encodeFeather } from '../../support/candle-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The thread runs compiled code: `npm test` compiles before it tests. */
const entry = pathToFileURL(path.resolve('dist/cli/data/read-file.thread.js'));

const ROWS = 40;
const TIMES = Array.from({ length: ROWS }, (_, minute) =>
  BigInt(Date.UTC(2025, 0, 1) + minute * 60_000),
);
const NUMBERS = Object.entries({ open: 100, high: 102, low: 99, close: 101, volume: 5 });
const repeat = (value: number): number[] => TIMES.map(() => value);

const FILES = {
  feather: encodeFeather({
    time: arrow.vectorFromArray(TIMES, new arrow.Int64()),
    ...Object.fromEntries(
      NUMBERS.map(([name, value]) => [
        name,
        arrow.vectorFromArray(repeat(value), new arrow.Float64()),
      ]),
    ),
  }),
  parquet: new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'time', data: TIMES, type: 'INT64' },
        ...NUMBERS.map(([name, value]) => ({
          name,
          data: repeat(value),
          type: 'DOUBLE' as const,
        })),
      ],
    }),
  ),
};

interface Reading {
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Called after the thread has received its request. */
  readonly onStart?: () => void;
}

async function importBytes(
  folder: string,
  bytes: Uint8Array,
  { limitMs, signal, onStart }: Reading = {},
): Promise<ImportReport> {
  const file = path.join(folder, 'candles.bin');
  await writeFile(file, bytes);
  return importCandles(openArchive(path.join(folder, 'archive')), {
    paths: [file],
    instrumentId: parseInstrumentId('spot:BTCUSDT'),
    interval: '1min',
    volumeUnit: 'base',
    signal,
    readBinary: (request) => {
      const reading = readInThread(request, { signal, limitMs, entry });
      onStart?.();
      return reading;
    },
  });
}

/** A copy with one bit flipped. */
function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

/** Flipped bits that make the libraries loop forever. A trial of every bit found them. */
const ENDLESS = [
  ['feather', 311, 4],
  ['feather', 890, 6],
  ['parquet', 13, 4],
  ['parquet', 308, 2],
  ['parquet', 512, 2],
] as const;

describe('a data import in a thread', () => {
  it.each(['feather', 'parquet'] as const)('adds the rows of %s', async (format) => {
    const report = await importBytes(await temporaryFolder(), FILES[format]);

    expect(report).toMatchObject({ added: ROWS, files: [{ format, refused: { count: 0 } }] });
  });

  // All of these wait for the limit in parallel.
  it.concurrent.each(ENDLESS)(
    'ends at the time limit if %s loops forever: byte %i, bit %i',
    async (format, at, bit) => {
      const folder = await temporaryFolder();
      const damaged = flipped(FILES[format], at, bit);

      const failure = importBytes(folder, damaged, { limitMs: 1_500 });

      await expect(failure).rejects.toMatchObject({
        code: 'E_DATA_CORRUPT',
        message: `${path.join(folder, 'candles.bin')}: reading it did not end within 1.5 s: the file is damaged; if it is not, convert it to CSV`,
      });
    },
  );

  it.each(['feather', 'parquet'] as const)('reports a truncated %s file', async (format) => {
    const bytes = FILES[format];
    const folder = await temporaryFolder();

    const failure = importBytes(folder, bytes.subarray(0, bytes.byteLength / 2));

    await expect(failure).rejects.toMatchObject({
      code: 'E_DATA_CORRUPT',
      message: expect.stringContaining(`${path.join(folder, 'candles.bin')}: the `) as string,
    });
  });

  it('is used by the program', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'candles.parquet'), FILES.parquet);
    const series = ['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', '1min'];
    const args = [path.resolve('dist/cli/main.js'), 'data', 'import', 'candles.parquet', ...series];

    const run = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toContain('40 rows: 40 added');
  });

  it('can be interrupted while a library loops', async () => {
    const abort = new AbortController();
    const folder = await temporaryFolder();

    const importing = importBytes(folder, flipped(FILES.parquet, 13, 4), {
      signal: abort.signal,
      limitMs: 60_000,
      onStart: () => setImmediate(() => abort.abort(new Error('stopped by the user'))),
    });

    await expect(importing).rejects.toThrow('stopped by the user');
  });
});
