import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ClientOrderId } from '../../../src/domain/index.js';
import { OrderIds } from '../../../src/engine/order-ids.js';

const intentIds = fc.oneof(
  fc.integer({ min: 1, max: 4_000 }),
  fc.integer({ min: 1, max: 2 ** 40 }),
);
const small = fc.oneof(fc.constant(0), fc.nat(100));

describe('OrderIds', () => {
  it('makes ids of bot, intent, attempt and leg, whatever the earlier calls', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(intentIds, small, small)), (asked) => {
        const ids = new OrderIds('bot');
        for (const [intentId, attempt, leg] of asked) {
          const parts = [intentId, attempt, leg].map((number) => number.toString(36));

          expect(ids.of(intentId, attempt, leg)).toBe(`bot-${parts.join('-')}`);
        }
      }),
    );
  });

  it('finds the intent only of the latest first id', () => {
    const ids = new OrderIds('bot');
    const other = ids.first(1_296);
    const latest = ids.first(1_297);

    expect(ids.intentOfLatest(`bot-${(1_297).toString(36)}-0-0` as ClientOrderId)).toBe(1_297);
    expect(ids.intentOfLatest(latest)).toBe(1_297);
    expect(ids.intentOfLatest(other)).toBeUndefined();
    expect(ids.intentOfLatest(ids.of(1_297, 1, 0))).toBeUndefined();
    expect(new OrderIds('bot').intentOfLatest(latest)).toBeUndefined();
  });
});
