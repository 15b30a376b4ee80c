import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseFixed, takerPrice, type Fixed, type Side } from '../../../../src/domain/index.js';
import { makeDepth, type DepthTerms } from '../../../../src/simulator/book/synthetic-depth.js';
import {
  createFixedSlippage,
  createSquareRootSlippage,
  type SlippageModel,
} from '../../../../src/simulator/index.js';
import type { DepthLevel } from '../../../../src/venue/index.js';

const STEP = parseFixed('0.001');
const TICK = parseFixed('0.01');
const CANDLE_VOLUME = parseFixed('1000');
const SIDES = ['buy', 'sell'] as const;

/** Terms of a book at a price on the path, with the volume that it holds. */
const books = (slippage: fc.Arbitrary<SlippageModel>): fc.Arbitrary<DepthTerms> =>
  fc
    .record({
      numerator: fc.bigInt({ min: 1n, max: 10n ** 26n }),
      denominator: fc.constantFrom(1n, 20_000n, 1_200_000n),
      halfSpread: fc.constantFrom('0', '0.0001', '0.02').map(parseFixed),
      model: slippage,
      steps: fc.bigInt({ min: 1n, max: 200_000n }),
    })
    .map(({ numerator, denominator, halfSpread, model, steps }) => ({
      path: {
        numerator: denominator === 1n ? numerator - (numerator % TICK) + TICK : numerator,
        denominator,
      },
      rules: { tick: TICK, step: STEP },
      costOf: (quantity) => halfSpread + model.ratio(quantity, { volume: () => CANDLE_VOLUME }),
      volume: steps * STEP,
      levels: 100,
    }));

const fixed = fc
  .constantFrom('0', '0.0005', '0.03')
  .map((ratio) => createFixedSlippage(parseFixed(ratio)));
const squareRoot = fc
  .constantFrom('0.0001', '0.01', '0.3')
  .map((coefficient) => createSquareRootSlippage(parseFixed(coefficient)));
/** Share of the book's volume that an order takes, in thousandths. */
const share = fc.bigInt({ min: 1n, max: 1_000n });

/** The levels that takers of a side meet. */
function levelsFor(side: Side, terms: DepthTerms): readonly DepthLevel[] {
  const { bids, asks } = makeDepth(terms);
  return side === 'buy' ? asks : bids;
}

/** Cost (or proceeds) of a quantity, level by level: price × quantity. */
function walk(levels: readonly DepthLevel[], quantity: Fixed): bigint {
  let [left, money] = [quantity, 0n];
  for (const level of levels) {
    const part = left < level.quantity ? left : level.quantity;
    money += part * level.price;
    left -= part;
  }
  expect(left).toBe(0n);
  return money;
}

function paidBy(
  side: Side,
  quantity: Fixed,
  { path, costOf, rules: { tick } }: DepthTerms,
): bigint {
  return quantity * takerPrice(side, path, { cost: costOf(quantity), tick });
}

describe('makeDepth', () => {
  it('gives levels that cost exactly what an order pays with fixed slippage', () => {
    fc.assert(
      fc.property(books(fixed), share, (terms, part) => {
        const steps = (terms.volume / STEP) * part;
        const quantity = (steps / 1_000n || 1n) * STEP;
        for (const side of SIDES) {
          const levels = levelsFor(side, terms);
          expect(walk(levels, quantity)).toBe(paidBy(side, quantity, terms));
          expect(levels.map((level) => level.quantity)).toEqual([terms.volume]);
        }
      }),
    );
  });

  it('with growing slippage is never a tick per unit cheaper, and within a tick at the end of each level', () => {
    fc.assert(
      fc.property(books(squareRoot), share, (terms, part) => {
        const quantity = (((terms.volume / STEP) * part) / 1_000n || 1n) * STEP;
        for (const side of SIDES) {
          const levels = levelsFor(side, terms);
          const worse = (of: Fixed): bigint =>
            (walk(levels, of) - paidBy(side, of, terms)) * (side === 'buy' ? 1n : -1n);
          expect(worse(quantity)).toBeGreaterThan(-TICK * quantity);

          let end = 0n;
          for (const level of levels) {
            end += level.quantity;
            expect(worse(end)).toBeGreaterThan(-TICK * end);
            expect(worse(end)).toBeLessThan(TICK * end);
          }
          expect(end).toBe(terms.volume);
        }
      }),
    );
  });

  it('gives falling bids and rising asks that do not cross, on the grids, and the first levels of a smaller depth', () => {
    fc.assert(
      fc.property(
        books(fc.oneof(fixed, squareRoot)),
        fc.integer({ min: 1, max: 30 }),
        (terms, levels) => {
          const { bids, asks } = makeDepth(terms);
          const outward = [...bids.toReversed(), ...asks];
          const isRising = outward.every(({ price }, index) => {
            const before = outward[index - 1]?.price ?? 0n;
            return index === bids.length ? price >= before : price > before;
          });
          expect(isRising).toBe(true);
          for (const { price, quantity } of outward)
            expect([price % TICK, quantity % STEP, price > 0n && quantity > 0n]).toEqual([
              0n,
              0n,
              true,
            ]);
          expect(makeDepth({ ...terms, levels })).toEqual({
            bids: bids.slice(0, levels),
            asks: asks.slice(0, levels),
          });
        },
      ),
    );
  });

  it('is empty without volume', () => {
    fc.assert(
      fc.property(books(fixed), (terms) => {
        expect(makeDepth({ ...terms, volume: 0n })).toEqual({ bids: [], asks: [] });
      }),
      { numRuns: 5 },
    );
  });
});
