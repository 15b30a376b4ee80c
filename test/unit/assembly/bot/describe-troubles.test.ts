import { describe, expect, it } from 'vitest';

import { describeTroubles } from '../../../../src/assembly/bot/describe-troubles.js';

function troubles(aheadMs: number | undefined, boundMs?: number): readonly string[] {
  const none = { ban: undefined, keyRefusal: undefined, unanswered: undefined };
  return [...describeTroubles({ ...none, clock: { aheadMs, boundMs } }).values()];
}

describe('describeTroubles', () => {
  it.each([undefined, 0, 8_000, -8_000, 15_000])('accepts a clock %s ms ahead', (aheadMs) => {
    expect(troubles(aheadMs, 30_000)).toEqual([]);
  });

  it('accepts any clock where nothing is signed', () => {
    expect(troubles(90_000)).toEqual([]);
  });

  it.each([
    [20_000, '20.0 s ahead of'],
    [-20_000, '20.0 s behind'],
  ])('ends entries long before nothing can be signed: %s ms ahead', (aheadMs, words) => {
    expect(troubles(aheadMs, 30_000)).toEqual([
      `the venue's clock is ${words} this machine's; beyond 30.0 s nothing can be sent, exits included: set this machine's clock right (live.maxClockOffsetMs)`,
    ]);
  });
});
