/** What the thread of {@link startHangGuard} is started with. */
export interface HangGuardData {
  /** Holds one 32-bit number that changes while the process gets to its work. */
  readonly beats: SharedArrayBuffer;
  readonly limitMs: number;
}

export interface HangGuardOptions {
  /** How long the process may not get to its work, in ms. */
  readonly limitMs: number;
  /** Module that runs in the thread. @defaultValue the compiled one beside this */
  readonly entry?: URL;
}

const BEATS_PER_LIMIT = 20;

/**
 * Ends the process (SIGKILL, with a line on stderr) when it does not get to its work for too long: a strategy that loops for ever blocks
 * everything, the watching of stops too, and no timer of the process itself can tell. A thread of its own can.
 *
 * A bot survives that as it survives every kill; whoever supervises it starts it anew, or is told by its absence.
 *
 * @returns what ends the guard.
 */
export function startHangGuard(options: HangGuardOptions): () => void {
  const { limitMs, entry = new URL('./hang-guard.thread.js', import.meta.url) } = options;
  // Not imported: most of what a short command takes is loading.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  const data: HangGuardData = { beats, limitMs };
  // Options of the process, such as those of a debugger, are not the thread's.
  const worker = new Worker(entry, { workerData: data, execArgv: [] });
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
