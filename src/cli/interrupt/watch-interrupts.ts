import type { InterruptPatience } from './interrupt-patience.js';

/**
 * Watches for Ctrl-C in a thread of its own, because a strategy that loops for ever blocks the main thread.
 *
 * Each Ctrl-C calls `onInterrupt`, like a SIGINT listener of the process; such listeners are not called from here on. If a blocked main thread does
 * not end the process within the patience after the first Ctrl-C, or soon after the second, the thread ends it.
 */
export function watchInterrupts(
  onInterrupt: () => void,
  { shared }: Pick<InterruptPatience, 'shared'>,
): void {
  // Not imported, because loading modules is most of the time of a short command.
  const threads = process.getBuiltinModule('node:worker_threads');
  const entry = new URL('./watch-interrupts.thread.js', import.meta.url);
  // The thread must not inherit options of the process, such as those of a debugger.
  const worker = new threads.Worker(entry, {
    execArgv: [],
    env: threads.SHARE_ENV,
    workerData: shared,
  });
  worker.on('message', onInterrupt);
  worker.unref();
}
