import { describe, expect, it } from 'vitest';

import { UnansweredCalls } from '../../../src/client/calls/unanswered-calls.js';

const KLINES = 'spot.klines of BTCUSDT';

describe('UnansweredCalls', () => {
  it('names a call without an answer for six seconds until it is answered, even if it was repeated', () => {
    const calls = new UnansweredCalls();
    const first = calls.begin(KLINES, 0);
    const second = calls.begin(KLINES, 3_000);
    first('given up', 5_000);

    expect(calls.late(5_999)).toBeUndefined();
    expect(calls.late(6_000)).toEqual({ name: KLINES, since: 0 });
    second('failed', 10_000);
    expect(calls.late(12_000)).toEqual({ name: KLINES, since: 0 });
    const third = calls.begin(KLINES, 13_000);
    expect(calls.late(40_000)).toEqual({ name: KLINES, since: 0 });
    third('answered', 41_000);
    expect(calls.late(41_000)).toBeUndefined();
  });

  it('distinguishes instruments, and names the call that has waited longest', () => {
    const calls = new UnansweredCalls();
    calls.begin('spot.klines of ETHUSDT', 1_000);
    calls.begin(KLINES, 0);
    calls.begin('spot.ticker of BTCUSDT', 0)('answered', 50);

    expect(calls.late(10_000)).toEqual({ name: KLINES, since: 0 });
  });

  it('forgets a call that was aborted, or that failed and was not repeated', () => {
    const calls = new UnansweredCalls();
    calls.begin(KLINES, 0)('given up', 7_000);
    expect(calls.late(7_000)).toBeUndefined();

    calls.begin(KLINES, 10_000)('failed', 20_000);
    expect(calls.late(35_000)).toEqual({ name: KLINES, since: 10_000 });
    expect(calls.late(35_001)).toBeUndefined();
    calls.begin(KLINES, 40_000);
    expect(calls.late(45_000)).toBeUndefined();
  });
});
