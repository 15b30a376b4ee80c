/**
 * Peak resident memory of a process that runs a backtest of 1, 10 and 100 symbol-years of one-minute candles from stored files, of an idle
 * strategy and of one that fills now and then. Each runs in a process of its own; the archive is synthetic, in a temporary folder, and gone
 * at the end. `SYMBOL_YEARS=1,10` leaves sizes out; all of them take 5 GB of disk.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { storeExtent, type Extent } from './memory-archive.js';
import { measure, type Case } from './measure.js';

const EXTENTS: readonly Extent[] = [
  { symbols: 1, years: 1 },
  { symbols: 10, years: 1 },
  { symbols: 10, years: 10 },
  { symbols: 100, years: 1 },
];
const WANTED = (process.env['SYMBOL_YEARS'] ?? '1,10,100').split(',').map(Number);
const RUN = fileURLToPath(new URL('memory-run.ts', import.meta.url));
const NOTHING = 'the modules alone';

const extents = EXTENTS.filter(({ symbols, years }) => WANTED.includes(symbols * years));
const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
const folderOf = ({ symbols, years }: Extent): string =>
  path.join(folder, `${String(symbols)}x${String(years)}`);
try {
  for (const extent of extents) await storeExtent(folderOf(extent), extent);
  await measure(
    [
      aProcess(NOTHING, ['nothing']),
      ...['idle', 'few fills'].flatMap((strategy) =>
        extents.map((extent) => {
          const { symbols, years } = extent;
          const name = `${String(symbols)} × ${String(years)} years, ${strategy}`;
          const args = [strategy, folderOf(extent), String(symbols), String(years)];
          return { ...aProcess(name, args), reference: NOTHING };
        }),
      ),
    ],
    { rounds: 1, warmups: 0 },
  );
} finally {
  rmSync(folder, { recursive: true });
}

function aProcess(name: string, args: readonly string[]): Case {
  const run = (): number => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...process.execArgv, RUN, ...args],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${name} ended with ${String(status)}: ${stderr}`);
    const { peakMiB, says } = JSON.parse(stdout) as { peakMiB: number; says: string };
    console.log(`${name}: ${says}`);
    return peakMiB;
  };
  return { name, unit: 'MiB', better: 'less', run };
}
