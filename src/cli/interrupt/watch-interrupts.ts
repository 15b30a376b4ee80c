import { SHARE_ENV, Worker } from 'node:worker_threads';

/**
 * Hears Ctrl-C in a thread of its own: a strategy that loops for ever keeps the process from hearing anything.
 *
 * Each Ctrl-C calls `onInterrupt`, as a listener of the process would, which is not called from here on. Where that does not end the process
 * after the second one, because the process does not get to it, the thread does.
 */
export function watchInterrupts(onInterrupt: () => void): void {
  const entry = new URL('./watch-interrupts.thread.js', import.meta.url);
  // Options of the process, such as those of a debugger, are not the thread's.
  const worker = new Worker(entry, { execArgv: [], env: SHARE_ENV });
  worker.on('message', onInterrupt);
  worker.unref();
}
