import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  multiplyFixed,
  parseFixed,
  resolveRules,
  type Instrument,
  type Side,
} from '../../../../src/domain/index.js';
import { chaseRangeOf } from '../../../../src/engine/orders/worked/chase-range.js';
import { canStandAlone, valueOfOne } from '../../../../src/risk/index.js';
import { aFuture, BTC_SPOT } from '../../../support/run-records.js';

const TICK = parseFixed('0.01');
const MOST = parseFixed('0.02');
const instruments: fc.Arbitrary<Instrument> = fc.constantFrom(
  BTC_SPOT,
  aFuture('linear'),
  aFuture('inverse'),
);
const cases = fc.record({
  instrument: instruments,
  side: fc.constantFrom<Side>('buy', 'sell'),
  limit: fc.bigInt({ min: 9_800n, max: 10_200n }).map((ticks) => ticks * TICK),
  remaining: fc.bigInt({ min: 1n, max: 2_000n }).map((count) => count * parseFixed('0.001')),
  minOrderMoney: fc.bigInt({ min: 0n, max: 200_000n }).map((cents) => cents * TICK),
});

describe('chaseRangeOf', () => {
  it('returns the nearest and the farthest price within the bound at which the rest is accepted', () => {
    let [moved, kept] = [0, 0];
    fc.assert(
      fc.property(cases, ({ instrument, side, limit, remaining, minOrderMoney }) => {
        const rules = resolveRules({
          tradable: true,
          pricePrecision: 2,
          quantityPrecision: 3,
          minOrderMoney,
        });
        const arrivalPrice = parseFixed('100');
        const order = { instrument, side, limitPrice: limit, remaining, arrivalPrice, most: MOST };

        const range = chaseRangeOf(order, rules);

        const away = side === 'buy' ? TICK : -TICK;
        const distance = multiplyFixed(arrivalPrice, MOST);
        const end = side === 'buy' ? arrivalPrice + distance : arrivalPrice - distance;
        const possible: bigint[] = [];
        for (let price = limit + away; (end - price) * away >= 0n; price += away)
          if (canStandAlone(remaining, valueOfOne(instrument, price), rules)) possible.push(price);
        expect([range?.next, range?.bound]).toEqual([possible[0], possible.at(-1)]);
        if (range === undefined) kept += 1;
        else moved += 1;
      }),
    );
    expect(Math.min(moved, kept)).toBeGreaterThan(10);
  });
});
