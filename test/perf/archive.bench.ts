/**
 * Listing an archive of 10,000 series and checking 500 of them as a whole, in this process; beside reading the same metadata files and doing
 * nothing with them. `SERIES=N` makes another number of series.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { checkHolding, hasDefects, mapConcurrently, openArchive } from '../../src/archive/index.js';
import { createInstrumentId } from '../../src/domain/index.js';
import { measure, milliseconds } from './measure.js';
import { createReferenceCandles } from './reference-work.js';

const SERIES = Number(process.env['SERIES'] ?? 10_000);
const CHECKED = Math.min(SERIES, 500);
const CONCURRENCY = 32;
const RAW = 'reading the metadata alone';

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
const symbolOf = (index: number): string => `C${String(index)}USDT`;
const spot = path.join(folder, 'spot');
try {
  await fillArchive();
  const archive = openArchive(folder);
  await measure([
    { name: RAW, unit: 'ms', better: 'less', run: () => milliseconds(readMetadata) },
    {
      name: `listing ${String(SERIES)} series`,
      unit: 'ms',
      better: 'less',
      reference: RAW,
      run: () => milliseconds(() => archive.holdings()),
    },
    {
      name: `checking ${String(CHECKED)} series`,
      unit: 'ms',
      better: 'less',
      run: () => milliseconds(checkSome),
    },
  ]);
} finally {
  rmSync(folder, { recursive: true });
}

/** One series is merged; the others are its files under other names, which takes a tenth of the time. */
async function fillArchive(): Promise<void> {
  await openArchive(folder).merge(
    {
      instrumentId: createInstrumentId('spot', symbolOf(0)),
      interval: '1min',
      columns: createReferenceCandles(2_000),
    },
    { source: 'reference walk', volumeUnit: 'base' },
  );
  const first = path.join(spot, symbolOf(0));
  const metadata = readFileSync(path.join(first, '1min.json'), 'utf8');
  for (let index = 1; index < SERIES; index += 1) {
    const own = path.join(spot, symbolOf(index));
    mkdirSync(own);
    writeFileSync(path.join(own, '1min.json'), metadata.replace(symbolOf(0), symbolOf(index)));
    copyFileSync(path.join(first, '1min.arrow'), path.join(own, '1min.arrow'));
  }
}

async function readMetadata(): Promise<void> {
  const symbols = await readdir(spot);
  await mapConcurrently(symbols, CONCURRENCY, (symbol) =>
    readFile(path.join(spot, symbol, '1min.json'), 'utf8'),
  );
}

async function checkSome(): Promise<void> {
  const indexes = Array.from({ length: CHECKED }, (_, index) => index);
  await mapConcurrently(indexes, CONCURRENCY, async (index) => {
    const instrumentId = createInstrumentId('spot', symbolOf(index));
    const key = { kind: 'candles', instrumentId, interval: '1min' } as const;
    if (hasDefects(await checkHolding(folder, key))) throw new Error(`${instrumentId} is damaged`);
  });
}
