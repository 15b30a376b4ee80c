import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MovingSum } from '../../../../src/strategy/indicators/moving-sum.js';

/** The last `length` numbers, added up from 0, oldest first; NaN before there are so many. */
function sumAfresh(values: readonly number[], length: number): number {
  if (values.length < length) return Number.NaN;
  return values.slice(-length).reduce((sum, value) => sum + value, 0);
}

const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 1e300, 5e-324);

describe('MovingSum', () => {
  it('equals the sum of the window, added up afresh, to the last bit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.oneof({ weight: 12, arbitrary: fc.double() }, { weight: 1, arbitrary: odd })),
        (length, values) => {
          const sum = new MovingSum(length);
          for (const [index, value] of values.entries()) {
            sum.push(value);
            const expected = sumAfresh(values.slice(0, index + 1), length);
            expect(sum.value).toBe(expected);
            expect(sum.mean).toBe(expected / length);
          }
        },
      ),
    );
  });
});
