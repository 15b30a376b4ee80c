/**
 * The archive by the command line, each verb a whole process: `data list` of 10,000 series beside one that walks the folders and asks each
 * file for its size, `data check` of 2,000 series beside one that reads their bytes. And in this process, where no start is counted:
 * listing them beside reading the same metadata, and checking some. `SERIES=N` makes another number of series.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { checkHolding, hasDefects, mapConcurrently, openArchive } from '../../src/archive/index.js';
import { createInstrumentId } from '../../src/domain/index.js';
import { measure, milliseconds } from './measure.js';
import { durationOf, MAIN, peakOf } from './processes.js';
import { storeSymbols, symbolOf } from './stored-symbols.js';

const SERIES = Number(process.env['SERIES'] ?? 10_000);
const CHECKED = Math.min(SERIES, 2_000);
const IN_PROCESS = Math.min(SERIES, 500);
const ROWS = 2_000;
const CONCURRENCY = 32;
const METADATA = 'reading the metadata alone';
const WALK = 'node, readdir and stat';
const BYTES = 'node, reading the bytes';
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
  await storeSymbols(listed, { symbols: SERIES, rows: ROWS });
  await storeSymbols(checked, { symbols: CHECKED, rows: ROWS });
  const list = `data list, ${String(SERIES)} series`;
  await measure([
    durationOf({ name: WALK, args: ['-e', WALKING, listed] }),
    durationOf({ name: list, args: [MAIN, 'data', 'list', '--archive', listed], reference: WALK }),
    peakOf({ name: list, args: [MAIN, 'data', 'list', '--archive', listed] }),
    durationOf({ name: BYTES, args: ['-e', READING, checked] }),
    durationOf({
      name: `data check, ${String(CHECKED)} series of ${String(ROWS)} rows`,
      args: [MAIN, 'data', 'check', '--archive', checked],
      reference: BYTES,
    }),
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

async function readMetadata(folder: string): Promise<void> {
  const spot = path.join(folder, 'spot');
  const symbols = await readdir(spot);
  await mapConcurrently(symbols, CONCURRENCY, (symbol) =>
    readFile(path.join(spot, symbol, '1min.json'), 'utf8'),
  );
}

async function checkSome(folder: string): Promise<void> {
  const indexes = Array.from({ length: IN_PROCESS }, (_, index) => index);
  await mapConcurrently(indexes, CONCURRENCY, async (index) => {
    const instrumentId = createInstrumentId('spot', symbolOf(index));
    const key = { kind: 'candles', instrumentId, interval: '1min' } as const;
    if (hasDefects(await checkHolding(folder, key))) throw new Error(`${instrumentId} is damaged`);
  });
}
