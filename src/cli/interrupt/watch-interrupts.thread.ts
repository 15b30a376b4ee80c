/** What runs in the thread of `watchInterrupts`: waits for Ctrl-C, tells the process, and ends it where it was told in vain. */
import { writeSync } from 'node:fs';
import { Script } from 'node:vm';
import { parentPort } from 'node:worker_threads';

const STDERR = 2;
/** How long the process has to end itself after the second: one that hears it does, also where much else runs. */
const PATIENCE_MS = 1_000;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
let heard = 0;
let endsAt = Infinity;

// A script that a signal breaks off is the one way in which a thread hears of signals.
const BREAKS_OFF = { breakOnSigint: true } as const;
Object.assign(globalThis, {
  waitForInterrupt: () => Atomics.wait(never, 0, 0, endsAt - performance.now()),
  listen,
});
const waiting = new Script('waitForInterrupt()');
const listening = new Script('listen()');

/** Waits in this script until the patience has ended, however often it is broken off. */
function listen(script = waiting): void {
  for (;;) {
    try {
      script.runInThisContext(BREAKS_OFF);
      return;
    } catch {
      heard += 1;
      if (heard === 2) endsAt = performance.now() + PATIENCE_MS;
      parentPort?.postMessage('interrupted');
    }
  }
}

// One script within the other: a signal that comes while the inner one begins again would end the process at once.
listen(listening);
// Text that nobody takes must not keep the process.
try {
  writeSync(STDERR, 'interrupted\n');
} finally {
  // The process itself does not handle the signal while nobody waits for it here: it ends as of any Ctrl-C.
  process.kill(process.pid, 'SIGINT');
}
