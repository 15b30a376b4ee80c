import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOfRule } from '../../../src/venue/index.js';

describe('shareOfRule', () => {
  it('law: allows as many calls as fit into its share, which is at least half of it', () => {
    const limit = fc.integer({ min: 1, max: 200 });
    const share = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(limit, fc.integer({ min: 100, max: 60_000 }), share, (calls, windowMs, ratio) => {
        const rule = shareOfRule({ id: 'klines', limit: calls, windowMs }, ratio);

        const rate = rule.limit / rule.windowMs;
        const wanted = (ratio * calls) / windowMs;
        expect(rate).toBeLessThanOrEqual(wanted * (1 + 1e-12));
        expect(rate).toBeGreaterThan(wanted * 0.5);
        // One call more, or a window one ms shorter, would be above the share.
        const next =
          ratio * calls < 1 ? rule.limit / (rule.windowMs - 1) : (rule.limit + 1) / rule.windowMs;
        expect(next).toBeGreaterThan(wanted * (1 - 1e-12));
        expect(rule.limit).toBeLessThanOrEqual(calls);
      }),
    );
  });

  it.each([
    [2, 1_000, 0.25, 1, 2_000],
    [20, 2_000, 0.25, 5, 2_000],
    [10, 1_000, 1, 10, 1_000],
    [3, 1_000, 0.1, 1, 3_334],
  ])('of %d per %d ms a share of %d is %d per %d ms', (limit, windowMs, share, calls, perMs) => {
    expect(shareOfRule({ id: 'a', limit, windowMs }, share)).toEqual({
      id: 'a',
      limit: calls,
      windowMs: perMs,
    });
  });
});
