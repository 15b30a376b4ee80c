import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeHolding, openArchive } from '../../../src/archive/index.js';
import { parseInstrumentId, type CandleColumns } from '../../../src/domain/index.js';
import { runDataCommand } from '../../support/run-data-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SHIPPED = join(ROOT, 'backtest', 'data');

/** The commands of the first shell block of backtest/README.md, as words behind `node dist/cli/main.js data`. */
async function documentedCommands(): Promise<readonly (readonly string[])[]> {
  const readme = await readFile(join(ROOT, 'backtest', 'README.md'), 'utf8');
  const block = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const lines = block.replaceAll('\\\n', ' ').trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/).slice(3));
}

/** SHA-256 of every file below a folder, by its path inside it. */
async function hashesBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name);
    hashes[relative(folder, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return hashes;
}

describe('the candles in backtest/data', () => {
  it(
    'are reproduced byte for byte by the commands in backtest/README.md',
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder();
      for (const name of ['rules.yaml', 'tiers.yaml']) {
        await cp(join(ROOT, 'backtest', name), join(folder, 'backtest', name), { recursive: true });
      }

      for (const words of await documentedCommands()) {
        expect(await runDataCommand(folder, words)).toMatchObject({ exitCode: 0, stderr: '' });
      }

      const made = await hashesBelow(join(folder, 'backtest', 'data'));
      expect(made).toEqual(await hashesBelow(SHIPPED));
      // Two files for each of 16 series of candles or marks and 2 of funding, and 5 of records.
      expect(Object.keys(made)).toHaveLength(41);
    },
  );

  it('cover a year of hours for five pairs, a month of minutes for a pair, and two months of contracts', async () => {
    const holdings = await openArchive(SHIPPED).holdings();

    const rows = holdings.map((holding) =>
      holding.status === 'usable'
        ? `${describeHolding(holding.key)}: ${String(holding.info.rows)}`
        : holding.error.message,
    );
    expect(rows).toEqual([
      'spot:BTCUSDT 1min: 43200', // 30 days of 1,440 minutes
      'spot:BTCUSDT 1h: 8760', // 365 days of 24 hours
      'spot:ETHUSDT 1h: 8760',
      'spot:LTCUSDT 1h: 8760',
      'spot:SOLUSDT 1h: 8760',
      'spot:XRPUSDT 1h: 8760',
      'margin:ETHUSDT 15min: 5856', // 61 days of 96 quarters
      'margin:ETHUSDT 1h: 1464',
      'margin:ETHUSDT rules: 1',
      'futures:E-BTC-USDT 1min: 10080', // 7 days
      'futures:E-BTC-USDT 15min: 5856',
      'futures:E-BTC-USDT 1h: 1464',
      'futures:E-BTC-USDT mark 1min: 10080',
      'futures:E-BTC-USDT mark 1h: 1464',
      'futures:E-BTC-USDT funding: 183', // 61 days of 3
      'futures:E-BTC-USDT rules: 2',
      'futures:E-BTC-USDT tiers: 1',
      'futures:I-BTC-USD 15min: 5856',
      'futures:I-BTC-USD 1h: 1464',
      'futures:I-BTC-USD mark 1h: 1464',
      'futures:I-BTC-USD funding: 183',
      'futures:I-BTC-USD rules: 1',
      'futures:I-BTC-USD tiers: 1',
    ]);
  });

  it('use the prices of spot for margin, and marks near them for contracts', async () => {
    const archive = openArchive(SHIPPED);
    const range = { from: Date.UTC(2025, 4, 1) };
    const read = (id: string): Promise<CandleColumns> =>
      archive.read(parseInstrumentId(id), '1h', range);

    const marks = await archive.marks(parseInstrumentId('futures:E-BTC-USDT'), '1h', range);

    expect((await read('margin:ETHUSDT')).close).toEqual((await read('spot:ETHUSDT')).close);
    const spot = (await read('spot:BTCUSDT')).close;
    // Marks have ticks of 0.1, spot has ticks of 0.01: the difference is at most half of the larger tick.
    expect(marks?.close.every((price, row) => Math.abs(price - (spot[row] ?? 0)) < 0.0501)).toBe(
      true,
    );
  });

  it('have hours of June that equal the aggregated minutes', async () => {
    const archive = openArchive(SHIPPED);
    const btc = parseInstrumentId('spot:BTCUSDT');

    const minutes = await archive.read(btc, '1min');
    const hours = await archive.read(btc, '1h', { from: Date.UTC(2025, 5, 1) });

    expect(hours.openTime).toHaveLength(720);
    for (let hour = 0; hour < 720; hour += 1) {
      const [start, end] = [hour * 60, hour * 60 + 60];
      const steps = minutes.volume
        .subarray(start, end)
        .reduce((sum, volume) => sum + Math.round(volume * 1e5), 0);
      expect({
        time: hours.openTime[hour],
        open: hours.open[hour],
        high: hours.high[hour],
        low: hours.low[hour],
        close: hours.close[hour],
        volume: hours.volume[hour],
      }).toEqual({
        time: minutes.openTime[start],
        open: minutes.open[start],
        high: Math.max(...minutes.high.subarray(start, end)),
        low: Math.min(...minutes.low.subarray(start, end)),
        close: minutes.close[end - 1],
        volume: steps / 1e5,
      });
    }
  });
});
