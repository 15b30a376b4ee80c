import { describe, expect, it } from 'vitest';

import { IntentQueue, MOST_INTENTS } from '../../../../src/engine/intents/intent-queue.js';
import { exit, PLAIN_INTENTS } from '../../../../src/strategy/index.js';

/** Judges all intents. Returns their numbers, and `loop` at the end if there were more than `limit`. */
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
  it('numbers and counts a passed intent like a judged one, and does not keep it', () => {
    const queue = new IntentQueue(7);

    const numbers = [queue.pass(), queue.add(exit()), queue.pass()];

    expect(numbers).toEqual([8, 9, 10]);
    expect(queue.counts).toEqual({ judged: 3, dropped: 0 });
    expect(judge(queue, 3)).toEqual([9]);
  });

  it('counts passed intents toward the limit of an event', () => {
    const queue = new IntentQueue(0);
    queue.pass();
    queue.pass();
    queue.add(exit());

    expect(judge(queue, 2)).toEqual(['loop']);
  });

  it('resets the count of passed intents when an event begins', () => {
    const queue = new IntentQueue(0);
    queue.pass();
    queue.pass();

    queue.begin();
    queue.add(exit());

    expect(queue.passed).toBe(0);
    expect(judge(queue, 1)).toEqual([3]);
  });

  it('assigns no reserved number', () => {
    const queue = new IntentQueue(0);
    queue.reserve(new Set([1, 2]));

    expect([queue.pass(), queue.add(exit())]).toEqual([3, 4]);
  });

  it('passes an intent that changes nothing, up to the limit of an event', () => {
    const queue = new IntentQueue(7);
    queue.begin();
    expect(queue.passAgain(PLAIN_INTENTS.long)).toBeUndefined();

    queue.unchanging = PLAIN_INTENTS.long;

    expect(queue.passAgain(PLAIN_INTENTS.exit)).toBeUndefined();
    for (let passed = 1; passed <= MOST_INTENTS; passed += 1)
      expect(queue.passAgain(PLAIN_INTENTS.long)).toBe(7 + passed);
    expect(queue.passAgain(PLAIN_INTENTS.long)).toBeUndefined();
    expect(queue.passed).toBe(MOST_INTENTS);
    queue.begin();
    expect(queue.passAgain(PLAIN_INTENTS.long)).toBe(8 + MOST_INTENTS);
    expect(queue.counts).toEqual({ judged: MOST_INTENTS + 1, dropped: 0 });
  });
});
