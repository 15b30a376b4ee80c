import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed, type Fixed } from '../../../src/domain/index.js';
import {
  CandlePath,
  nearestOrder,
  publishedPrice,
  type PathCandle,
  type ExtremeOrder,
} from '../../../src/simulator/index.js';

/** A candle of 30 ms from 0; prices as texts. */
function shape(open: string, high: string, low: string, close: string): PathCandle {
  const exact = [open, high, low, close].map(parseFixed) as [Fixed, Fixed, Fixed, Fixed];
  return {
    openTime: 0,
    closeTime: 30,
    open: exact[0],
    high: exact[1],
    low: exact[2],
    close: exact[3],
  };
}

function priceAt(path: CandlePath, time: number): string {
  const { numerator, denominator } = path.at(time);
  return formatFixed(numerator / denominator);
}

describe('nearestOrder', () => {
  it.each<readonly [string, PathCandle, ExtremeOrder]>([
    ['the high when it is nearer the open', shape('100', '101', '98', '99'), 'high-first'],
    ['the low when it is nearer the open', shape('100', '102', '99', '101'), 'low-first'],
    ['on a tie the low when it closes higher', shape('100', '101', '99', '100.5'), 'low-first'],
    [
      'on a tie the low when it closes where it opened',
      shape('100', '101', '99', '100'),
      'low-first',
    ],
    ['on a tie the high when it closes lower', shape('100', '101', '99', '99.99'), 'high-first'],
    ['the high that is the open itself', shape('100', '100', '99', '99.5'), 'high-first'],
    ['the low that is the open itself', shape('100', '101', '100', '100.5'), 'low-first'],
    ['the low of a candle that never moved', shape('100', '100', '100', '100'), 'low-first'],
  ])('visits first %s', (_name, candle, expected) => {
    expect(nearestOrder(candle)).toBe(expected);
  });
});

describe('CandlePath', () => {
  const candle = shape('100', '103', '94', '97');

  it('goes from the open to the first extreme at 1/3, the second at 2/3, and the close', () => {
    const path = new CandlePath(candle, 'high-first');

    expect([0, 10, 20, 30].map((time) => priceAt(path, time))).toEqual(['100', '103', '94', '97']);
    // 100 + 3 × 5/10, 103 − 9 × 1/10, 94 + 3 × 9/10
    expect([5, 11, 29].map((time) => priceAt(path, time))).toEqual(['101.5', '102.1', '96.7']);
  });

  it('visits the low before the high with low-first', () => {
    const path = new CandlePath(candle, 'low-first');

    expect([0, 10, 20, 30].map((time) => priceAt(path, time))).toEqual(['100', '94', '103', '97']);
  });

  it('is an exact fraction if the price has no finite decimal', () => {
    const path = new CandlePath({ ...shape('1', '2', '1', '2'), closeTime: 9 }, 'high-first');

    // A third of the way from 1 to 2.
    expect(path.at(1)).toEqual({ numerator: 4n * 10n ** 18n, denominator: 3n });
  });

  it.each<readonly [string, 'below' | 'above', number, number | undefined]>([
    // Rising 0.3 per ms from 100 at 0.
    ['100', 'above', 0, 0],
    ['100.3', 'above', 0, 1],
    ['100.31', 'above', 0, 2],
    ['100.6', 'above', 0, 2],
    ['103', 'above', 0, 10],
    ['103.01', 'above', 0, undefined],
    // Falling 0.9 per ms from 103 at 10.
    ['99.99', 'below', 0, 14],
    ['102.1', 'below', 11, 11],
    ['102.1', 'below', 12, 12],
    ['94', 'below', 0, 20],
    ['93.99', 'below', 0, undefined],
    // The path is beyond the level when the search begins, or no longer is.
    ['102', 'above', 11, 11],
    ['102', 'above', 12, undefined],
    ['100', 'below', 0, 0],
    ['96', 'below', 25, 25],
    ['95.49', 'below', 25, undefined],
    // The close is part of the path.
    ['97', 'above', 21, 30],
    ['97', 'above', 30, 30],
  ])('firstReach(%s, %s, %s) is %s ms', (level, side, from, expected) => {
    const path = new CandlePath(candle, 'high-first');

    expect(path.firstReach(parseFixed(level), side, from)).toBe(expected);
  });

  it('firstReach finds the same time as a check of every millisecond', () => {
    const price = fc.bigInt(1n, 40n);
    const shapes = fc
      .tuple(price, price, price, price, fc.integer({ min: 1, max: 8 }))
      .map(([open, close, a, b, third]): PathCandle => ({
        openTime: 7,
        closeTime: 7 + 3 * third,
        open,
        close,
        high: [open, close, a, b].reduce((x, y) => (x > y ? x : y)),
        low: [open, close, a, b].reduce((x, y) => (x < y ? x : y)),
      }));
    const orders = fc.constantFrom<ExtremeOrder>('high-first', 'low-first');
    const sides = fc.constantFrom<'below' | 'above'>('below', 'above');
    fc.assert(
      fc.property(
        shapes,
        orders,
        price,
        sides,
        fc.nat({ max: 24 }),
        (candle, order, level, side, wait) => {
          const path = new CandlePath(candle, order);
          const from = candle.openTime + wait;

          let expected: number | undefined;
          for (let time = candle.closeTime; time >= from; time -= 1) {
            const { numerator, denominator } = path.at(time);
            const distance = numerator - level * denominator;
            if (side === 'below' ? distance <= 0n : distance >= 0n) expected = time;
          }
          expect(path.firstReach(level, side, from)).toBe(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('publishedPrice', () => {
  it.each([
    ['100.004', '100'],
    ['100.006', '100.01'],
    ['100.005', '100'],
    ['100.015', '100.02'],
  ])('rounds %s to %s on a tick of 0.01', (price, expected) => {
    const published = publishedPrice(
      { numerator: parseFixed(price), denominator: 1n },
      parseFixed('0.01'),
    );

    expect(formatFixed(published)).toBe(expected);
  });

  it('rounds a fraction once', () => {
    // 301 / 3 = 100.333…
    expect(
      formatFixed(
        publishedPrice({ numerator: parseFixed('301'), denominator: 3n }, parseFixed('0.001')),
      ),
    ).toBe('100.333');
  });
});
