import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  Decimal,
  decimal,
  decimalFromNumber,
  fixedFromDecimal,
  formatFixed,
  roundToLot,
  roundToTick,
  stepOfPrecision,
} from '../../../src/domain/index.js';
import { floorAmount, readAmount, roundPrice, type Amount } from '../../../src/risk/size/amount.js';
import { aWrittenNumber, shiftText } from '../../support/risk/arbitraries.js';
import { lawRuns } from '../../support/runs.js';

const runs = { numRuns: lawRuns() };
const aPrecision = fc.integer({ min: 0, max: 18 });

/** Units around 2^53, where doubles stop being exact, and around the 15 digits of the fast way. */
const anEdge = fc
  .tuple(
    fc.constantFrom(2n ** 53n, 10n ** 15n, 10n ** 16n, 10n ** 14n, 2n ** 63n),
    fc.bigInt({ min: -3n, max: 3n }),
    fc.integer({ min: 0, max: 24 }),
  )
  .map(([edge, offset, decimals]) => shiftText(edge + offset, decimals));

const aNumber = fc.oneof(aWrittenNumber, anEdge);

function amountOf(input: string | Decimal): Amount {
  const amount = readAmount(input);
  if (amount === undefined) throw new Error(`expected ${String(input)} to be read`);
  return amount;
}

describe('readAmount', () => {
  it('reads the same numbers as decimal.js, exactly', () => {
    fc.assert(
      fc.property(aNumber, (input) => {
        const amount = amountOf(input);

        const read = typeof amount === 'bigint' ? decimal(formatFixed(amount)) : amount;

        expect(read.eq(decimal(input))).toBe(true);
      }),
      runs,
    );
  });

  it('reads a candle price without its binary error: 0.1 + 0.2 on a grid is 0.3', () => {
    const price = amountOf(decimalFromNumber(0.1 + 0.2));

    const onGrid = [2, 8, 16].map((decimals) =>
      formatFixed(floorAmount(price, decimals, stepOfPrecision(decimals))),
    );

    expect(onGrid).toEqual(['0.3', '0.3', '0.3']);
  });

  it('returns undefined or an amount, and never throws, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.anything()), (input) => {
        const amount = readAmount(input as string);

        const isAmount = typeof amount === 'bigint' || amount instanceof Decimal;
        expect(amount === undefined || isAmount).toBe(true);
      }),
      runs,
    );
  });
});

describe('floorAmount', () => {
  it('equals the rounding of a quantity by decimal.js', () => {
    fc.assert(
      fc.property(aNumber, aPrecision, (input, decimals) => {
        const floored = floorAmount(amountOf(input), decimals, stepOfPrecision(decimals));

        expect(floored).toBe(fixedFromDecimal(roundToLot(decimal(input), decimals)));
      }),
      runs,
    );
  });
});

describe('roundPrice', () => {
  it('equals the rounding of a price by decimal.js', () => {
    fc.assert(
      fc.property(
        aNumber,
        aPrecision,
        fc.constantFrom('buy', 'sell'),
        fc.constantFrom('never-worse', 'nearest'),
        (input, decimals, side, rounding) => {
          const grid = { pricePrecision: decimals, tick: stepOfPrecision(decimals) };

          const rounded = roundPrice(amountOf(input), grid, side, rounding);

          const expected = roundToTick(decimal(input), decimals, side, rounding);
          expect(rounded).toBe(fixedFromDecimal(expected));
        },
      ),
      runs,
    );
  });

  it('rounds a tie to the even tick', () => {
    const grid = { pricePrecision: 1, tick: stepOfPrecision(1) };

    const rounded = ['0.25', '0.35', '0.05', '0.15'].map((price) =>
      formatFixed(roundPrice(amountOf(price), grid, 'buy', 'nearest')),
    );

    expect(rounded).toEqual(['0.2', '0.4', '0', '0.2']);
  });
});
