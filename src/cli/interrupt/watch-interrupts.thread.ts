/**
 * Runs in the thread of `watchInterrupts`: waits for Ctrl-C, tells the process, and ends the process if it does not react. Meanwhile it says when a strategy
 * file does not end loading.
 */
import { writeSync } from 'node:fs';
import { Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { interruptPatience } from './interrupt-patience.js';
import type { InterruptWatch } from './watch-interrupts.js';

const STDERR = 2;
/** Time for the process to end itself after the second Ctrl-C. A process whose main thread is not blocked needs less, even on a busy machine. */
const OWN_END_MS = 1_000;
/** After the patience with the first Ctrl-C, the main thread ends the process itself if it is not blocked. */
const FIRST_MS = 500;

const { shared, loadingMs } = workerData as InterruptWatch;
const patience = interruptPatience(shared);
let heard = 0;
let endsAt = Infinity;
/** Count of strategy files that are being loaded, as seen last, and when to say that this takes too long. */
let loading = 0;
let saysAt = Infinity;

// A thread notices signals only by a script that a signal breaks off.
const BREAKS_OFF = { breakOnSigint: true } as const;
Object.assign(globalThis, {
  waitForInterrupt,
  listen,
});
const waiting = new Script('waitForInterrupt()');
const listening = new Script('listen()');

/** Returns when the patience has ended. A signal breaks it off. */
function waitForInterrupt(): void {
  while (performance.now() < endsAt) {
    const seen = patience.loading;
    if (seen !== loading) {
      loading = seen;
      saysAt = seen > 0 ? performance.now() + loadingMs : Infinity;
    }
    if (patience.awaitLoading(seen, Math.min(endsAt, saysAt) - performance.now())) continue;
    if (performance.now() < saysAt) continue;
    saysAt = Infinity;
    sayLoading();
  }
}

function sayLoading(): void {
  try {
    writeSync(
      STDERR,
      `a strategy file has been loading for ${String(loadingMs / 1_000)} s: probably an endless loop at its top level, outside of the class; Ctrl-C ends the command\n`,
    );
  } catch {
    // A stderr that takes nothing must not look like Ctrl-C.
  }
}

/** Waits in the script, again after each signal, until the patience has ended. */
function listen(script = waiting): void {
  for (;;) {
    try {
      script.runInThisContext(BREAKS_OFF);
      if (heard > 1 || !patience.isEndless) return;
      endsAt = Infinity;
    } catch {
      heard += 1;
      if (heard === 1) endsAt = performance.now() + patience.limitMs + FIRST_MS;
      if (heard === 2) endsAt = Math.min(endsAt, performance.now() + OWN_END_MS);
      parentPort?.postMessage('interrupted');
    }
  }
}

// One script runs within the other. Otherwise a signal between two runs of the inner script would end the process at once.
listen(listening);
// A blocked stderr must not keep the process alive.
try {
  writeSync(STDERR, 'interrupted\n');
} finally {
  // No script waits for the signal any more, and the process does not handle it itself: so SIGINT ends it, like any Ctrl-C.
  process.kill(process.pid, 'SIGINT');
}
