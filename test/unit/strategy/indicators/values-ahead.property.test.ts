import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { present } from '../../../../src/domain/index.js';
import { followersAmong, hasStrays, sma, type CloseRows } from '../../../../src/strategy/index.js';
import { candlesOfCloses } from '../../../support/candles.js';

/** Closes on a grid of cents. Some are on a finer grid, and some on no grid. */
const closes = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    length: fc.integer({ min: 20, max: 6_000 }),
    finerEvery: fc.constantFrom(0, 97, 1_500),
    strayEvery: fc.constantFrom(0, 0, 700, 2_500),
  })
  .map(({ seed, length, finerEvery, strayEvery }) => {
    let state = seed;
    return Float64Array.from({ length }, (_, row) => {
      state = (state * 48_271) % 2_147_483_647;
      const cents = 10_000 + (state % 500);
      if (strayEvery > 0 && row % strayEvery === strayEvery - 1) return cents / 300;
      return finerEvery > 0 && row % finerEvery === 0 ? (10 * cents + 1) / 1_000 : cents / 100;
    });
  });

/** One step: rows are announced, a share of them comes, and then perhaps a candle that is not part of the series. */
const step = fc.record({
  announced: fc.integer({ min: 1, max: 300 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  foreign: fc.constantFrom(false, false, false, true),
});

/** Closes per piece of memory. */
const PIECE = 1_000;

/** The closes in the same piece of memory as the close of a row. */
function rowsAt(column: Float64Array, row: number): CloseRows {
  const firstClose = row % PIECE;
  return {
    first: row,
    closes: piecesOf(column)[(row - firstClose) / PIECE] as Float64Array,
    firstClose,
  };
}

const PIECES = new WeakMap<Float64Array, readonly Float64Array[]>();

function piecesOf(column: Float64Array): readonly Float64Array[] {
  const known = PIECES.get(column);
  if (known !== undefined) return known;
  const count = Math.ceil(column.length / PIECE);
  const pieces = Array.from({ length: count }, (_, piece) =>
    column.slice(piece * PIECE, (piece + 1) * PIECE),
  );
  PIECES.set(column, pieces);
  return pieces;
}

describe('an average that knows the closes of the next rows', () => {
  it('equals an average without them bit by bit, also with other candles in between', () => {
    fc.assert(
      fc.property(
        closes,
        fc.integer({ min: 1, max: 60 }),
        fc.array(step, { minLength: 1, maxLength: 40 }),
        (column, period, steps) => {
          const [told, untold] = [sma(period), sma(period)];
          const { feed } = present(followersAmong([told])[0], 'a follower');
          const candles = candlesOfCloses([...column]);
          const delivered = { row: -1, isLeft: false };
          let row = 0;
          for (let turn = 0; row < column.length; turn += 1) {
            const { announced, share, foreign } = present(steps[turn % steps.length], 'a step');
            const rows = rowsAt(column, row);
            const count = Math.min(announced, rows.closes.length - rows.firstClose);
            const isKnown = feed.begin(rows, count, delivered);
            const coming = Math.max(1, Math.round(share * count));
            for (let index = 0; index < coming; index += 1, row += 1) {
              const candle = present(candles[row], 'a candle');
              if (isKnown) delivered.row = row;
              else told.update(candle);
              untold.update(candle);
              if (told.value !== untold.value || told.previous !== untold.previous)
                expect([told.value, told.previous]).toEqual([untold.value, untold.previous]);
            }
            if (!foreign) continue;
            const [candle] = candlesOfCloses([123.45]);
            for (const average of [told, untold]) average.update(present(candle, 'a candle'));
            expect(told.value).toEqual(untold.value);
            expect(hasStrays([told])).toBe(hasStrays([untold]));
          }
          expect(hasStrays([told])).toBe(hasStrays([untold]));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('returns to the last delivered row, in the previous block or in the one it has begun', () => {
    const column = Float64Array.from({ length: 5_000 }, (_, row) => (10_000 + (row % 701)) / 100);
    const candles = candlesOfCloses([...column]);
    for (const coming of [10, 100]) {
      const [told, untold] = [sma(30), sma(30)];
      const delivered = { row: -1, isLeft: false };
      const { feed } = present(followersAmong([told])[0], 'a follower');
      // A block has 2,048 rows, so the second batch begins in the first block and ends in the next.
      for (const [first, count] of [
        [0, 2_000],
        [2_000, coming],
      ] as const) {
        const rows = { first, closes: column, firstClose: first };
        feed.begin(rows, Math.max(count, 300), delivered);
        for (const [index, candle] of candles.slice(first, first + count).entries()) {
          delivered.row = first + index;
          untold.update(candle);
        }
      }
      for (const average of [told, untold]) average.update(present(candles[4_000], 'a candle'));

      expect(told.value).toBe(untold.value);
    }
  });

  it('does not count an off-grid close before it comes', () => {
    const column = Float64Array.from({ length: 40 }, (_, row) =>
      row < 30 ? (100 + row) / 100 : 1 / 3,
    );
    const average = sma(3);
    const { feed } = present(followersAmong([average])[0], 'a follower');

    const delivered = { row: -1, isLeft: false };

    const isKnown = feed.begin({ first: 0, closes: column, firstClose: 0 }, 40, delivered);
    delivered.row = 19;

    expect(isKnown).toBe(true);
    expect(hasStrays([average])).toBe(false);
  });
});
