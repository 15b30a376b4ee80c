import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AttemptCounter } from '../../../../src/engine/orders/attempt-counter.js';

describe('AttemptCounter', () => {
  it('counts the proposals of each intent from 0, in any order of intents', () => {
    const intents = fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: 100_000 }));
    fc.assert(
      fc.property(fc.array(intents, { maxLength: 200 }), (asked) => {
        const counter = new AttemptCounter();
        const counts = new Map<number, number>();
        for (const intentId of asked) {
          const expected = counts.get(intentId) ?? 0;
          expect(counter.next(intentId)).toBe(expected);
          counts.set(intentId, expected + 1);
        }
      }),
    );
  });
});
