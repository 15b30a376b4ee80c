import type { Worker } from 'node:worker_threads';
import { reasonOf } from '../../domain/index.js';

/** Data of the thread of {@link startHangGuard}. */
export interface HangGuardData {
  /** Holds one 32-bit number that changes while the event loop runs. */
  readonly beats: SharedArrayBuffer;
  readonly limitMs: number;
}

interface HangGuardOptions {
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
  const { limitMs, entry = new URL('./hang-guard.thread.js', import.meta.url) } = options;
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  const data: HangGuardData = { beats, limitMs };
  // The bots of this process have to go on without the thread, for example if there is no memory for it.
  const notStarted = (error: unknown): void => {
    options.say(`no thread watches for a blocked event loop: ${reasonOf(error)}`);
  };
  const worker = startThread(entry, data, notStarted);
  worker?.on('error', notStarted);
  worker?.unref();
  const timer = setInterval(() => {
    Atomics.add(counter, 0, 1);
    Atomics.notify(counter, 0);
  }, limitMs / BEATS_PER_LIMIT);
  timer.unref();
  return () => {
    clearInterval(timer);
    void worker?.terminate();
  };
}

function startThread(
  entry: URL,
  workerData: HangGuardData,
  notStarted: (error: unknown) => void,
): Worker | undefined {
  // Not imported, because loading modules is most of the time of a short command.
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
  try {
    // The thread must not inherit options of the process, such as those of a debugger.
    return new Thread(entry, { workerData, execArgv: [] });
  } catch (error: unknown) {
    notStarted(error);
    return undefined;
  }
}
