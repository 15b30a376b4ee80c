import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { unpackColumns } from '../../../src/page/browser/unpack-columns.js';
import { packColumns } from '../../../src/page/run/pack-columns.js';

const nothing = fc.constant(null);

/** Times of fills: many at one time, or minutes apart. A time may be missing. */
const times = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 5 }) }, nothing))
  .map((steps) => {
    let time = 1_700_000_040_000;
    return steps.map((step) => (step === null ? null : (time += step * 60_000)));
  });

const amount = fc
  .tuple(fc.integer(), fc.nat({ max: 8 }))
  .map(([units, decimals]) => `${String(units)}.${'0'.repeat(decimals)}1`);

const columns = fc.record({
  time: times,
  flag: fc.array(fc.constantFrom(0, 1)),
  whole: fc.array(fc.oneof(fc.maxSafeInteger(), nothing)),
  number: fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), nothing)),
  amount: fc.array(fc.oneof(fc.constant('0'), amount, nothing)),
  // Ids of external orders.
  text: fc.array(fc.oneof(fc.string(), fc.constantFrom('-', '', 'a b', '2*3'), nothing)),
});

/** The value after JSON, as in a page. */
const written = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe('packColumns', () => {
  it('keeps columns unchanged through unpackColumns', () => {
    fc.assert(
      fc.property(columns, (table) => {
        expect(unpackColumns(written(packColumns(table)))).toEqual(written(table));
      }),
    );
  });

  it('writes repeated values once, times as steps, and leaves texts that look like its own marks', () => {
    const packed = packColumns({
      time: [60_000, 120_000, 180_000, 180_000, null, 420_000],
      fee: ['0', '0', '0', '1.5', null, '2'],
      id: ['a', '-'],
    });

    expect(packed).toEqual({
      time: { as: 'steps', unit: 60_000, text: '1*3 0 - 4' },
      fee: { as: 'texts', unit: 1, text: '0*3 1.5 - 2' },
      id: ['a', '-'],
    });
  });
});
