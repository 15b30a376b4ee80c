import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { WindowLog } from '../../../../src/venue/rate-limit/window-log.js';

const steps = fc.array(
  fc.record({
    gapMs: fc.integer({ min: 0, max: 60 }),
    weight: fc.integer({ min: 1, max: 3 }),
    isCommand: fc.boolean(),
    commandsCount: fc.boolean(),
    /** Whether a call takes the first free share, even if it is later than now. */
    reserves: fc.boolean(),
  }),
  { maxLength: 300 },
);

const aLimit = fc.integer({ min: 1, max: 9 });

describe('WindowLog', () => {
  it('finds the same free share with calls in order as with a scan of all calls', () => {
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

  it('reserves shares that fill every window to its limit if calls always wait', () => {
    fc.assert(
      fc.property(aLimit, fc.integer({ min: 1, max: 5 }), (limit, windows) => {
        const log = new WindowLog(100, true);

        const at = Array.from({ length: limit * windows }, () => log.reserve(0, limit));

        expect(at.at(-1)).toBe((windows - 1) * 100);
      }),
    );
  });

  it('reserves each share exactly when the limit allows it', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 300 });
    fc.assert(
      fc.property(gaps, aLimit, (script, limit) => {
        const log = new WindowLog(100, true);
        const taken: number[] = [];
        let now = 0;
        for (const gapMs of script) {
          now += gapMs;
          const at = log.reserve(now, limit);
          const countedAt = (time: number): number =>
            taken.filter((one) => one > time - 100 && one <= time).length;

          expect(countedAt(at)).toBeLessThan(limit);
          if (at > now) expect(countedAt(at - 1)).toBe(limit);
          taken.push(at);
        }
      }),
    );
  });
});
