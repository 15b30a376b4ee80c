/**
 * The whole cold process, as a user starts it: `evenkeel backtest` on a million stored candles of the reference walk, from start to
 * exit, summary included; a process with nothing to do (`--help`); and plain Node. For each the time and the peak resident memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openArchive } from '../../src/archive/index.js';
import { measure } from './measure.js';
import { durationOf, MAIN, peakOf } from './processes.js';
import { createReferenceCandles, REFERENCE_ID } from './reference-work.js';
import { writeBot } from './stored-bot.js';

const ROWS = 1_000_000;
const NOTHING = 'node with nothing to do';

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  await openArchive(folder).merge(
    { instrumentId: REFERENCE_ID, interval: '1min', columns: createReferenceCandles(ROWS) },
    { source: 'reference walk', volumeUnit: 'base' },
  );
  const config = writeBot(folder, {
    strategy: 'LongWhileAbove',
    archive: folder,
    symbols: ['BTCUSDT'],
  });
  const processes = [
    { name: NOTHING, args: ['-e', ''] },
    { name: '--help', args: [MAIN, '--help'], reference: NOTHING },
    {
      name: 'backtest of a million candles',
      args: [MAIN, 'backtest', config],
      reference: NOTHING,
    },
  ];
  await measure([...processes.map(durationOf), ...processes.map(peakOf)]);
} finally {
  rmSync(folder, { recursive: true });
}
