/** Entry of the thread of {@link startHangGuard}: waits for beats, and ends the process when they stop. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { HangGuardData } from './hang-guard.js';

const { beats, limitMs } = workerData as HangGuardData;
const counter = new Int32Array(beats);
const STDERR = 2;

let last = Atomics.load(counter, 0);
while (Atomics.wait(counter, 0, last, limitMs) !== 'timed-out') last = Atomics.load(counter, 0);

// A blocked stderr must not keep the process alive.
try {
  writeSync(
    STDERR,
    `event loop blocked for ${String(limitMs / 1_000)} s: probably an endless loop, for example in a strategy; ending the process (E_PROCESS_STUCK)\n`,
  );
} finally {
  process.kill(process.pid, 'SIGKILL');
}
