/**
 * Rows per second from stored candles, checks and conversion of times included: whole into columns, and block by block as in a long run;
 * beside plainly reading the bytes of the same file. The file is in the page cache, so the disk is not measured.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openArchive } from '../../src/archive/index.js';
import { measure, millionsPerSecond, type Case } from './measure.js';
import { createReferenceCandles, REFERENCE_ID } from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 5_000_000);
const RAW = 'the bytes alone';

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  const archive = openArchive(folder);
  await archive.merge(
    { instrumentId: REFERENCE_ID, interval: '1min', columns: createReferenceCandles(ROWS) },
    { source: 'reference walk', volumeUnit: 'base' },
  );
  const file = path.join(folder, 'spot', 'BTCUSDT', '1min.arrow');

  const walk = async (): Promise<void> => {
    const { rows, close } = await archive.open(REFERENCE_ID, '1min', { wholeRows: 0 });
    for (let row = 0; row < rows.length; row = rows.blockAt(row).end);
    await close();
  };
  const rate = (name: string, work: () => unknown): Case => ({
    name,
    unit: 'M rows/s',
    better: 'more',
    reference: name === RAW ? undefined : RAW,
    run: () => millionsPerSecond(ROWS, work),
  });
  await measure(
    [
      rate(RAW, () => readFileSync(file)),
      rate('whole, into columns', () => archive.read(REFERENCE_ID, '1min')),
      rate('block by block', walk),
    ],
    { rounds: 7 },
  );
} finally {
  rmSync(folder, { recursive: true });
}
