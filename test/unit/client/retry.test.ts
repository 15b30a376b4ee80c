import { describe, expect, it } from 'vitest';

import { DEFAULT_RETRY, pause, retryDelayMs } from '../../../src/client/calls/retry.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

describe('retryDelayMs', () => {
  it.each([
    [1, 0, 100],
    [1, 1, 200],
    [2, 0.5, 300],
    [3, 0, 400],
    [9, 1, 5_000],
  ])('waits after %d failures with chance %d for %d ms', (failures, chance, expected) => {
    expect(retryDelayMs(failures, DEFAULT_RETRY, () => chance)).toBe(expected);
  });
});

describe('pause', () => {
  it('ends at the given time', async () => {
    const time = new VirtualTime();
    let hasEnded = false;
    void pause(100, time, new AbortController().signal).then(() => {
      hasEnded = true;
    });

    await time.advance(99);
    const before = hasEnded;
    await time.advance(1);

    expect([before, hasEnded]).toEqual([false, true]);
  });

  it('throws the reason of an abort and leaves no timer behind', async () => {
    const time = new VirtualTime();
    const controller = new AbortController();
    const pausing = pause(100, time, controller.signal);
    await settle();

    controller.abort(new Error('stop'));

    await expect(pausing).rejects.toThrow('stop');
    expect(time.pending).toBe(0);
  });
});
