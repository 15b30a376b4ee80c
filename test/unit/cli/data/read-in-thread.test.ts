import { describe, expect, it } from 'vitest';
import type { BinaryFileRequest } from '../../../../src/archive/index.js';
import { readInThread } from '../../../../src/cli/data/read-in-thread.js';

const REQUEST = { path: 'candles.parquet' } as BinaryFileRequest;

describe('readInThread', () => {
  it('fails at once if its thread ends without an answer', async () => {
    const entry = new URL(`data:text/javascript,${encodeURIComponent('process.exit(7);')}`);

    const reading = readInThread(REQUEST, { signal: undefined, entry });

    await expect(reading).rejects.toMatchObject({
      code: 'E_MISSING',
      message: expect.stringContaining('candles.parquet') as string,
    });
  });
});
