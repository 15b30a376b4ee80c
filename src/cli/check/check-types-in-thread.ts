import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TypeCheck } from './check-types.js';

/** Checks the types of a plugin like `checkPluginTypes`, but in a thread. So the compiler leaves nothing in the memory of a process that runs for weeks. */
export async function checkTypesInThread(
  plugin: string,
  entry = new URL('./check-types.thread.js', import.meta.url),
): Promise<TypeCheck> {
  const worker = new Worker(entry, { workerData: plugin });
  try {
    const [answer] = (await once(worker, 'message')) as [TypeCheck];
    return answer;
  } finally {
    await worker.terminate();
  }
}
