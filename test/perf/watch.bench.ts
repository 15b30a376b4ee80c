/** The time of `backtest --watch` on a year of hours: from saving a changed parameter to the new figures. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { measure } from './measure.js';
import { MAIN } from './processes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONFIG = 'config/sma-crossover.backtest.yaml';
const WAITS = 'waiting for a change';

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
for (const name of ['config', 'strategies', 'backtest/data'])
  cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });

const watched = spawn(process.execPath, [MAIN, 'backtest', CONFIG, '--watch'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'pipe'],
});
let told = '';
for (const stream of [watched.stdout, watched.stderr])
  stream.on('data', (text: Buffer) => {
    told += text.toString();
  });

/** Waits until the watch has printed a run. */
async function untilTold(): Promise<void> {
  while (!told.includes(WAITS)) {
    if (watched.exitCode !== null) throw new Error(`the watch has ended: ${told}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

let fast = 10;
async function save(): Promise<number> {
  const file = path.join(folder, CONFIG);
  const text = readFileSync(file, 'utf8');
  const next = fast === 10 ? 11 : 10;
  told = '';
  const begun = performance.now();
  writeFileSync(file, text.replace(`fast: ${String(fast)}`, `fast: ${String(next)}`));
  fast = next;
  await untilTold();
  const seconds = (performance.now() - begun) / 1_000;
  if (!told.includes(' → ')) throw new Error(`expected other figures, received ${told}`);
  return seconds;
}

try {
  await untilTold();
  await measure([{ name: 'save to figures', unit: 's', better: 'less', run: save }]);
} finally {
  watched.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
