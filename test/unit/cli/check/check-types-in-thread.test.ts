import { describe, expect, it } from 'vitest';
import { checkTypesInThread } from '../../../../src/cli/check/check-types-in-thread.js';

const UNENDING = new AbortController().signal;

function thread(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

describe('checkTypesInThread', () => {
  it('returns the answer of its thread', async () => {
    const entry = thread(
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ answer: 1 });",
    );

    expect(await checkTypesInThread('a.ts', UNENDING, entry)).toEqual({ answer: 1 });
  });

  it('fails if its thread ends without an answer', async () => {
    const checking = checkTypesInThread('a.ts', UNENDING, thread('process.exit(7);'));

    await expect(checking).rejects.toMatchObject({
      code: 'E_MISSING',
      message: expect.stringContaining('a.ts') as string,
    });
  });

  it('fails with the error of its thread', async () => {
    const checking = checkTypesInThread('a.ts', UNENDING, thread("throw new Error('broken');"));

    await expect(checking).rejects.toThrow('broken');
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const checking = checkTypesInThread(
      'a.ts',
      controller.signal,
      thread('setInterval(() => 0, 1000);'),
    );

    controller.abort();

    await expect(checking).rejects.toMatchObject({ name: 'AbortError' });
  });
});
