import { describe, expect, it } from 'vitest';

import { SharedReadings } from '../../../src/feed/shared-readings.js';
import { VirtualTime } from '../../support/virtual-time.js';

const NEVER = new AbortController().signal;

/** Readings that take 100 ms and return the time of their start. They fail while `fails` is true. */
function someReadings() {
  const time = new VirtualTime(0);
  const calls: { readonly key: string; readonly signal: AbortSignal }[] = [];
  const state = { fails: false };
  const readings = new SharedReadings<string, number>(time, async (key, signal) => {
    const began = time.now();
    calls.push({ key, signal });
    await new Promise<void>((resolve) => void time.after(100, resolve));
    if (state.fails) throw new Error('no answer');
    return began;
  });
  return { time, calls, state, readings };
}

describe('SharedReadings', () => {
  it('answers equal requests with one call, also while the call is pending', async () => {
    const { time, calls, readings } = someReadings();
    const first = readings.read('a', { since: 0, signal: NEVER });
    await time.advance(50);
    const second = readings.read('a', { since: 50, signal: NEVER });
    const other = readings.read('b', { since: 50, signal: NEVER });

    await time.advance(100);

    expect(await Promise.all([first, second, other])).toEqual([0, 0, 50]);
    expect(calls.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('reads again only if the latest reading is too old', async () => {
    const { time, calls, readings } = someReadings();
    const first = readings.read('a', { since: 0, signal: NEVER });
    await time.advance(1_000);

    const second = readings.read('a', { since: 0, signal: NEVER });
    const third = readings.read('a', { since: 1_000, signal: NEVER });
    await time.advance(100);

    expect(await Promise.all([first, second, third])).toEqual([0, 0, 1_000]);
    expect(calls).toHaveLength(2);
  });

  it('forgets a failed reading', async () => {
    const { time, state, readings } = someReadings();
    state.fails = true;
    const failed = readings.read('a', { since: 0, signal: NEVER });
    const outcome = expect(failed).rejects.toThrow('no answer');
    await time.advance(100);
    await outcome;

    state.fails = false;
    const second = readings.read('a', { since: 0, signal: NEVER });
    await time.advance(100);

    expect(await second).toBe(100);
  });

  it('aborts the call only when the last reader gives up', async () => {
    const { time, calls, readings } = someReadings();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = readings.read('a', { since: 0, signal: one.signal });
    const second = readings.read('a', { since: 0, signal: two.signal });

    one.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    const before = calls[0]?.signal.aborted;
    two.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');

    expect([before, calls[0]?.signal.aborted]).toEqual([false, true]);
    const third = readings.read('a', { since: 0, signal: NEVER });
    await time.advance(100);
    expect(await third).toBe(0);
    expect(calls).toHaveLength(2);
  });

  it('repeats a call without an answer, and gives all readers the first answer', async () => {
    const time = new VirtualTime(0);
    const began: { readonly at: number; readonly signal: AbortSignal }[] = [];
    // Calls before 8 s never get an answer: the network is down until then.
    const readings = new SharedReadings<string, number>(
      time,
      (_, signal) => {
        const at = time.now();
        began.push({ at, signal });
        return new Promise((resolve) => {
          if (at >= 8_000) time.after(100, () => resolve(at));
        });
      },
      { againAfterMs: 3_000 },
    );
    const first = readings.read('a', { since: 0, signal: NEVER });
    await time.advance(1_000);
    const second = readings.read('a', { since: 1_000, signal: NEVER });

    await time.advance(9_500);

    expect(await Promise.all([first, second])).toEqual([9_000, 9_000]);
    expect(began.map(({ at }) => at)).toEqual([0, 3_000, 6_000, 9_000]);
    // The earlier calls are aborted, because no reader waits for them.
    expect(began.map(({ signal }) => signal.aborted)).toEqual([true, true, true, false]);
  });

  it('does not repeat a call that waits for its turn, and reports the time when it leaves', async () => {
    const time = new VirtualTime(0);
    const turns: ((isWaiting: boolean) => void)[] = [];
    const readings = new SharedReadings<string, number>(
      time,
      (_key, _signal, onTurn) => {
        turns.push(onTurn);
        onTurn(true);
        return new Promise(() => undefined);
      },
      { againAfterMs: 3_000 },
    );
    const left: (number | undefined)[] = [];
    const onTurn = (at: number | undefined): void => void left.push(at);
    void readings.read('a', { since: 0, signal: NEVER, onTurn });

    await time.advance(20_000);
    expect([turns.length, left]).toEqual([1, [undefined]]);
    turns[0]?.(false);
    await time.advance(2_999);
    expect([turns.length, left]).toEqual([1, [undefined, 20_000]]);
    await time.advance(1);
    expect(turns).toHaveLength(2);
  });
});
