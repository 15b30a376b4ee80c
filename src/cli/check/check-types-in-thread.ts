import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TypeCheck } from './check-types.js';

/**
 * Checks the types of a plugin like `checkPluginTypes`, but in a thread. So the main thread hears Ctrl-C during the seconds that the compiler needs, and
 * the compiler leaves nothing in the memory of a process that runs for weeks.
 *
 * @throws an AbortError when the signal is aborted.
 */
export async function checkTypesInThread(
  plugin: string,
  signal: AbortSignal,
  entry = new URL('./check-types.thread.js', import.meta.url),
): Promise<TypeCheck> {
  signal.throwIfAborted();
  const worker = new Worker(entry, { workerData: plugin });
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [TypeCheck];
    return answer;
  } finally {
    await worker.terminate();
  }
}
