import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { TimerQueue } from '../../../../src/engine/time/timer-queue.js';
import type { VirtualTimer } from '../../../../src/engine/time/virtual-timer.js';

const nothing = (): void => undefined;

describe('TimerQueue', () => {
  it('returns timers by due time, then in the order in which they were set', () => {
    const step = fc.record({ delay: fc.integer({ min: 1, max: 50 }), isCanceled: fc.boolean() });

    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
        const queue = new TimerQueue();
        const timers = steps.map(({ delay }) => queue.once(nothing, delay));
        steps.forEach(({ isCanceled }, index) => {
          if (isCanceled) timers[index]?.cancel();
        });

        const taken: VirtualTimer[] = [];
        for (let timer = queue.take(50); timer !== undefined; timer = queue.take(50))
          taken.push(timer);

        const expected = timers
          .filter(({ isCanceled }) => !isCanceled)
          .toSorted((a, b) => a.due - b.due || a.sequence - b.sequence);
        expect(taken).toEqual(expected);
        expect(queue.nextDue()).toBe(Infinity);
      }),
    );
  });

  it('returns no timer before it is due', () => {
    const queue = new TimerQueue();
    queue.once(nothing, 100);

    expect(queue.take(99)).toBeUndefined();
    expect(queue.nextDue()).toBe(100);
  });

  it.each([
    { delayMs: 0, due: 1_001 },
    { delayMs: 0.9, due: 1_001 },
    { delayMs: -5, due: 1_001 },
    { delayMs: Number.NaN, due: 1_001 },
    { delayMs: 2.9, due: 1_002 },
    { delayMs: 2 ** 40, due: 1_000 + 2 ** 40 },
  ])(
    'rounds a delay of $delayMs ms down to whole milliseconds, at least one',
    ({ delayMs, due }) => {
      const queue = new TimerQueue();

      queue.repeat(nothing, 1_000, delayMs);

      expect(queue.nextDue()).toBe(due);
    },
  );

  it('repeats a timer until it is canceled', () => {
    const queue = new TimerQueue();
    const timer = queue.repeat(nothing, 0, 10);

    const first = queue.take(10);
    queue.again(timer);
    const due = queue.nextDue();
    timer.cancel();

    expect(first).toBe(timer);
    expect(due).toBe(20);
    expect(queue.nextDue()).toBe(Infinity);
  });

  it('removes canceled timers, however late they are due', () => {
    const queue = new TimerQueue();
    const kept = queue.once(nothing, 5);

    for (let count = 0; count < 100_000; count += 1) queue.once(nothing, 10 ** 9).cancel();

    expect(queue.size).toBeLessThan(3_000);
    expect(queue.take(5)).toBe(kept);
  });

  it('keeps the order of the other timers when it removes canceled ones', () => {
    const queue = new TimerQueue();
    const kept: VirtualTimer[] = [];
    for (let count = 0; count < 10_000; count += 1) {
      const timer = queue.once(nothing, (count * 7_919) % 10_007);
      if (count % 10 === 0) kept.push(timer);
      else timer.cancel();
    }

    const taken: VirtualTimer[] = [];
    for (let timer = queue.take(20_000); timer !== undefined; timer = queue.take(20_000))
      taken.push(timer);

    expect(taken).toEqual(kept.toSorted((a, b) => a.due - b.due));
  });
});
