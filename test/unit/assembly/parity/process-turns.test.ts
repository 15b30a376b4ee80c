import { describe, expect, it } from 'vitest';
import { ProcessTurns } from '../../../../src/assembly/parity/process-turns.js';

const breathe = (): Promise<void> => Promise.resolve();

describe('ProcessTurns', () => {
  it('ends with what the run is interrupted with, at the next turn', async () => {
    const controller = new AbortController();
    const turns = new ProcessTurns({ breathe, signal: controller.signal });

    await turns.next();
    controller.abort(new Error('interrupted'));

    await expect(turns.next()).rejects.toThrow('interrupted');
  });

  it('does not wait for a promise that never settles once the run is interrupted', async () => {
    const controller = new AbortController();
    const turns = new ProcessTurns({ breathe, signal: controller.signal });
    const waiting = turns.until(new Promise(() => undefined));

    controller.abort(new Error('interrupted'));

    await expect(waiting).rejects.toThrow('interrupted');
  });

  it('gives what a promise gives, and works without a signal', async () => {
    const turns = new ProcessTurns({ breathe });

    await turns.next();

    expect(await turns.until(Promise.resolve(3))).toBe(3);
  });
});
