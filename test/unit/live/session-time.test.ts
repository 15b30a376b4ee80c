import { describe, expect, it } from 'vitest';
import { pauseFor } from '../../../src/live/session/session-time.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

describe('pauseFor', () => {
  it('resolves after its time, and leaves no timer and no listener that acts', async () => {
    const time = new VirtualTime();
    const end = new AbortController();
    const done: string[] = [];

    void pauseFor(time, 1_000, end.signal).then(() => done.push('over'));
    await time.advance(999);
    const before = [...done];
    await time.advance(1);
    end.abort(new Error('late'));
    await settle();

    expect([before, done, time.pending]).toEqual([[], ['over'], 0]);
  });

  it('rejects with the reason of its signal, also if that was aborted before it began', async () => {
    const time = new VirtualTime();
    const end = new AbortController();
    const first = pauseFor(time, 1_000, end.signal);

    end.abort(new Error('the session has ended'));

    await expect(first).rejects.toThrow('the session has ended');
    await expect(pauseFor(time, 1_000, end.signal)).rejects.toThrow('the session has ended');
    expect(time.pending).toBe(0);
  });
});
