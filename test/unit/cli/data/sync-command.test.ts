import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/archive/index.js';
import { HOUR_MS, type Interval } from '../../../../src/domain/index.js';
import { filesIn } from '../../../support/archive-files.js';
import { columnsFrom } from '../../../support/candle-columns.js';
import { BTC, ETH } from '../../../support/replay.js';
import { runDataCommand } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const START = Date.parse('2025-03-01T00:00:00Z');

interface Stored {
  readonly archive: string;
  readonly instrumentId?: typeof BTC;
  readonly interval?: Interval;
  readonly hours: number;
  /** Amount that is added to the first close. */
  readonly off?: number;
  readonly volumeUnit?: 'base' | 'quote';
}

async function store(folder: string, ...series: readonly Stored[]): Promise<void> {
  for (const { archive, instrumentId = BTC, interval = '1h', hours, ...stored } of series) {
    const columns = columnsFrom(START, hours, HOUR_MS);
    const close = columns.close.map((price, row) =>
      row === 0 ? price + (stored.off ?? 0) : price,
    );
    await openArchive(join(folder, archive)).merge(
      { instrumentId, interval, columns: { ...columns, close } },
      { source: `${archive}.csv`, volumeUnit: stored.volumeUnit ?? 'base' },
    );
  }
}

/** Two archives. Of the three series of `other`, one is absent in `data`, one is shorter, and one has another first close. */
async function twoArchives(): Promise<string> {
  const folder = await temporaryFolder();
  await store(
    folder,
    { archive: 'other', hours: 10 },
    { archive: 'other', hours: 12, interval: '30min' },
    { archive: 'other', hours: 5, instrumentId: ETH },
    { archive: 'data', hours: 4, interval: '30min' },
    { archive: 'data', hours: 5, instrumentId: ETH, off: 0.5 },
  );
  return folder;
}

const CONFLICT =
  '1 stored candles have different values, the first at 2025-03-01T00:00:00Z: close 101.5 stored, 101 given; pass --replace to overwrite them';
const TO = '2025-03-01T10:00:00Z';

describe('data sync', () => {
  it('copies missing series and candles, refuses different values, and reports each series', async () => {
    const folder = await twoArchives();

    const run = await runDataCommand(folder, ['sync', 'other']);

    expect(run).toEqual({
      exitCode: 1,
      stderr: `spot:ETHUSDT 1h: ${CONFLICT} (E_DATA_CONFLICT)\n`,
      stdout: [
        'extended  spot:BTCUSDT 30min: 12 rows from 2025-03-01T00:00:00Z to 2025-03-01T11:30:00Z, 11 gaps with 11 candles missing; 8 added',
        `copied    spot:BTCUSDT 1h: 10 rows from 2025-03-01T00:00:00Z to ${TO}, no gaps`,
        `refused   spot:ETHUSDT 1h: ${CONFLICT} (E_DATA_CONFLICT)`,
        'copied 18 rows of 3 series, 1 refused',
        '',
      ].join('\n'),
    });
    const here = openArchive(join(folder, 'data'));
    expect((await here.read(ETH, '1h')).close[0]).toBe(101.5);
    expect((await here.info(BTC, '30min')).sources).toEqual(['data.csv', 'other.csv']);
  });

  it('replaces different values with --replace, and then finds nothing to copy', async () => {
    const folder = await twoArchives();

    const replaced = await runDataCommand(folder, ['sync', 'other', '--replace']);
    const again = await runDataCommand(folder, ['sync', 'other']);

    expect(replaced.stdout).toContain('replaced  spot:ETHUSDT 1h: 5 rows');
    expect(replaced.stdout).toContain('no gaps; 1 replaced\n');
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.stdout).toMatch(/^(?:equal .*\n){3}copied 0 rows of 3 series\n$/);
  });

  it('writes nothing with --dry-run, and reports the same as JSON', async () => {
    const folder = await twoArchives();
    const before = await filesIn(folder);

    const text = await runDataCommand(folder, ['sync', 'other', '--dry-run']);
    const json = await runDataCommand(folder, ['sync', 'other', '--dry-run', '--json']);

    expect(await filesIn(folder)).toEqual(before);
    expect(text.stdout).toMatch(/^extend {4}spot:BTCUSDT 30min: 12 rows/);
    expect(text.stdout).toContain('would copy 18 rows of 3 series, 1 refused; nothing was written');
    expect(JSON.parse(json.stdout)).toMatchObject({
      dryRun: true,
      series: [
        { instrument: BTC, kind: 'candles', interval: '30min', outcome: 'extended', added: 8 },
        { instrument: BTC, outcome: 'copied', stored: { rows: 10, sources: ['other.csv'] } },
        { instrument: ETH, outcome: 'refused', error: { code: 'E_DATA_CONFLICT' } },
      ],
    });
  });

  it.each([
    [['--symbol', 'ETHUSDT'], ['spot:ETHUSDT 1h']],
    [
      ['--interval', '1h'],
      ['spot:BTCUSDT 1h', 'spot:ETHUSDT 1h'],
    ],
    [['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', '30min'], ['spot:BTCUSDT 30min']],
    [['--kind', 'candles', '--interval', '30min'], ['spot:BTCUSDT 30min']],
  ])('copies with %j only the matching series', async (filters, names) => {
    const run = await runDataCommand(await twoArchives(), ['sync', 'other', ...filters]);

    expect(run.stdout.match(/spot:\w+ \w+(?=:)/g)).toEqual(names);
  });

  it.each([
    [
      ['data'],
      2,
      /expected the folder of another archive, received the folder of --archive, .*data/,
    ],
    [['nowhere'], 1, /no archive at .*nowhere: there is no such folder \(E_DATA_ARCHIVE\)/],
    [['other', '--kind', 'funding'], 1, /the archive other has no series that matches the filters/],
    [
      ['other', '--product', 'margin'],
      1,
      /has no series that matches the filters \(E_DATA_MISSING\)/,
    ],
  ])('refuses %j', async (args, exitCode, message) => {
    const run = await runDataCommand(await twoArchives(), ['sync', ...args]);

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toMatch(message);
  });

  it('refuses a volume in another unit, even with equal values', async () => {
    const folder = await temporaryFolder();
    await store(
      folder,
      { archive: 'other', hours: 5, volumeUnit: 'quote' },
      { archive: 'data', hours: 5 },
    );

    const run = await runDataCommand(folder, ['sync', 'other']);

    expect(run.stderr).toBe(
      'spot:BTCUSDT 1h: the volume of spot:BTCUSDT 1h is stored in base, expected the same, received quote (E_DATA_UNIT)\n',
    );
  });

  it('refuses damaged series of the other archive, copies the rest, and counts the refused', async () => {
    const folder = await twoArchives();
    const arrow = join(folder, 'other/spot/BTCUSDT/1h.arrow');
    const bytes = await readFile(arrow);
    // Damages a byte inside the rows, like a bad disk. No other fact of the file shows the damage.
    bytes[bytes.length - 600] = (bytes.at(-600) ?? 0) ^ 1;
    await writeFile(arrow, bytes);
    await rm(join(folder, 'data/spot/ETHUSDT'), { recursive: true });
    await rm(join(folder, 'other/spot/ETHUSDT/1h.json'));

    const run = await runDataCommand(folder, ['sync', 'other']);

    expect(run.stdout).toMatch(
      /^extended .*\nrefused .*E_DATA_CORRUPT\)\nrefused .*E_DATA_TORN\)\n/,
    );
    expect(run.stderr).toMatch(
      /^2 series were not copied, the first spot:BTCUSDT 1h: .*1h\.arrow is/,
    );
    expect([...(await filesIn(join(folder, 'data'))).keys()]).toEqual([
      'spot/BTCUSDT/30min.arrow',
      'spot/BTCUSDT/30min.json',
    ]);
  });

  it('reports a damaged local series, even if its metadata is equal', async () => {
    const folder = await temporaryFolder();
    await store(folder, { archive: 'other', hours: 5 }, { archive: 'data', hours: 5 });
    await writeFile(join(folder, 'data/spot/BTCUSDT/1h.arrow'), 'no candles');

    const run = await runDataCommand(folder, ['sync', 'other']);

    expect(run).toMatchObject({ exitCode: 1 });
    expect(run.stdout).toContain('refused   spot:BTCUSDT 1h: ');
    expect(run.stderr).toContain('E_DATA_CORRUPT');
  });

  it('stops at once when it is interrupted', async () => {
    const run = await runDataCommand(await twoArchives(), ['sync', 'other'], {
      signal: AbortSignal.abort(new Error('interrupted')),
    });

    expect(run.stdout).toBe('');
  });
});
