import { describe, expect, it } from 'vitest';

import { IntentQueue } from '../../../src/engine/intent-queue.js';
import { exit } from '../../../src/strategy/index.js';

/** Judges everything; returns the numbers judged, with `loop` where there were too many. */
function judge(queue: IntentQueue, limit: number): readonly (number | string)[] {
  const judged: (number | string)[] = [];
  try {
    queue.judge(
      limit,
      (intentId) => judged.push(intentId),
      () => {
        throw new Error('loop');
      },
    );
  } catch (error) {
    judged.push(error instanceof Error ? error.message : String(error));
  }
  return judged;
}

describe('IntentQueue', () => {
  it('numbers and counts an intent that passes like one that is judged, and does not keep it', () => {
    const queue = new IntentQueue(7);

    const numbers = [queue.pass(), queue.add(exit()), queue.pass()];

    expect(numbers).toEqual([8, 9, 10]);
    expect(queue.counts).toEqual({ judged: 3, dropped: 0 });
    expect(judge(queue, 3)).toEqual([9]);
  });

  it('counts those that passed toward the most of an event', () => {
    const queue = new IntentQueue(0);
    queue.pass();
    queue.pass();
    queue.add(exit());

    expect(judge(queue, 2)).toEqual(['loop']);
  });

  it('forgets those that passed when an event begins', () => {
    const queue = new IntentQueue(0);
    queue.pass();
    queue.pass();

    queue.begin();
    queue.add(exit());

    expect(queue.passed).toBe(0);
    expect(judge(queue, 1)).toEqual([3]);
  });

  it('gives out no number that is reserved', () => {
    const queue = new IntentQueue(0);
    queue.reserve(new Set([1, 2]));

    expect([queue.pass(), queue.add(exit())]).toEqual([3, 4]);
  });
});
