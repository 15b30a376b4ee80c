import fc from 'fast-check';

import type { Candle } from '../../../src/domain/index.js';
import { candlesOf } from '../candles.js';

/** Prices are ticks divided by this, so that each is the float64 nearest to its decimal, like a price read from text. A product with 0.01 often is not. */
const TICKS_OF_ONE = 100;

/** Prices from 0.01 to 50,000.00 on a grid of 0.01, made from integers. */
export function prices(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 5_000_000 }).map((ticks) => ticks / TICKS_OF_ONE);
}

/**
 * Consecutive candles. Prices stay near each other, so that equal closes, flat candles and ties are common; about one candle in
 * six has no volume.
 */
export function candles(
  length: { readonly minLength: number; readonly maxLength: number },
  levels = 20,
): fc.Arbitrary<readonly Candle[]> {
  const level = fc.integer({ min: 0, max: levels });
  const row = fc.tuple(level, level, level, level, fc.nat({ max: 5 }));
  return fc
    .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.array(row, length))
    .map(([base, rows]) =>
      candlesOf(
        rows.map(([open, close, above, below, volume]) => ({
          open: (base + open) / TICKS_OF_ONE,
          high: (base + Math.max(open, close, above)) / TICKS_OF_ONE,
          low: (base + Math.min(open, close, below)) / TICKS_OF_ONE,
          close: (base + close) / TICKS_OF_ONE,
          volume: volume / 4,
        })),
      ),
    );
}
