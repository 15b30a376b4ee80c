import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { RunningSum } from '../../../src/report/figures/running-sum.js';
import { lawRuns } from '../../support/runs.js';

/** Amounts around a power of two, in halves, wholes and thirds of the unit of floats there. */
const near = fc
  .record({
    power: fc.integer({ min: -2, max: 4 }),
    units: fc.integer({ min: -40, max: 40 }),
    parts: fc.constantFrom(1, 2, 3),
  })
  .map(({ power, units, parts }) => 2 ** power * (2 ** 52 + units / parts));

const small = fc
  .record({ units: fc.integer({ min: -40, max: 2 ** 12 }), parts: fc.constantFrom(1, 2, 3, 4, 8) })
  .map(({ units, parts }) => units / parts);

const any = fc.double({ min: -1e-300, max: 1e300, noNaN: true });

function addEach(start: number, steps: readonly (readonly [number, number])[]): number {
  let sum = start;
  for (const [term, times] of steps) for (let left = times; left > 0; left -= 1) sum += term;
  return sum;
}

describe('RunningSum', () => {
  it('equals repeated additions bit by bit, for sums of any size', () => {
    const steps = fc.array(fc.tuple(fc.oneof(small, near, any), fc.integer({ min: 1, max: 300 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.oneof(near, small, fc.constant(0)), steps, (start, drawn) => {
        const sum = new RunningSum();
        sum.addTimes(start, 1);
        for (const [term, times] of drawn) sum.addTimes(term, times);

        expect(sum.value).toBe(addEach(start, drawn));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('rounds halves to even, also repeatedly', () => {
    // Above 2^52 the unit is 1: 2^52 + 1 + 0.5 is 2^52 + 2, and so is every sum after it.
    const sum = new RunningSum();
    sum.addTimes(2 ** 52 + 1, 1);
    sum.addTimes(0.5, 7);

    expect(sum.value).toBe(2 ** 52 + 2);
  });

  it('crosses a power of two, beyond which the unit is twice as large', () => {
    const sum = new RunningSum();
    sum.addTimes(2 ** 53 - 3, 1);
    sum.addTimes(1, 10);

    // 2^53 − 2, 2^53 − 1, 2^53; then 2^53 + 1 is no float and is rounded to the even neighbor: 2^53.
    expect(sum.value).toBe(2 ** 53);
  });

  it('adds one by one if the first addition crosses a power of two', () => {
    const sum = new RunningSum();
    sum.addTimes(2 ** 53, 1);
    sum.addTimes(-3, 1);
    sum.addTimes(5, 3);

    // From 2^53 − 3 to 2^53 + 2, which is odd in units of 2; + 7 lies in the middle and becomes + 8, which is even; + 13 becomes + 12.
    expect(sum.value).toBe(2 ** 53 + 12);
  });
});
