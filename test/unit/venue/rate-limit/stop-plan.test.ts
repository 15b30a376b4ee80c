import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId } from '../../../../src/domain/index.js';
import {
  planStops,
  sampleMs,
  type SampledInstrument,
} from '../../../../src/venue/rate-limit/stop-plan.js';

function contracts(count: number, intervals = 1): readonly SampledInstrument[] {
  return Array.from({ length: count }, (_, index) => ({
    instrumentId: createInstrumentId('futures', `E-C${String(index)}-USDT`),
    kind: 'futures',
    intervals: Array.from({ length: intervals }),
  }));
}

function pairs(count: number): readonly SampledInstrument[] {
  return Array.from({ length: count }, (_, index) => ({
    instrumentId: createInstrumentId('spot', `C${String(index)}USDT`),
    kind: 'spot',
    intervals: ['1min'],
  }));
}

describe('planStops', () => {
  it.each([
    // 120 calls a minute, half of them for polls: 2 × 60 s ÷ (60 − candles − 2), to the half second
    { count: 1, callMs: 2_000, allMs: 2_000 },
    { count: 5, callMs: 2_500, allMs: 12_500 },
    { count: 20, callMs: 3_000, allMs: 60_000 },
  ])('reads for stops of $count contracts every $callMs ms', ({ count, callMs, allMs }) => {
    const plan = planStops(contracts(count));

    expect(plan).toMatchObject({ contracts: count, contractCallMs: callMs });
    expect(plan.gridMs.futures).toBe(allMs);
    expect(sampleMs(plan, count, count)).toBe(allMs);
    // One contract near its level, and the account call for the marks of the others.
    expect(sampleMs(plan, 1, count)).toBe(count === 1 ? callMs : 2 * callMs);
  });

  it('samples pairs every second if half of the limit allows it', () => {
    // 20 calls per 2 s: five a second
    expect([1, 5, 6, 20].map((count) => planStops(pairs(count)).gridMs.spot)).toEqual([
      1_000, 1_000, 1_500, 4_000,
    ]);
  });

  it('counts an instrument of several bots once, and ignores a read-only instrument', () => {
    const [one] = contracts(1);
    const listened = { ...contracts(2)[1], readOnly: true } as SampledInstrument;

    expect(planStops([...contracts(1), ...(one ? [one] : []), listened])).toMatchObject({
      contracts: 1,
      gridMs: { futures: 2_000 },
    });
  });

  it('never samples more often with more instruments, and makes at most 30 calls a minute', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.integer({ min: 1, max: 4 }), fc.nat(40), (count, series, more) => {
        const [plan, larger] = [contracts(count, series), contracts(count + more, series)].map(
          (own: readonly SampledInstrument[]) => planStops(own),
        );

        expect(larger?.contractCallMs).toBeGreaterThanOrEqual(plan?.contractCallMs ?? 0);
        expect(larger?.gridMs.futures).toBeGreaterThanOrEqual(plan?.gridMs.futures ?? 0);
        expect(60_000 / (plan?.contractCallMs ?? 0)).toBeLessThanOrEqual(30);
      }),
    );
  });
});
