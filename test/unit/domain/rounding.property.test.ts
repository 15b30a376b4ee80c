import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decimalFromFixed,
  fixedFromDecimal,
  formatFixed,
  roundToLot,
  roundToTick,
  stepOfPrecision,
  type Side,
} from '../../../src/domain/index.js';
import { precisions, stepped } from '../../support/arbitraries/amounts.js';
import { lawRuns } from '../../support/runs.js';

const runs = { numRuns: lawRuns() };
const positive = stepped(18, { min: 1n, max: 10n ** 26n });
const sides = fc.constantFrom<Side>('buy', 'sell');

describe('roundToLot', () => {
  it('rounds down by less than one step, and keeps a quantity on the grid', () => {
    fc.assert(
      fc.property(positive, precisions(), (value, decimals) => {
        const step = stepOfPrecision(decimals);
        const lot = fixedFromDecimal(roundToLot(decimalFromFixed(value), decimals));

        expect(lot % step).toBe(0n);
        expect(lot <= value && value - lot < step).toBe(true);
        expect(roundToLot(decimalFromFixed(lot), decimals).toFixed()).toBe(formatFixed(lot));
      }),
      runs,
    );
  });
});

describe('roundToTick', () => {
  it('never-worse rounds a buy down and a sell up by less than one tick', () => {
    fc.assert(
      fc.property(positive, precisions(), sides, (value, decimals, side) => {
        const tick = stepOfPrecision(decimals);
        const price = fixedFromDecimal(
          roundToTick(decimalFromFixed(value), decimals, side, 'never-worse'),
        );
        const saved = side === 'buy' ? value - price : price - value;

        expect(price % tick).toBe(0n);
        expect(saved >= 0n && saved < tick).toBe(true);
      }),
      runs,
    );
  });

  it('nearest rounds by at most half a tick, ties to even', () => {
    fc.assert(
      fc.property(positive, precisions(), sides, (value, decimals, side) => {
        const tick = stepOfPrecision(decimals);
        const price = fixedFromDecimal(
          roundToTick(decimalFromFixed(value), decimals, side, 'nearest'),
        );
        const off = price > value ? price - value : value - price;

        expect(price % tick).toBe(0n);
        expect(2n * off <= tick).toBe(true);
        if (2n * off === tick) expect((price / tick) % 2n).toBe(0n);
      }),
      runs,
    );
  });
});
