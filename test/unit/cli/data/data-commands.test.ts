import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/archive/index.js';
import { parseInstrumentId } from '../../../../src/domain/index.js';
import { columnsFrom, columnsOf } from '../../../support/candle-columns.js';
import { writeText } from '../../../support/candle-files.js';
import { runDataCommand, type DataCommandRun } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
const HOUR = 3_600_000;
/** 2025-01-01T00:00:00Z */
const START = 1_735_689_600_000;
const SERIES = ['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', '1h'];
const HEADER = 'time_ms,open,high,low,close,volume';
const row = (hour: number): string => `${String(START + hour * HOUR)},100,102,99,101,5`;
const CANDLES = [HEADER, row(0), row(1), row(3), ''].join('\n');

/** A folder with candles.csv and an archive `data` that holds hours 0, 1 and 3. */
async function aFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await writeText(folder, 'candles.csv', CANDLES);
  await runDataCommand(folder, ['import', 'candles.csv', ...SERIES]);
  return folder;
}

const jsonOf = ({ stdout }: DataCommandRun): unknown => JSON.parse(stdout);

describe('data import', () => {
  it.skipIf(process.platform !== 'linux')(
    'fails if the folder of the archive cannot be created',
    async () => {
      const folder = await aFolder();

      const run = await runDataCommand(folder, [
        'import',
        'candles.csv',
        ...SERIES,
        '--archive',
        '/proc/nowhere/data',
      ]);

      expect(run).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          'cannot write /proc/nowhere/data/spot/BTCUSDT/1h.arrow: no such file or folder (E_DATA_WRITE)\n',
      });
    },
  );

  it('reports the added, repeated and unordered rows, and the stored series', async () => {
    const folder = await temporaryFolder();
    await writeText(folder, 'candles.csv', `${CANDLES}${row(1)}\n`);

    const run = await runDataCommand(folder, ['import', 'candles.csv', ...SERIES]);

    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'imported candles.csv (CSV, times in milliseconds)',
        '  4 rows: 3 added, 1 repeated in the file',
        '  1 was out of order',
        '  spot:BTCUSDT 1h: 3 rows from 2025-01-01T00:00:00Z to 2025-01-01T04:00:00Z, 1 gap with 1 candle missing',
        '',
      ].join('\n'),
    });
  });

  it('counts one row as one row', async () => {
    const folder = await temporaryFolder();
    await writeText(folder, 'candles.csv', `${HEADER}\n${row(0)}\n`);

    const run = await runDataCommand(folder, ['import', 'candles.csv', ...SERIES]);

    expect(run.stdout).toContain('  1 row: 1 added\n');
  });

  it('reads --interval 1m as 1min', async () => {
    const folder = await temporaryFolder();
    await writeText(folder, 'BTCUSDT-1m.csv', CANDLES);
    const series = ['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', '1m'];

    const run = await runDataCommand(folder, ['import', 'BTCUSDT-1m.csv', ...series]);

    expect(run.stdout).toContain('  spot:BTCUSDT 1min: 3 rows from 2025-01-01T00:00:00Z');
  });

  it.each(['1M', '7m'])('rejects --interval %s', async (interval) => {
    const folder = await temporaryFolder();
    await writeText(folder, 'candles.csv', CANDLES);
    const series = ['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', interval];

    const run = await runDataCommand(folder, ['import', 'candles.csv', ...series]);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`received "${interval}"`);
  });

  it('prints JSON in place of the text with --json -, and writes it to a file with --json FILE', async () => {
    const folder = await aFolder();

    const printed = await runDataCommand(folder, [
      'import',
      'candles.csv',
      ...SERIES,
      '--json',
      '-',
    ]);
    const written = await runDataCommand(folder, [
      'import',
      'candles.csv',
      ...SERIES,
      '--json',
      'r.json',
    ]);

    expect(jsonOf(printed)).toMatchObject({
      file: 'candles.csv',
      format: 'csv',
      rowsRead: 3,
      added: 0,
      duplicates: 3,
      stored: { instrument: 'spot:BTCUSDT', interval: '1h', rows: 3, gaps: 1, missing: 1 },
    });
    expect(written.stdout).toContain('3 rows: 0 added, 3 stored already');
    expect(await readFile(join(folder, 'r.json'), 'utf8')).toBe(printed.stdout);
  });

  it('stores nothing if a row is bad, unless --skip-bad leaves it out', async () => {
    const folder = await temporaryFolder();
    await writeText(folder, 'candles.csv', `${CANDLES}x,100,102,99,101,5\n`);

    const refused = await runDataCommand(folder, ['import', 'candles.csv', ...SERIES]);
    const existed = existsSync(join(folder, 'data'));
    const skipped = await runDataCommand(folder, [
      'import',
      'candles.csv',
      ...SERIES,
      '--skip-bad',
    ]);

    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(
      /candles\.csv row 5, column "time_ms": expected a time in .* received "x" \(E_DATA_ROW\)\n$/,
    );
    expect(existed).toBe(false);
    expect(skipped.exitCode).toBe(0);
    expect(skipped.stdout).toContain('4 rows: 3 added, 1 refused\n  row 5: column "time_ms"');
  });

  it('overwrites stored values only with --replace', async () => {
    const folder = await aFolder();
    await writeText(folder, 'candles.csv', CANDLES.replace('101,5', '100.5,5'));

    const refused = await runDataCommand(folder, ['import', 'candles.csv', ...SERIES]);
    const replaced = await runDataCommand(folder, [
      'import',
      'candles.csv',
      ...SERIES,
      '--replace',
    ]);

    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('close 101 stored, 100.5 given; pass --replace');
    expect(replaced.stdout).toContain('3 rows: 0 added, 1 overwritten, 2 stored already');
  });

  it('requires --volume-unit for futures', async () => {
    const folder = await aFolder();
    const futures = ['--product', 'futures', '--symbol', 'E-BTC-USDT', '--interval', '1h'];

    const refused = await runDataCommand(folder, ['import', 'candles.csv', ...futures]);
    const taken = await runDataCommand(folder, [
      'import',
      'candles.csv',
      ...futures,
      '--volume-unit',
      'contracts',
    ]);

    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('futures need --volume-unit (base, quote, contracts)');
    expect(taken.exitCode).toBe(0);
  });

  it('fails with the reason of an interrupt, and leaves no file', async () => {
    const folder = await temporaryFolder();
    await writeText(folder, 'candles.csv', CANDLES);

    const run = await runDataCommand(folder, ['import', 'candles.csv', ...SERIES], {
      signal: AbortSignal.abort(new Error('interrupted')),
    });

    expect(run.stderr).toContain('interrupted');
    expect(await readdir(folder)).toEqual(['candles.csv']);
  });

  it.each([
    [['import', ...SERIES], "missing required argument 'files'"],
    [
      ['import', 'candles.csv', '--symbol', 'X', '--interval', '1h'],
      "required option '--product <kind>'",
    ],
    [['import', 'candles.csv', ...SERIES.slice(0, 5), '2min'], 'expected one of 1min, 3min'],
    [
      ['import', 'candles.csv', '--product', 'stock', ...SERIES.slice(2)],
      'Allowed choices are spot',
    ],
    [
      ['import', 'candles.csv', '--product', 'spot', '--symbol', '../x', '--interval', '1h'],
      '--symbol: expected a symbol',
    ],
    [['import', 'candles.csv', ...SERIES, '--volumes', 'base'], "unknown option '--volumes'"],
    [['import', 'candles.csv', ...SERIES, '--json', 'data'], 'cannot write data: it is a folder'],
    [['import', 'none.csv', ...SERIES], 'none.csv: no such file or folder'],
    [['frobnicate'], "unknown command 'frobnicate'"],
  ])('refuses %j', async (args, message) => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, args);

    expect(run.exitCode).toBe(/no such file|it is a folder/.test(message) ? 1 : 2);
    expect(run.stderr).toContain(message);
    expect(run.stdout).toBe('');
  });
});

describe('data list', () => {
  it('shows the stored series', async () => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, ['list']);

    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(
      /spot:BTCUSDT .*1h .*3 .*2025-01-01T00:00:00Z .*2025-01-01T04:00:00Z .*1 .*1 .*base .*candles\.csv/,
    );
  });

  it('shows broken series with their error', async () => {
    const folder = await aFolder();
    await writeFile(join(folder, 'data', 'spot', 'BTCUSDT', '1h.json'), '{');

    const run = await runDataCommand(folder, ['list']);
    const json = await runDataCommand(folder, ['list', '--json']);

    expect(run.stdout).toMatch(/broken .*E_DATA_METADATA/);
    expect(jsonOf(json)).toMatchObject([{ status: 'broken', error: { code: 'E_DATA_METADATA' } }]);
  });

  it('fails for a missing archive, and reports an empty archive', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'empty'));

    const missing = await runDataCommand(folder, ['list']);
    const empty = await runDataCommand(folder, ['list', '--archive', 'empty']);

    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
    expect(missing.stderr).toContain('there is no such folder (E_DATA_ARCHIVE)');
    expect(empty).toMatchObject({ exitCode: 0, stdout: 'the archive empty is empty\n' });
  });
});

describe('data check', () => {
  it('reports gaps of stored candles without failing', async () => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, ['check']);

    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout:
        'spot:BTCUSDT 1h: 3 rows, no defects\n' +
        '  gap: 1 with 1 candle missing, the longest 1 from 2025-01-01T02:00:00Z\n',
    });
  });

  it('fails for a gap longer than --max-gap', async () => {
    const folder = await aFolder();

    const allowed = await runDataCommand(folder, ['check', '--max-gap', '1h']);
    const refused = await runDataCommand(folder, ['check', '--max-gap', '59min']);

    expect(allowed.exitCode).toBe(0);
    expect(refused.exitCode).toBe(3);
    expect(refused.stdout).toContain('1 kind of defect\n  long-gap: 1, row 2\n');
  });

  it('reports a series with a damaged time, and checks the other series', async () => {
    const folder = await aFolder();
    const marks = [...SERIES, '--kind', 'mark'];
    await runDataCommand(folder, ['import', 'candles.csv', ...marks]);
    const path = join(folder, 'data', 'spot', 'BTCUSDT', '1h.arrow');
    const bytes = await readFile(path);
    const time = bytes.indexOf(Buffer.from(BigInt64Array.of(BigInt(START)).buffer));
    bytes[time + 7] = 0x40;
    await writeFile(path, bytes);

    const run = await runDataCommand(folder, ['check']);

    expect(run).toMatchObject({ exitCode: 3, stderr: '' });
    expect(run.stdout).toContain('spot:BTCUSDT 1h: damaged');
    expect(run.stdout).toContain('spot:BTCUSDT mark 1h: 3 rows');
  });

  it.each([
    ['from', '2025-01-01T00:00:00Z', '2024-12-31T00:00:00Z'],
    ['to', '2025-01-01T04:00:00Z', '2025-01-02T00:00:00Z'],
  ])('compares "%s" of the metadata with the candles', async (key, before, after) => {
    const folder = await aFolder();
    const path = join(folder, 'data', 'spot', 'BTCUSDT', '1h.json');
    const metadata = await readFile(path, 'utf8');
    await writeFile(path, metadata.replace(`"${key}": "${before}"`, `"${key}": "${after}"`));

    const run = await runDataCommand(folder, ['check']);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toContain(`${key}: expected ${before} as in the candles, received ${after}`);
  });

  it('fails for a flipped bit', async () => {
    const folder = await aFolder();
    const path = join(folder, 'data', 'spot', 'BTCUSDT', '1h.arrow');
    const bytes = await readFile(path);
    const place = bytes.byteLength - 700; // in the columns, which lie before the footer
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    await writeFile(path, bytes);

    const run = await runDataCommand(folder, ['check']);
    const json = await runDataCommand(folder, ['check', '--json', '-']);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toMatch(/spot:BTCUSDT 1h: damaged\n {2}.*SHA-256.*\(E_DATA_CORRUPT\)/);
    expect(jsonOf(json)).toMatchObject([{ isDefective: true, error: { code: 'E_DATA_CORRUPT' } }]);
  });

  it('fails when the gaps in the metadata differ from those of the candles', async () => {
    const folder = await aFolder();
    const path = join(folder, 'data', 'spot', 'BTCUSDT', '1h.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"gaps": 1', '"gaps": 0'));

    const run = await runDataCommand(folder, ['check']);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toContain('gaps: expected 1 as in the candles, received 0');
  });

  it('checks only the series that match the filters', async () => {
    const folder = await aFolder();

    const none = await runDataCommand(folder, ['check', '--symbol', 'ETHUSDT']);
    const one = await runDataCommand(folder, ['check', '--symbol', 'BTCUSDT', '--interval', '1h']);

    expect(none).toMatchObject({ exitCode: 1, stdout: '' });
    expect(none.stderr).toContain(
      'the archive data has no series that matches the filters (E_DATA_MISSING)',
    );
    expect(one.exitCode).toBe(0);
  });

  it('checks the rows of a file in their order, and reports them by their number in the file', async () => {
    const folder = await temporaryFolder();
    const rows = [
      row(1),
      '',
      row(0),
      row(0),
      'soon,1,1,1,1,1',
      `${String(START + 2 * HOUR)},100,98,99,101,0`,
    ];
    await writeText(folder, 'bad.csv', [HEADER, ...rows].join('\n'));

    const run = await runDataCommand(folder, ['check', 'bad.csv', '--interval', '1h']);

    expect(run.exitCode).toBe(3);
    expect(run.stdout.split('\n')).toEqual([
      'bad.csv: 5 rows, 4 kinds of defects',
      '  row 6: column "time_ms": expected a time in seconds, milliseconds, microseconds or nanoseconds, or as ISO 8601, received "soon"',
      '  unreadable: 1, row 6',
      '  unordered: 2, rows 4, 5',
      '  duplicate: 1, row 5',
      '  high-below-low: 1, row 7',
      '  zero-volume: 1, row 7',
      '',
    ]);
  });

  it('requires --interval for a file', async () => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, ['check', 'candles.csv']);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('a file needs --interval');
  });
});

describe('data import and data check of mark prices and funding', () => {
  const PERP = ['--product', 'futures', '--symbol', 'E-BTC-USDT'];
  const MARK = ['--kind', 'mark', ...PERP, '--interval', '1h'];
  const FUNDING = ['--kind', 'funding', ...PERP];
  const settled = (hour: number, late: number, rate: string): string =>
    `${String(START + hour * HOUR + late)},${rate}`;
  const RATES = ['time_ms,funding_rate', settled(0, 0, '0.0001'), settled(8, 29, '-0.00001488')];

  async function imported(
    name: string,
    lines: readonly string[],
    args: readonly string[],
  ): Promise<{ readonly folder: string; readonly run: DataCommandRun }> {
    const folder = await temporaryFolder();
    await writeText(folder, name, lines.join('\n'));
    return { folder, run: await runDataCommand(folder, ['import', name, ...args]) };
  }

  it('imports mark prices, with or without a volume', async () => {
    const volumeless = ['time,open,high,low,close', `${String(START)},100,102,99,101`];

    const whole = await imported('mark.csv', [HEADER, row(0), row(1)], MARK);
    const bare = await imported('mark.csv', volumeless, MARK);

    expect(whole.run.stdout).toContain('futures:E-BTC-USDT mark 1h: 2 rows from 2025-01-01');
    expect(bare.run).toMatchObject({ exitCode: 0, stderr: '' });
    const marks = await openArchive(join(whole.folder, 'data')).marks(
      parseInstrumentId('futures:E-BTC-USDT'),
      '1h',
    );
    expect(marks?.volume).toEqual(new Float64Array(2));
  });

  it('imports funding rates, and rounds their times to the minute', async () => {
    const { folder, run } = await imported('funding.csv', RATES, FUNDING);

    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'imported funding.csv (CSV, times in milliseconds)',
        '  2 rows: 2 added',
        '  futures:E-BTC-USDT funding: 2 rates from 2025-01-01T00:00:00Z to 2025-01-01T08:00:00Z',
        '',
      ].join('\n'),
    });
    const list = await runDataCommand(folder, ['list', '--json']);
    expect(jsonOf(list)).toMatchObject([{ kind: 'funding', rows: 2, sources: ['funding.csv'] }]);
  });

  it.each([
    ['fundingTime,fundingRate'],
    ['calc_time,last_funding_rate'],
    ['timestamp,rate'],
    ['date,open'],
  ])('recognizes the columns %s', async (header) => {
    const { run } = await imported('funding.csv', [header, ...RATES.slice(1)], FUNDING);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    [
      [...RATES, settled(16, 0, 'x')],
      'funding.csv row 4, column "funding_rate": expected a number, received "x" (E_DATA_ROW)',
    ],
    [
      [...RATES, settled(16, 0, '1.5')],
      'funding.csv row 4: expected a rate as a ratio between -1 and 1 (0.0001 is 0.01 %), received 1.5 (E_DATA_ROW)',
    ],
    [
      [...RATES, settled(8, 40, '0.2')],
      'funding.csv row 4: row 3 has the same minute and another rate (E_DATA_ROW)',
    ],
    [
      ['time,price', settled(0, 0, '1')],
      'expected a column for rate, received "time", "price"; name the columns in order with --columns (E_DATA_COLUMN)',
    ],
    [RATES.slice(1), 'funding.csv row 1: expected a header, received 2 columns without a header'],
  ])(
    'reports the error of %j, and leaves out a bad row with --skip-bad',
    async (lines, message) => {
      const { run } = await imported('funding.csv', lines, FUNDING);
      const skipped = await imported('funding.csv', lines, [...FUNDING, '--skip-bad']);

      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr).toContain(message);
      if (message.includes('E_DATA_ROW')) {
        expect(skipped.run.stdout).toContain('3 rows: 2 added, 1 refused');
      }
    },
  );

  it('finds rates out of range, missing settlements, and marks far from last', async () => {
    const rates = [...RATES, settled(16, 0, '0.2'), settled(24, 0, '0'), settled(40, 0, '0')];
    const { folder } = await imported('funding.csv', rates, FUNDING);
    await writeText(folder, 'mark.csv', [HEADER, row(0), row(1)].join('\n'));
    await writeText(
      folder,
      'last.csv',
      [HEADER, row(0), `${String(START + HOUR)},100,120,99,115,5`].join('\n'),
    );
    await runDataCommand(folder, ['import', 'mark.csv', ...MARK]);
    await runDataCommand(folder, [
      ...['import', 'last.csv', ...PERP, '--interval', '1h', '--volume-unit', 'base'],
    ]);

    const run = await runDataCommand(folder, ['check']);

    expect(run.exitCode).toBe(3);
    expect(run.stdout.split('\n')).toEqual([
      'futures:E-BTC-USDT 1h: 2 rows, no defects',
      'futures:E-BTC-USDT mark 1h: 2 rows, 1 kind of defect',
      '  far-from-last: 1, row 2', // 101 beside 115
      'futures:E-BTC-USDT funding: 5 rows, 1 kind of defect',
      '  out-of-range: 1, row 3',
      '  gap: 1 with 1 candle missing, the longest 1 from 2025-01-02T08:00:00Z',
      '',
    ]);
  });
});

describe('data export', () => {
  it('writes a range as CSV', async () => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, [
      'export',
      'out.csv',
      ...SERIES,
      '--to',
      '2025-01-01T03:00:00Z',
    ]);

    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: 'wrote 2 rows from 2025-01-01T00:00:00Z to 2025-01-01T02:00:00Z to out.csv\n',
    });
    expect(await readFile(join(folder, 'out.csv'), 'utf8')).toBe(
      [HEADER, row(0), row(1), ''].join('\n'),
    );
  });

  it('says the range of candles as the import of the same file', async () => {
    const folder = await aFolder();

    const written = jsonOf(
      await runDataCommand(folder, ['export', 'out.csv', ...SERIES, '--json', '-']),
    );
    const args = ['import', 'out.csv', ...SERIES, '--archive', 'other', '--json', '-'];
    const { stored } = jsonOf(await runDataCommand(folder, args)) as { readonly stored: unknown };

    const range = { from: '2025-01-01T00:00:00Z', to: '2025-01-01T04:00:00Z' };
    expect(written).toMatchObject({ ...range, first: range.from, last: '2025-01-01T03:00:00Z' });
    expect(stored).toMatchObject(range);
  });

  it.each(['out.csv', 'out.feather', 'out.arrow', 'out.parquet'])(
    'writes %s, which imports again',
    async (file) => {
      const folder = await aFolder();

      await runDataCommand(folder, ['export', file, ...SERIES]);
      const again = await runDataCommand(folder, ['import', file, ...SERIES]);

      expect(again.stdout).toContain('3 rows: 0 added, 3 stored already');
      const elsewhere = ['--archive', 'other'];
      await runDataCommand(folder, ['import', file, ...SERIES, ...elsewhere]);
      const [written, first] = await Promise.all(
        ['other', 'data'].map((archive) => openArchive(join(folder, archive)).read(BTC, '1h')),
      );
      expect(written).toEqual(first);
    },
  );

  it.each([
    [['out.txt'], 2, 'expected a file ending in .csv, .feather, .arrow, .parquet, or --format'],
    [['data'], 2, 'expected a file ending in'],
    [['data', '--format', 'csv'], 1, 'cannot write data: it is a folder'],
    [['candles.csv/out.csv'], 1, 'there is no folder candles.csv'],
    [['out.csv', '--from', '2026-01-01'], 1, 'stored are 2025-01-01T00:00:00Z to'],
    [
      ['out.csv', '--from', '2025-01-03', '--to', '2025-01-01'],
      2,
      'expected --from before --to, received 2025-01-03T00:00:00Z and 2025-01-01T00:00:00Z (E_USAGE)',
    ],
    [['out.csv', '--from', 'yesterday'], 2, 'expected a UTC date such as 2025-06-01'],
    [['out.csv', '--archive', 'elsewhere'], 1, 'there is no such folder'],
    [
      ['data/spot/BTCUSDT/1h.arrow'],
      2,
      'expected a file that is not of the archive data, received data/spot/BTCUSDT/1h.arrow (E_USAGE)',
    ],
  ])('refuses %j and writes nothing', async (args, exitCode, message) => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, ['export', ...args, ...SERIES]);

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(await readdir(folder)).toEqual(['candles.csv', 'data']);
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk', async () => {
    const folder = await aFolder();

    const run = await runDataCommand(folder, ['export', '/dev/full', '--format', 'csv', ...SERIES]);

    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/cannot write \/dev\/full: the disk is full \(E_DATA_WRITE\)/);
  });
});

describe('data resample', () => {
  const args = (...rest: readonly string[]): readonly string[] => ['resample', ...SERIES, ...rest];

  it('makes longer candles, and leaves out incomplete ones with --complete', async () => {
    const folder = await aFolder(); // hours 0, 1 and 3
    const whole = await runDataCommand(
      folder,
      args('--to', '2h', '--complete', '--archive', 'data'),
    );

    const partial = await runDataCommand(folder, args('--to', '4h'));

    expect(whole.stdout).toContain('made 1 candle, 0 of them without all parts, 1 incomplete one');
    expect(partial.stdout).toBe(
      'made 1 candle, 1 of them without all parts\n  spot:BTCUSDT 4h: 1 row from 2025-01-01T00:00:00Z to 2025-01-01T04:00:00Z, no gaps\n',
    );
    const { volume } = await openArchive(join(folder, 'data')).read(BTC, '4h');
    expect([...volume]).toEqual([15]);
  });

  it.each([
    ['30min', 2, 'expected an interval that consists of whole candles of 1h, received 30min'],
    ['1h', 2, 'the candles already have the interval 1h'],
    ['2min', 2, 'expected one of 1min, 3min'],
  ])('refuses %s', async (to, exitCode, message) => {
    const run = await runDataCommand(await aFolder(), args('--to', to));

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});

describe('data synth', () => {
  const synth = (...args: readonly string[]): readonly string[] => [
    'synth',
    ...['--interval', '1h', '--from', '2025-01-01', '--to', '2025-01-03'],
    ...args,
  ];

  it('stores candles without defects', async () => {
    const folder = await temporaryFolder();

    const run = await runDataCommand(
      folder,
      synth('--instrument', 'spot:BTCUSDT', '--instrument', 'spot:ETHUSDT,price=3400'),
    );
    const check = await runDataCommand(folder, ['check']);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain(
      'made 48 rows\n  spot:ETHUSDT 1h: 48 rows from 2025-01-01T00:00:00Z',
    );
    expect(check).toMatchObject({
      exitCode: 0,
      stdout: 'spot:BTCUSDT 1h: 48 rows, no defects\nspot:ETHUSDT 1h: 48 rows, no defects\n',
    });
  });

  it('makes candles whose longer ones are random, too', async () => {
    const folder = await temporaryFolder();
    await runDataCommand(folder, synth('--instrument', 'spot:BTCUSDT'));
    await runDataCommand(folder, ['resample', ...SERIES, '--to', '2h']);
    const archive = openArchive(join(folder, 'data'));
    const columns = columnsFrom(Date.UTC(2025, 1, 1), 1, 2 * HOUR);

    await expect(
      archive.merge(
        { instrumentId: BTC, interval: '2h', columns },
        { source: 'btc.csv', volumeUnit: 'base' },
      ),
    ).rejects.toMatchObject({ code: 'E_DATA_ORIGIN' });
  });

  it('starts an instrument at its given price', async () => {
    const folder = await temporaryFolder();

    await runDataCommand(folder, synth('--instrument', 'spot:BTCUSDT,price=3400,volatility=0.1'));

    const { open } = await openArchive(join(folder, 'data')).read(BTC, '1h');
    expect(open[0]).toBeGreaterThan(3_390);
    expect(open[0]).toBeLessThan(3_410);
  });

  it.each([
    [['--instrument', 'BTCUSDT'], 'expected an instrument such as spot:BTCUSDT'],
    [['--instrument', 'spot:A,prize=1'], 'expected price=, volatility='],
    [['--instrument', 'spot:A,price=x'], 'expected a number for price, received "x"'],
    [['--instrument', 'spot:A,price=0'], 'expected price of spot:A above 0'],
    [['--instrument', 'spot:A,volume=0'], 'expected volume of spot:A above 0'],
    [
      ['--instrument', 'spot:A,price-precision=9'],
      'expected price-precision of spot:A from 0 to 8',
    ],
    [
      ['--instrument', 'spot:A,quantity-precision=9'],
      'expected quantity-precision of spot:A from 0 to 8',
    ],
    [['--instrument', 'spot:A', '--instrument', 'spot:A'], 'spot:A is given twice'],
    [['--instrument', 'spot:A', '--seed', 'x'], 'expected a whole number'],
    [['--instrument', 'spot:A', '--correlation', '2'], 'expected a number from 0 to 1'],
    [['--instrument', 'spot:A', '--origin', '2026-01-01'], 'expected an origin on a full minute'],
    [[], "required option '--instrument <spec>' not specified"],
  ])('refuses %j', async (args, message) => {
    const folder = await temporaryFolder();

    const run = await runDataCommand(folder, synth(...args));

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('every data command', () => {
  it.each(['import', 'list', 'check', 'export', 'synth'])('%s has help', async (command) => {
    const run = await runDataCommand(await temporaryFolder(), [command, '--help']);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain(`Usage: evenkeel data ${command}`);
    expect(run.stdout).toContain('--json');
  });

  it('list shows series that no command has stored', async () => {
    const folder = await temporaryFolder();
    await openArchive(join(folder, 'data')).merge(
      { instrumentId: BTC, interval: '1h', columns: columnsFrom(START, 5, HOUR) },
      { source: 'test', volumeUnit: 'base' },
    );
    await openArchive(join(folder, 'data')).merge(
      { instrumentId: BTC, interval: '1min', columns: columnsOf([{ time: START }]) },
      { source: 'test', volumeUnit: 'base' },
    );

    const list = await runDataCommand(folder, ['list', '--json', '-']);

    expect(jsonOf(list)).toMatchObject([
      { interval: '1min', rows: 1 },
      { interval: '1h', rows: 5 },
    ]);
  });
});
