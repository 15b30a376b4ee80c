import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';

import { parseResult } from '../../../src/report/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const RUN = ['backtest', 'config/sma-crossover.backtest.yaml', '--no-ledger', '--to', '2024-08-20'];

describe('backtest --trades', () => {
  it('writes one row per trade, as CSV and as Arrow, equal to the result', async () => {
    const folder = await temporaryFolder();
    const [json, csv, arrow] = ['r.json', 't.csv', 't.arrow'].map((name) =>
      path.join(folder, name),
    );
    const first = await runCommand(ROOT, [...RUN, '--json', String(json), '--trades', String(csv)]);
    const second = await runCommand(ROOT, [...RUN, '--trades', String(arrow)]);

    expect([first.stderr, first.exitCode, second.exitCode]).toEqual(['', 0, 0]);
    const { trades = [] } = parseResult(await readFile(String(json), 'utf8'), 'r.json');
    const rows = (await readFile(String(csv), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    const place = (name: string): number => rows[0]?.indexOf(name) ?? -1;
    expect(trades.length).toBeGreaterThan(3);
    expect(rows.slice(1).map((row) => row[place('profit')])).toEqual(
      trades.map(({ profit }) => profit),
    );
    const table = tableFromIPC(await readFile(String(arrow)));
    expect(table.numRows).toBe(trades.length);
    expect(table.getChild('entry_time')?.get(0)).toBe(trades[0]?.entry.time);
    expect(table.getChild('exit_cause')?.get(0)).toBe(trades[0]?.exit?.cause);
    const words = table.getChild('profit')?.get(0) as Uint32Array;
    const exact = BigInt.asIntN(
      128,
      words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
    );
    expect(exact).toBe(toUnits(trades[0]?.profit ?? ''));
  });

  it('refuses other kinds of files, and a benchmark that is not in the run', async () => {
    const other = await runCommand(ROOT, [...RUN, '--trades', 'trades.xlsx']);
    const away = await runCommand(ROOT, [...RUN, '--benchmark', 'spot:ETHUSDT']);

    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain('--trades: expected a file that ends in .csv, .arrow, .feather');
    expect(away.exitCode).toBe(2);
    expect(away.stderr).toContain(
      '--benchmark: expected one of spot:BTCUSDT, received "spot:ETHUSDT"',
    );
  });
});

/** Units of the 18th decimal. */
function toUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(18, '0'));
  return amount.startsWith('-') ? -units : units;
}
