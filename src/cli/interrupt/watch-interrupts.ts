/**
 * Hears Ctrl-C in a thread of its own: a strategy that loops for ever keeps the process from hearing anything.
 *
 * Each Ctrl-C calls `onInterrupt`, as a listener of the process would, which is not called from here on. Where that does not end the process
 * after the second one, because the process does not get to it, the thread does.
 */
export function watchInterrupts(onInterrupt: () => void): void {
  // Not imported: most of what a short command takes is loading.
  const threads = process.getBuiltinModule('node:worker_threads');
  const entry = new URL('./watch-interrupts.thread.js', import.meta.url);
  // Options of the process, such as those of a debugger, are not the thread's.
  const worker = new threads.Worker(entry, { execArgv: [], env: threads.SHARE_ENV });
  worker.on('message', onInterrupt);
  worker.unref();
}
