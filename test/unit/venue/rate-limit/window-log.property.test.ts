import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { WindowLog } from '../../../../src/venue/rate-limit/window-log.js';

const steps = fc.array(
  fc.record({
    gapMs: fc.integer({ min: 0, max: 60 }),
    weight: fc.integer({ min: 1, max: 3 }),
    isCommand: fc.boolean(),
    commandsCount: fc.boolean(),
    /** Whether a call takes the first share, wherever that lies. */
    reserves: fc.boolean(),
  }),
  { maxLength: 300 },
);

describe('WindowLog', () => {
  it('finds the same share where calls are counted in order as where all of them are looked at', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 4, max: 9 }), (script, limit) => {
        const inOrder = new WindowLog(100, true);
        const plain = new WindowLog(100);
        let now = 0;
        for (const { gapMs, weight, isCommand, commandsCount, reserves } of script) {
          now += gapMs;
          for (const log of [inOrder, plain]) log.forget(now);
          const question = { from: now, weight, limit, commandsCount };
          const at = plain.earliest(question);

          expect(inOrder.earliest(question)).toBe(at);
          expect(inOrder.isEmpty).toBe(plain.isEmpty);
          expect(inOrder.used(now)).toBe(plain.used(now));
          if (!reserves && at > now) continue;
          for (const log of [inOrder, plain]) log.add({ weight, isCommand, countedBy: at });
        }
      }),
    );
  });
});
