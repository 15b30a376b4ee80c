import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { rangeOf } from '../../../src/domain/index.js';

describe('rangeOf', () => {
  it('has the lowest and the highest number', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 50 }), (drawn) => {
        // Without -0, which `Math.min` tells from 0.
        const values = drawn.map((value) => value + 0);
        expect(rangeOf(values)).toEqual([Math.min(...values), Math.max(...values)]);
      }),
    );
  });

  it('takes more numbers than a call has room for', () => {
    const values = Array.from({ length: 1_000_000 }, (_, at) => at);
    expect(() => Math.max(...values)).toThrow(RangeError);
    expect(rangeOf(values)).toEqual([0, 999_999]);
  });
});
