import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/archive/index.js';
import { HOUR_MS } from '../../../../src/domain/index.js';
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
  it('says first, last and gaps of a series, draws it, and names the bots that use it', async () => {
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

  it('gives the same as JSON', async () => {
    const run = await runDataCommand(await anArchive(), ['show', 'spot:BTCUSDT', '1h', '--json']);

    expect(JSON.parse(run.stdout)).toMatchObject({
      instrument: 'spot:BTCUSDT',
      rows: 55,
      last: { openTime: '2025-03-03T11:00:00Z', close: 100 },
      gapList: [{ from: '2025-03-01T20:00:00Z', to: '2025-03-02T01:00:00Z', missing: 5 }],
      usedBy: [],
    });
  });

  it.each([
    ['BTCUSDT', '1h', 2, 'spot:BTCUSDT'],
    ['spot:BTCUSDT', '7h', 2, '1min'],
    ['spot:BTCUSDT', '2h', 1, 'E_DATA_MISSING'],
  ])('refuses %s %s', async (instrument, interval, exitCode, named) => {
    const run = await runDataCommand(await anArchive(), ['show', instrument, interval]);

    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(named);
  });
});
