import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { InvariantError } from '../../domain/index.js';
import type { TypeCheck } from './check-types.js';

/**
 * Checks the types of a plugin like `checkPluginTypes`, but in a thread. So the main thread hears Ctrl-C during the seconds that the compiler needs, and
 * the compiler leaves nothing in the memory of a process that runs for weeks.
 *
 * @throws an AbortError when the signal is aborted; the error of the thread; {@link InvariantError} `E_MISSING` if the thread ends without an answer.
 */
export async function checkTypesInThread(
  plugin: string,
  signal: AbortSignal,
  entry = new URL('./check-types.thread.js', import.meta.url),
): Promise<TypeCheck> {
  signal.throwIfAborted();
  const worker = new Worker(entry, { workerData: plugin });
  try {
    return await Promise.race([answerOf(worker, signal), noAnswer(worker, plugin)]);
  } finally {
    await worker.terminate();
  }
}

async function answerOf(worker: Worker, signal: AbortSignal): Promise<TypeCheck> {
  const [answer] = (await once(worker, 'message', { signal })) as [TypeCheck];
  return answer;
}

function noAnswer(worker: Worker, plugin: string): Promise<never> {
  return new Promise((_, reject) => {
    worker.once('exit', (code) => {
      const text = `${plugin}: the thread that checks its types ended with ${String(code)} and without an answer`;
      reject(new InvariantError('E_MISSING', text));
    });
  });
}
