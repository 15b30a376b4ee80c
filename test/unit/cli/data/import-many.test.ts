import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runDataCommand } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { encodeZip } from '../../../support/zip-files.js';

const SERIES = ['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', '1h'];
/** 2025-01-01T00:00:00Z */
const START = 1_735_689_600_000;
const csv = (from: number, to: number): string =>
  [
    'time_ms,open,high,low,close,volume',
    ...Array.from(
      { length: to - from },
      (_, index) => `${String(START + (from + index) * 3_600_000)},100,102,99,101,5`,
    ),
    '',
  ].join('\n');

/** Candles of ten hours in three files of two folders, and other files beside them. */
async function aFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'dumps/old'), { recursive: true });
  const zip = encodeZip([
    { name: 'a.csv', data: csv(0, 2) },
    { name: 'b.csv', data: csv(2, 4) },
  ]);
  await writeFile(join(folder, 'dumps/old/BTC-1h-1.zip'), zip);
  await writeFile(join(folder, 'dumps/BTC-1h-2.csv'), csv(4, 7));
  await writeFile(join(folder, 'dumps/BTC-1h-3.csv.gz'), gzipSync(csv(7, 10)));
  await writeFile(join(folder, 'dumps/BTC-1h-3.csv.gz.CHECKSUM'), 'no candles');
  return folder;
}

describe('data import of many files', () => {
  it.each([
    [['dumps/**/BTC-1h-?.*'], 'BTC-1h-3.csv.gz.CHECKSUM'],
    [['nowhere/*.csv'], 'no file matches nowhere/*.csv (E_USAGE)'],
    [['dumps/old/*.csv'], 'no file matches dumps/old/*.csv (E_USAGE)'],
    [
      ['empty'],
      'empty holds no file that can be imported: .csv, .gz, .zip, .feather, .arrow, .parquet, .txt, .tsv (E_USAGE)',
    ],
  ])('refuses %j', async (files, message) => {
    const folder = await aFolder();
    await mkdir(join(folder, 'empty'));

    const run = await runDataCommand(folder, ['import', ...files, ...SERIES]);

    expect(run.stderr).toContain(message);
    expect(run.exitCode).not.toBe(0);
  });

  it.each([
    ['names', ['dumps/old/BTC-1h-1.zip', 'dumps/BTC-1h-2.csv', 'dumps/BTC-1h-3.csv.gz']],
    ['patterns', ['dumps/*/BTC-1h-?.zip', 'dumps/*.csv', 'dumps/**/*.gz']],
    ['folders', ['dumps/old', 'dumps', 'dumps']],
  ])('reads files given as %s', async (_what, files) => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, ['import', ...files, ...SERIES]);

    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'imported 4 files (zipped CSV and CSV and gzipped CSV, times in milliseconds)',
        '  10 rows: 10 added',
        '  spot:BTCUSDT 1h: 10 rows from 2025-01-01T00:00:00Z to 2025-01-01T10:00:00Z, no gaps',
        '',
      ].join('\n'),
    });
  });

  it('reports each file with its rows as JSON', async () => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, ['import', 'dumps', ...SERIES, '--json']);

    expect(JSON.parse(run.stdout)).toMatchObject({
      files: [
        { file: 'BTC-1h-2.csv', format: 'csv', rowsRead: 3 },
        { file: 'BTC-1h-3.csv.gz', format: 'csv.gz', rowsRead: 3 },
      ],
      continued: 0,
      added: 6,
      stored: { instrument: 'spot:BTCUSDT', rows: 6 },
    });
  });

  it('shows the file that is being read', async () => {
    const folder = await aFolder();
    const shown: string[] = [];
    const stderr = {
      isTerminal: true,
      columns: undefined,
      write: (text: string) => shown.push(text),
    };

    await runDataCommand(folder, ['import', 'dumps', ...SERIES], { stderr });

    expect(shown.join('')).toContain('reading 1 of 2, BTC-1h-2.csv');
  });

  it('rejects several files of records', async () => {
    const folder = await aFolder();
    const series = ['--product', 'spot', '--symbol', 'BTCUSDT', '--kind', 'rules'];

    const run = await runDataCommand(folder, ['import', 'a.json', 'b.json', ...series]);

    expect(run.stderr).toContain('--kind rules takes one file, received 2 (E_USAGE)');
  });
});
