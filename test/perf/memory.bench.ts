/**
 * Peak resident memory of `evenkeel backtest`, each a process as a user starts it, with its result written to a file: the reference work, and
 * 1, 10 and 100 symbol-years of stored one-minute candles, with a strategy that never trades and with a strategy that fills now and then. Memory
 * should stay flat. Beside it a process that only loads the same modules. `SYMBOL_YEARS=1,10` leaves sizes out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openArchive } from '../../src/archive/index.js';
import { measure, type Case } from './measure.js';
import { MAIN, peakOf } from './processes.js';
import {
  CONTRACT_ID,
  createReferenceCandles,
  createReferenceFunding,
  createReferenceMarks,
  REFERENCE_ID,
} from './reference-work.js';
import { writeBot, type StoredBot } from './stored-bot.js';
import { storeSymbols, symbolOf } from './stored-symbols.js';

const MINUTES_PER_YEAR = 365 * 24 * 60;
const ROWS = 1_000_000;
const MODULES = 'the modules alone';

/** A number of symbols, each with a number of years. */
interface Extent {
  readonly symbols: number;
  readonly years: number;
}

const EXTENTS: readonly Extent[] = [
  { symbols: 1, years: 1 },
  { symbols: 10, years: 1 },
  { symbols: 100, years: 1 },
  { symbols: 10, years: 10 },
];
const WANTED = (process.env['SYMBOL_YEARS'] ?? '1,10,100').split(',').map(Number);
const extents = EXTENTS.filter(({ symbols, years }) => WANTED.includes(symbols * years));
const isBig = ({ symbols, years }: Extent): boolean => symbols * years >= 100;

const scratch = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
const folderOf = ({ years }: Extent): string => path.join(scratch, `years-${String(years)}`);
try {
  await fillArchives();
  const work = path.join(scratch, 'work');
  const reference = [
    aRun('spot', { strategy: 'LongWhileAbove', archive: work, symbols: ['BTCUSDT'] }),
    aRun('spot, three operators', {
      strategy: 'LongWhileAboveStreamed',
      archive: work,
      symbols: ['BTCUSDT'],
    }),
    aRun('spot idle', { strategy: 'NeverTrades', archive: work, symbols: ['BTCUSDT'] }),
    aRun('futures', {
      strategy: 'LongWhileAbove',
      archive: work,
      symbols: ['E-BTC-USDT'],
      product: 'futures',
    }),
  ];
  await measure(
    [modules(), ...reference, ...extents.filter((each) => !isBig(each)).flatMap(runsOf)],
    {
      warmups: 0,
    },
  );
  const big = extents.filter(isBig);
  if (big.length > 0) await measure([modules(), ...big.flatMap(runsOf)], { rounds: 1, warmups: 0 });
} finally {
  rmSync(scratch, { recursive: true });
}

async function fillArchives(): Promise<void> {
  const archive = openArchive(path.join(scratch, 'work'));
  const columns = createReferenceCandles(ROWS);
  const interval = '1min';
  const source = 'reference walk';
  for (const instrumentId of [REFERENCE_ID, CONTRACT_ID])
    await archive.merge({ instrumentId, interval, columns }, { source, volumeUnit: 'base' });
  const marks = createReferenceMarks(columns);
  await archive.mergeMarks({ instrumentId: CONTRACT_ID, interval, columns: marks }, { source });
  await archive.mergeFunding(CONTRACT_ID, createReferenceFunding(columns), { source });
  for (const years of new Set(extents.map((extent) => extent.years))) {
    const symbols = Math.max(
      ...extents.filter((extent) => extent.years === years).map((extent) => extent.symbols),
    );
    await storeSymbols(folderOf({ symbols, years }), { symbols, rows: years * MINUTES_PER_YEAR });
  }
}

/** Loads the modules of a backtest and does nothing with them. */
function modules(): Case {
  const roots = ['cli/run-cli.js', 'cli/backtest/run-backtest-command.js', 'index.js'];
  const imports = roots.map(
    (file) =>
      `import ${JSON.stringify(new URL(`../../dist-modules/${file}`, import.meta.url).href)};`,
  );
  return peakOf({ name: MODULES, args: ['--input-type=module', '-e', imports.join('')] });
}

function runsOf(extent: Extent): readonly Case[] {
  const { symbols, years } = extent;
  const name = `${String(symbols)} × ${String(years)} year${years === 1 ? '' : 's'}`;
  const bot = {
    archive: folderOf(extent),
    symbols: Array.from({ length: symbols }, (_, index) => symbolOf(index)),
  };
  return [
    aRun(`${name}, idle`, { ...bot, strategy: 'NeverTrades' }),
    aRun(`${name}, few fills`, { ...bot, strategy: 'FewFills' }),
  ];
}

function aRun(name: string, bot: StoredBot): Case {
  const result = path.join(scratch, 'result.json');
  const args = [MAIN, 'backtest', writeBot(scratch, bot), '--json', result];
  return peakOf({ name, args, reference: MODULES });
}
