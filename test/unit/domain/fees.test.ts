import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  Decimal,
  decimalFromFixed,
  feeInQuote,
  formatFixed,
  multiplyFixed,
  outlayOfBuy,
  parseFixed,
  type FeeRates,
} from '../../../src/domain/index.js';
import { stepped } from '../../support/arbitraries/amounts.js';
import { lawRuns } from '../../support/runs.js';

const runs = { numRuns: lawRuns() };
const prices = stepped(8, { min: 1n, max: 10n ** 14n });
const quantities = stepped(8, { min: 1n, max: 10n ** 14n });
const rates = stepped(12, { min: 0n, max: 10n ** 12n - 1n });

function feeRates(maker: bigint, taker: bigint, paidIn: FeeRates['paidIn']): FeeRates {
  return { maker, taker, paidIn };
}

describe('feeInQuote', () => {
  it('is price × quantity × rate, rounded once half to even', () => {
    fc.assert(
      fc.property(prices, quantities, rates, (price, quantity, rate) => {
        const Exact = Decimal.clone({ precision: 200 });
        const expected = [price, quantity, rate]
          .map((factor) => new Exact(formatFixed(factor)))
          .reduce((product, factor) => product.times(factor))
          .toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);

        expect(decimalFromFixed(feeInQuote(price, quantity, rate)).toFixed()).toBe(
          expected.toFixed(),
        );
      }),
      runs,
    );
  });
});

describe('outlayOfBuy', () => {
  it('is the value alone if the fee is paid in the received asset', () => {
    const received = feeRates(parseFixed('0.002'), parseFixed('0.001'), 'received');

    expect(outlayOfBuy(parseFixed('100'), received)).toBe(parseFixed('100'));
  });

  it('adds the higher of both fees, rounded up, if fees are paid in quote', () => {
    const value = parseFixed('0.000000000000000001');

    // 100 × 0.001, 100 × 0.002, and one unit for any fraction of it
    expect(
      formatFixed(outlayOfBuy(parseFixed('100'), feeRates(0n, parseFixed('0.001'), 'quote'))),
    ).toBe('100.1');
    expect(
      formatFixed(
        outlayOfBuy(parseFixed('100'), feeRates(parseFixed('0.002'), parseFixed('0.001'), 'quote')),
      ),
    ).toBe('100.2');
    expect(outlayOfBuy(value, feeRates(0n, parseFixed('0.001'), 'quote'))).toBe(value + 1n);
  });

  it('covers the value and the fee of one fill, as maker and as taker', () => {
    fc.assert(
      fc.property(prices, quantities, rates, rates, (price, quantity, maker, taker) => {
        const value = multiplyFixed(price, quantity);
        const outlay = outlayOfBuy(value, feeRates(maker, taker, 'quote'));

        expect(outlay >= value + feeInQuote(price, quantity, taker)).toBe(true);
        expect(outlay >= value + feeInQuote(price, quantity, maker)).toBe(true);
      }),
      runs,
    );
  });
});
