/**
 * The archive by the command line, each command a whole process: `data list` of 10,000 series beside a process that walks the folders and asks
 * each file for its size; `data check` of 2,000 series, and of 10 large series, beside a process that reads their bytes. And in this process,
 * without the start: listing the series beside reading the same metadata, and checking some. `SERIES=N` makes another number of series.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
  checkHolding,
  FileMemory,
  hasDefects,
  mapConcurrently,
  openArchive,
} from '../../src/archive/index.js';
import { createInstrumentId } from '../../src/domain/index.js';
import { measure, milliseconds, type Case } from './measure.js';
import { durationOf, MAIN, peakOf } from './processes.js';
import { storeSymbols, symbolOf } from './stored-symbols.js';

const SERIES = Number(process.env['SERIES'] ?? 10_000);
const CHECKED = Math.min(SERIES, 2_000);
const IN_PROCESS = Math.min(SERIES, 500);
const ROWS = 2_000;
/** Number of series so large that checking one takes longer than opening it. */
const LARGE = 10;
const LARGE_ROWS = 1_000_000;
const CONCURRENCY = 32;
const METADATA = 'reading the metadata alone';
const WALK = 'node, readdir and stat';
const BYTES = 'node, reading the bytes of';
const TIME = { unit: 'ms', better: 'less' } as const;

/** Walks a folder and asks for every file's size. */
const WALKING = `
const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');
let bytes = 0;
for (const entry of readdirSync(process.argv[1], { withFileTypes: true, recursive: true }))
  if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
if (bytes === 0) process.exitCode = 1;`;
const READING = WALKING.replaceAll('statSync', 'readFileSync').replace('.size', '.length');

const scratch = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  const listed = path.join(scratch, 'listed');
  const checked = path.join(scratch, 'checked');
  const large = path.join(scratch, 'large');
  await storeSymbols(listed, { symbols: SERIES, rows: ROWS });
  await storeSymbols(checked, { symbols: CHECKED, rows: ROWS });
  await storeSymbols(large, { symbols: LARGE, rows: LARGE_ROWS });
  const list = `data list, ${String(SERIES)} series`;
  await measure([
    durationOf({ name: WALK, args: ['-e', WALKING, listed] }),
    durationOf({ name: list, args: [MAIN, 'data', 'list', '--archive', listed], reference: WALK }),
    peakOf({ name: list, args: [MAIN, 'data', 'list', '--archive', listed] }),
    ...checks(`${String(CHECKED)} series of ${String(ROWS)} rows`, checked),
    ...checks(`${String(LARGE)} series of ${String(LARGE_ROWS)} rows`, large),
    { ...TIME, name: METADATA, run: () => milliseconds(() => readMetadata(listed)) },
    {
      ...TIME,
      name: `listing ${String(SERIES)} series`,
      reference: METADATA,
      run: () => milliseconds(() => openArchive(listed).holdings()),
    },
    {
      ...TIME,
      name: `checking ${String(IN_PROCESS)} series`,
      run: () => milliseconds(() => checkSome(listed)),
    },
  ]);
} finally {
  rmSync(scratch, { recursive: true });
}

/** Cases of `data check` with its own choice of threads, with one thread and with two, beside reading the bytes. */
function checks(what: string, folder: string): readonly Case[] {
  const reference = `${BYTES} ${what}`;
  const args = [MAIN, 'data', 'check', '--archive', folder];
  return [
    durationOf({ name: reference, args: ['-e', READING, folder] }),
    durationOf({ name: `data check, ${what}`, args, reference }),
    ...['1', '2'].map((jobs) =>
      durationOf({
        name: `data check, ${what}, --jobs ${jobs}`,
        args: [...args, '--jobs', jobs],
        reference,
      }),
    ),
  ];
}

async function readMetadata(folder: string): Promise<void> {
  const spot = path.join(folder, 'spot');
  const symbols = await readdir(spot);
  await mapConcurrently(symbols, CONCURRENCY, (symbol) =>
    readFile(path.join(spot, symbol, '1min.json'), 'utf8'),
  );
}

async function checkSome(folder: string): Promise<void> {
  const memory = new FileMemory();
  for (let index = 0; index < IN_PROCESS; index += 1) {
    const instrumentId = createInstrumentId('spot', symbolOf(index));
    const key = { kind: 'candles', instrumentId, interval: '1min' } as const;
    const check = await checkHolding(folder, key, { memory });
    if (hasDefects(check)) throw new Error(`${instrumentId} is damaged`);
  }
}
