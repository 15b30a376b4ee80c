/** What runs in the thread of `watchInterrupts`: waits for Ctrl-C, tells the process, and ends it where it was told in vain. */
import { writeSync } from 'node:fs';
import { Script } from 'node:vm';
import { parentPort } from 'node:worker_threads';

const STDERR = 2;
/** How long the process has to end itself after the second: one that hears it does, also where much else runs. */
const PATIENCE_MS = 1_000;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
// A script that a signal breaks off is the one way in which a thread hears of signals.
Object.assign(globalThis, { waitForInterrupt: () => Atomics.wait(never, 0, 0) });
const waiting = new Script('waitForInterrupt()');

function hear(): void {
  try {
    waiting.runInThisContext({ breakOnSigint: true });
  } catch {
    // Broken off.
  }
  parentPort?.postMessage('interrupted');
}

hear();
hear();
Atomics.wait(never, 0, 0, PATIENCE_MS);
// Text that nobody takes must not keep the process.
try {
  writeSync(STDERR, 'interrupted\n');
} finally {
  // The process itself does not handle the signal while nobody waits for it here: it ends as of any Ctrl-C.
  process.kill(process.pid, 'SIGINT');
}
