import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  shortfallOf,
  worthOfFill,
  type Instrument,
  type Side,
} from '../../../src/domain/index.js';
import { aFuture, BTC_SPOT } from '../../support/run-records.js';

type Texts = readonly [price: string, quantity: string];

function shortfall(instrument: Instrument, side: Side, arrival: string, fills: readonly Texts[]) {
  const arrivalPrice = parseFixed(arrival);
  let [filledQuantity, worth] = [0n, 0n];
  for (const [price, quantity] of fills) {
    const fill = { price: parseFixed(price), quantity: parseFixed(quantity) };
    filledQuantity += fill.quantity;
    worth += worthOfFill(instrument, arrivalPrice, fill);
  }
  const found = shortfallOf(instrument, { side, arrivalPrice, filledQuantity, worth });
  return found && [formatFixed(found.averagePrice), formatFixed(found.money), found.basisPoints];
}

describe('shortfallOf', () => {
  it.each<[Side, string, number]>([
    ['buy', '0.5', 25],
    ['sell', '-0.5', -25],
  ])('measures a %s on a spot pair against the arrival price', (side, money, basisPoints) => {
    // 0.5 × 99.5 + 1.5 × 100.5 − 2 × 100, relative to 200
    const fills = [
      ['99.5', '0.5'],
      ['100.5', '1.5'],
    ] as const;

    expect(shortfall(BTC_SPOT, side, '100', fills)).toEqual(['100.25', money, basisPoints]);
  });

  it('applies the multiplier of a linear contract', () => {
    // 200 × 0.001 × (101 − 100), relative to 20 USDT
    expect(shortfall(aFuture('linear'), 'buy', '100', [['101', '200']])).toEqual([
      '101',
      '0.2',
      100,
    ]);
  });

  it('values the coins of an inverse contract at the arrival price', () => {
    const inverse = aFuture('inverse');

    // 3 × 100 USDT bought 0.01 coins at 30,000; at 20,000 they are worth 200.
    expect(shortfall(inverse, 'buy', '20000', [['30000', '3']])).toEqual(['30000', '100', 5_000]);
    // 100 ÷ 20,000 + 100 ÷ 40,000 coins: 200 ÷ 0.0075, and 0.0075 × 25,000 = 187.5
    const fills = [
      ['20000', '1'],
      ['40000', '1'],
    ] as const;
    expect(shortfall(inverse, 'sell', '25000', fills)).toEqual([
      '26666.666666666666667',
      '-12.5',
      -12.5e4 / 187.5,
    ]);
  });

  it('is 0 for a fill at the arrival price, for linear and inverse contracts', () => {
    const price = fc.integer({ min: 1, max: 9_999_999 }).map((ticks) => String(ticks / 100));
    const quantity = fc.integer({ min: 1, max: 9_999 }).map(String);
    fc.assert(
      fc.property(price, quantity, fc.constantFrom('linear', 'inverse'), (at, count, contract) => {
        expect(shortfall(aFuture(contract), 'sell', at, [[at, count]])).toEqual([
          formatFixed(parseFixed(at)),
          '0',
          0,
        ]);
      }),
    );
  });

  it('is undefined without fills', () => {
    expect(shortfall(BTC_SPOT, 'buy', '100', [])).toBeUndefined();
  });
});
