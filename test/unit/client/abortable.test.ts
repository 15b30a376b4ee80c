import { describe, expect, it, onTestFinished } from 'vitest';
import { abortable } from '../../../src/client/http/abortable.js';

describe('abortable', () => {
  it('handles a failure of the work after the wait was aborted', async () => {
    const unheard: unknown[] = [];
    const hear = (error: unknown): void => void unheard.push(error);
    process.on('unhandledRejection', hear);
    onTestFinished(() => void process.off('unhandledRejection', hear));
    const stopped = AbortSignal.abort(new Error('stopped'));
    let fail = (): void => undefined;
    const work = new Promise<never>((_, reject) => {
      fail = () => {
        reject(new Error('the client was closed'));
      };
    });

    await expect(abortable(work, stopped)).rejects.toThrow('stopped');
    fail();
    await new Promise((resolve) => void setTimeout(resolve, 5));

    expect(unheard).toEqual([]);
  });
});
