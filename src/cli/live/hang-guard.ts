import { reasonOf } from '../../domain/index.js';

/** Data of the thread of {@link startHangGuard}. */
export interface HangGuardData {
  /** Holds one 32-bit number that changes while the event loop runs. */
  readonly beats: SharedArrayBuffer;
  readonly limitMs: number;
}

export interface HangGuardOptions {
  /** Longest time that the event loop may be blocked, in ms. */
  readonly limitMs: number;
  /** Module that runs in the thread. @defaultValue the compiled one beside this */
  readonly entry?: URL;
  /** Tells the operator that the thread cannot run, and why. */
  readonly say: (line: string) => void;
}

const BEATS_PER_LIMIT = 20;

/**
 * Ends the process (SIGKILL, with a line on stderr) when its event loop is blocked for too long. A strategy that loops for ever blocks
 * everything, including the watch of stops, and no timer of the process can notice it. A separate thread can.
 *
 * A bot survives this like any other kill. A supervisor starts it again, or notices that it is gone.
 *
 * @returns a function that ends the guard.
 */
export function startHangGuard(options: HangGuardOptions): () => void {
  const { limitMs, say, entry = new URL('./hang-guard.thread.js', import.meta.url) } = options;
  // Not imported, because loading modules is most of the time of a short command.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  const data: HangGuardData = { beats, limitMs };
  // The thread must not inherit options of the process, such as those of a debugger.
  const worker = new Worker(entry, { workerData: data, execArgv: [] });
  // For example without memory for a thread. The bots of this process have to go on.
  worker.on('error', (error) => {
    say(`no thread watches for a blocked event loop: ${reasonOf(error)}`);
  });
  worker.unref();
  const timer = setInterval(() => {
    Atomics.add(counter, 0, 1);
    Atomics.notify(counter, 0);
  }, limitMs / BEATS_PER_LIMIT);
  timer.unref();
  return () => {
    clearInterval(timer);
    void worker.terminate();
  };
}
