import type { InterruptPatience } from './interrupt-patience.js';

/** Data of the thread of {@link watchInterrupts}. */
export interface InterruptWatch {
  readonly shared: Int32Array<SharedArrayBuffer>;
  readonly loadingMs: number;
}

/** No strategy file takes so long to load, even on a busy machine. */
const LOADING_MS = 10_000;

/**
 * Watches for Ctrl-C in a thread of its own, because a strategy that loops for ever blocks the main thread.
 *
 * Each Ctrl-C calls `onInterrupt`, like a SIGINT listener of the process; such listeners are not called from here on. If a blocked main thread does
 * not end the process within the patience after the first Ctrl-C, or soon after the second, the thread ends it. If a strategy file is being loaded for
 * longer than `loadingMs`, the thread says so on stderr.
 */
export function watchInterrupts(
  onInterrupt: () => void,
  { shared }: Pick<InterruptPatience, 'shared'>,
  loadingMs = LOADING_MS,
): void {
  // Not imported, because loading modules is most of the time of a short command.
  const threads = process.getBuiltinModule('node:worker_threads');
  const entry = new URL('./watch-interrupts.thread.js', import.meta.url);
  // The thread must not inherit options of the process, such as those of a debugger.
  const worker = new threads.Worker(entry, {
    execArgv: [],
    env: threads.SHARE_ENV,
    workerData: { shared, loadingMs },
  });
  worker.on('message', onInterrupt);
  worker.unref();
}
