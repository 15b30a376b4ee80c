/**
 * Counts the trials of a large ledger by strategy and data, from the index beside it: a million trials, or `TRIALS=N`. Beside it, once, the
 * time to make the index.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countTrials, indexTrials } from '../../src/research/ledger/index.js';
import { formatLine } from '../../src/research/ledger/trial-record.js';
import { aTrialRecord } from '../support/research/trials.js';
import { measure } from './measure.js';

const TRIALS = Number(process.env['TRIALS'] ?? 1_000_000);
const TOGETHER = 1_000;

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-trials-'));
const ledger = path.join(folder, 'data.trials.jsonl');

async function writeTrials(): Promise<void> {
  const handle = await open(ledger, 'a');
  for (let from = 0; from < TRIALS; from += TOGETHER) {
    const lines = Array.from({ length: TOGETHER }, (_, at) => {
      const index = from + at;
      const id = createHash('sha256').update(String(index)).digest('hex');
      return formatLine(aTrialRecord({ id, strategy: `S${String(index % 7)}`, at: index }));
    });
    await handle.appendFile(lines.join(''));
  }
  await handle.close();
}

async function count(): Promise<number> {
  const began = performance.now();
  const handle = await open(ledger, 'r');
  const searches = countTrials(
    (await indexTrials({ file: ledger, handle, shown: ledger })).columns,
  );
  await handle.close();
  if (searches.length !== 7) throw new Error(`counted ${String(searches.length)} searches`);
  return performance.now() - began;
}

try {
  await writeTrials();
  const size = `${String(TRIALS)} trials`;
  const made = await count();
  process.stdout.write(`made the index of ${size} in ${(made / 1_000).toFixed(1)} s\n`);
  await measure([
    { name: `count by strategy and data, ${size}`, unit: 'ms', better: 'less', run: count },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
