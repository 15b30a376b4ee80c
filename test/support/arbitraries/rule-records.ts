import fc from 'fast-check';

import type { DatedRules, EpochMs } from '../../../src/domain/index.js';
import { precisions } from './amounts.js';

/** Rule records at distinct times, unsorted. Their random precisions tell them apart. */
export function datedRules(times: {
  readonly min: EpochMs;
  readonly max: EpochMs;
}): fc.Arbitrary<readonly DatedRules[]> {
  const record = fc.record({
    from: fc.integer(times),
    pricePrecision: precisions(9),
    quantityPrecision: precisions(9),
  });
  return fc
    .uniqueArray(record, { minLength: 1, maxLength: 8, selector: ({ from }) => from })
    .map((records) =>
      records.map(({ from, ...precision }) => ({ from, rules: { tradable: true, ...precision } })),
    );
}
