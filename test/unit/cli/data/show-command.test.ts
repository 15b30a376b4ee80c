import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/archive/index.js';
import { HOUR_MS, parseInstrumentId } from '../../../../src/domain/index.js';
import { columnsFrom, columnsOf, type CandleRow } from '../../../support/candle-columns.js';
import { BTC } from '../../../support/replay.js';
import { runDataCommand } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const START = Date.parse('2025-03-01T00:00:00Z');

async function anArchive(): Promise<string> {
  const folder = await temporaryFolder();
  const rows: CandleRow[] = [...columnsFrom(START, 60, HOUR_MS).openTime]
    .filter((_, row) => row < 20 || row > 24)
    .map((time, row) => ({ time, close: 100 + (row % 2) }));
  await openArchive(join(folder, 'data')).merge(
    { instrumentId: BTC, interval: '1h', columns: columnsOf(rows) },
    { source: 'btc.csv', volumeUnit: 'base' },
  );
  return folder;
}

const bot = (interval: string, archive: string): string => `version: 1
name: test
strategy: { path: ./some.strategy.ts }
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [${interval}] }
simulation:
  archive: ${archive}
  from: 2025-03-01
  to: 2025-03-02
  balances: { USDT: "10000" }
  fees: { maker: "0", taker: "0" }
`;

describe('data show', () => {
  it('shows the first and last candle of a series, its gaps, a chart, and the bots that use it', async () => {
    const folder = await anArchive();
    await mkdir(join(folder, 'config'));
    await writeFile(join(folder, 'config/uses.yaml'), bot('1h', '../data'));
    await writeFile(join(folder, 'config/other-interval.yaml'), bot('1day', '../data'));
    await writeFile(join(folder, 'config/other-archive.yaml'), bot('1h', '../elsewhere'));
    await writeFile(join(folder, 'no-bot.yaml'), 'a: [');

    const run = await runDataCommand(folder, ['show', 'spot:BTCUSDT', '1h']);

    expect(run.stderr).toBe('');
    expect(run.stdout.split('\n').slice(0, 7)).toEqual([
      'spot:BTCUSDT 1h: 55 candles, volume in base',
      '  first    2025-03-01T00:00:00Z  100 102 99 100  volume 5',
      '  last     2025-03-03T11:00:00Z  100 102 99 100  volume 5',
      '  gaps     1, 5 candles missing',
      '           5 from 2025-03-01T20:00:00Z to 2025-03-02T01:00:00Z',
      '  sources  btc.csv',
      '  used by  config/uses.yaml',
    ]);
    expect(run.stdout).toMatch(/101(?:\.0+)? ┤/);
  });

  it('prints the series as JSON', async () => {
    const run = await runDataCommand(await anArchive(), ['show', 'spot:BTCUSDT', '1h', '--json']);

    expect(JSON.parse(run.stdout)).toMatchObject({
      instrument: 'spot:BTCUSDT',
      rows: 55,
      last: { openTime: '2025-03-03T11:00:00Z', close: 100 },
      gapList: [{ from: '2025-03-01T20:00:00Z', to: '2025-03-02T01:00:00Z', missing: 5 }],
      usedBy: [],
    });
  });

  it('shows candles that a run makes from finer ones', async () => {
    const run = await runDataCommand(await anArchive(), ['show', 'spot:BTCUSDT', '2h']);

    expect(run.stdout.split('\n').slice(0, 6)).toEqual([
      'spot:BTCUSDT 2h: 28 candles, volume in base',
      '  first    2025-03-01T00:00:00Z  100 102 99 101  volume 10',
      '  last     2025-03-03T10:00:00Z  100 102 99 100  volume 10',
      '  gaps     1, 2 candles missing',
      '           2 from 2025-03-01T20:00:00Z to 2025-03-02T00:00:00Z',
      '  made of  1h; it is not stored',
    ]);
  });

  it('shows mark prices and funding rates, and the bots of their instrument', async () => {
    const folder = await temporaryFolder();
    const archive = openArchive(join(folder, 'data'));
    const instrumentId = parseInstrumentId('futures:E-BTC-USDT');
    const columns = { ...columnsFrom(START, 3, HOUR_MS), volume: new Float64Array(3) };
    const time = Float64Array.of(START, START + 8 * HOUR_MS);
    const source = { source: 'a.csv' };
    await archive.mergeMarks({ instrumentId, interval: '1h', columns }, source);
    await archive.mergeFunding(instrumentId, { time, rate: Float64Array.of(1e-4, -2e-4) }, source);
    const contract = "futures, symbol: E-BTC-USDT, leverage: 5, marginMode: cross, multiplier: '1'";
    const uses = bot('15min', './data').replace('spot, symbol: BTCUSDT', contract);
    await writeFile(join(folder, 'uses.yaml'), uses);

    const marks = await runDataCommand(folder, 'show futures:E-BTC-USDT 1h --kind mark'.split(' '));
    expect(marks.stderr).toBe('');
    expect(marks.stdout).toMatch(
      /^futures:E-BTC-USDT mark 1h: 3 mark prices\n {2}first {4}2025-03-01T00:00:00Z {2}[\d. ]+\n/,
    );
    expect(marks.stdout).toContain('  used by  uses.yaml\n');

    const rates = await runDataCommand(folder, 'show futures:E-BTC-USDT --kind funding'.split(' '));
    expect(rates.stdout.split('\n').slice(0, 5)).toEqual([
      'futures:E-BTC-USDT funding: 2 rates',
      '  first    2025-03-01T00:00:00Z  0.0001',
      '  last     2025-03-01T08:00:00Z  -0.0002',
      '  sources  a.csv',
      '  used by  uses.yaml',
    ]);
  });

  it.each([
    ['BTCUSDT', '1h', 2, 'spot:BTCUSDT'],
    ['spot:BTCUSDT', '7h', 2, '1min'],
    ['spot:BTCUSDT', '5min', 1, 'E_DATA_MISSING'],
    ['spot:BTCUSDT', '', 2, 'expected one with --kind candles, received none'],
    ['spot:BTCUSDT', '1h --kind funding', 2, 'expected none with --kind funding, received 1h'],
    ['spot:BTCUSDT', '1h --kind mark', 1, 'has no spot:BTCUSDT mark 1h: it holds none of any'],
    ['futures:E-BTC-USDT', '--kind funding', 1, 'has no futures:E-BTC-USDT funding: it holds none'],
  ])('refuses %s %s', async (instrument, rest, exitCode, named) => {
    const args = ['show', instrument, ...rest.split(' ').filter((word) => word !== '')];
    const run = await runDataCommand(await anArchive(), args);

    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(named);
  });
});
