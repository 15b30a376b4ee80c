import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  addToHolding,
  contractPrice,
  contractValue,
  EMPTY_HOLDING,
  multiplyFixed,
  parseFixed,
  priceOfValue,
  takeFromHolding,
  type Fixed,
} from '../../../src/domain/index.js';

const whole = (value: number): Fixed => BigInt(value) * 10n ** 18n;

/** A price on a tick of `decimals` decimals. */
const prices = fc
  .record({
    ticks: fc.integer({ min: 1, max: 100_000_000 }),
    decimals: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ ticks, decimals }) => BigInt(ticks) * 10n ** BigInt(18 - decimals))
  .filter((price) => price >= parseFixed('0.5'));

const contracts = fc.integer({ min: 4, max: 5_000 }).map(whole);

/** Closes one after another. Each number is the quarters of the remaining position that close. */
const closes = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 });

describe('average price after purchases at one price', () => {
  it.each([
    ['linear', '0.001'],
    ['inverse', '100'],
  ] as const)(
    'equals that price to the last digit, also after partial closes (%s contract)',
    (contract, multiplier) => {
      const instrument = { contract, multiplier: parseFixed(multiplier) };
      fc.assert(
        fc.property(
          prices,
          fc.array(contracts, { minLength: 1, maxLength: 3 }),
          closes,
          (price, bought, parts) => {
            let holding = EMPTY_HOLDING;
            for (const quantity of bought)
              holding = addToHolding(holding, quantity, contractValue(instrument, quantity, price));
            for (const part of parts) {
              const closed = (holding.quantity / whole(4)) * whole(part);
              if (closed > 0n && closed < holding.quantity)
                holding = takeFromHolding(holding, closed).holding;
            }

            expect(contractPrice(instrument, holding.quantity, holding.entryValue)).toBe(price);
          },
        ),
      );
    },
  );

  it('equals that price on a spot pair, also after partial closes', () => {
    const quantities = fc
      .integer({ min: 100, max: 10_000_000 })
      .map((steps) => BigInt(steps) * 10n ** 13n);
    fc.assert(
      fc.property(prices, quantities, closes, (price, quantity, parts) => {
        let holding = addToHolding(EMPTY_HOLDING, quantity, multiplyFixed(price, quantity));
        for (const part of parts)
          holding = takeFromHolding(holding, (holding.quantity * BigInt(part)) / 4n).holding;

        expect(priceOfValue(holding.quantity, holding.entryValue)).toBe(price);
      }),
    );
  });
});

describe('average price after purchases at different prices', () => {
  it('differs from the exact average by less than 1e-11', () => {
    const instrument = { contract: 'inverse', multiplier: parseFixed('100') } as const;
    const first = contractValue(instrument, whole(10), parseFixed('50000'));
    const second = contractValue(instrument, whole(20), parseFixed('70000'));

    // 30 ÷ (10 ÷ 50,000 + 20 ÷ 70,000) = 61,764.705882352941…
    const average = contractPrice(instrument, whole(30), first + second);
    const distance = average - parseFixed('61764.705882352941176470');
    expect(distance < 0n ? -distance : distance).toBeLessThan(parseFixed('0.00000000001'));
  });
});
