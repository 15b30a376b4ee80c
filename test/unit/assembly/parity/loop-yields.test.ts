import { describe, expect, it } from 'vitest';
import { LoopYields } from '../../../../src/assembly/parity/loop-yields.js';

const breathe = (): Promise<void> => Promise.resolve();

describe('LoopYields', () => {
  it('throws the reason of an interrupt at the next turn', async () => {
    const controller = new AbortController();
    const yields = new LoopYields({ breathe, signal: controller.signal });

    await yields.next();
    controller.abort(new Error('interrupted'));

    await expect(yields.next()).rejects.toThrow('interrupted');
  });

  it('does not wait for a promise that never settles once the run is interrupted', async () => {
    const controller = new AbortController();
    const yields = new LoopYields({ breathe, signal: controller.signal });
    const waiting = yields.until(new Promise(() => undefined));

    controller.abort(new Error('interrupted'));

    await expect(waiting).rejects.toThrow('interrupted');
  });

  it('returns the value of a promise, and works without a signal', async () => {
    const yields = new LoopYields({ breathe });

    await yields.next();

    expect(await yields.until(Promise.resolve(3))).toBe(3);
  });
});
