import { describe, expect, it } from 'vitest';

import { formatFixed, marginOfValue, orderMargin, parseFixed } from '../../../src/domain/index.js';

const INVERSE = { contract: 'inverse', multiplier: parseFixed('10') } as const;
const LINEAR = { contract: 'linear', multiplier: parseFixed('0.09') } as const;

function written(margin: ReturnType<typeof orderMargin>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(margin).map(([name, amount]: [string, bigint]) => [name, formatFixed(amount)]),
  );
}

describe('orderMargin', () => {
  it('is in coins for an inverse contract (worked example of the exchange facts)', () => {
    const margin = orderMargin(INVERSE, {
      direction: 'long',
      contracts: parseFixed('12000'),
      price: parseFixed('60000'),
      mark: parseFixed('55000'),
      leverage: parseFixed('10'),
      feeRate: parseFixed('0.0006'),
    });

    // 120,000 USD are 2 coins at 60,000 and 2.1818… at 55,000.
    expect(written(margin)).toEqual({
      margin: '0.2',
      fee: '0.0012',
      openingLoss: '0.181818181818181818',
      total: '0.383018181818181818',
    });
  });

  it.each([
    ['long', '101', '100', '0.9'], // 10 × 0.09 × 1 above mark
    ['long', '99', '100', '0'],
    ['short', '99', '100', '0.9'],
    ['short', '101', '100', '0'],
  ] as const)(
    'gives a %s at %s with the mark at %s an opening loss of %s',
    (direction, price, mark, loss) => {
      const { openingLoss } = orderMargin(LINEAR, {
        direction,
        contracts: parseFixed('10'),
        price: parseFixed(price),
        mark: parseFixed(mark),
        leverage: parseFixed('3'),
        feeRate: 0n,
      });

      expect(formatFixed(openingLoss)).toBe(loss);
    },
  );

  it('rounds margin and fee up', () => {
    const margin = orderMargin(LINEAR, {
      direction: 'long',
      contracts: parseFixed('1'),
      price: parseFixed('1'),
      mark: parseFixed('1'),
      leverage: parseFixed('7'),
      feeRate: parseFixed('0.000000000000000001'),
    });

    // 0.09 / 7 = 0.01285714285714285714…, and any fraction of 10^-18
    expect(written(margin)).toMatchObject({
      margin: '0.012857142857142858',
      fee: '0.000000000000000001',
    });
  });

  it('is the same when computed from the values of the contracts', () => {
    const terms = {
      direction: 'short',
      leverage: parseFixed('3'),
      feeRate: parseFixed('0.0006'),
    } as const;

    const byContracts = orderMargin(LINEAR, {
      ...terms,
      contracts: parseFixed('100'),
      price: parseFixed('50'),
      mark: parseFixed('51'),
    });

    // 100 × 0.09 × 50 = 450, × 51 = 459
    const byValue = { ...terms, value: parseFixed('450'), valueAtMark: parseFixed('459') };
    expect(marginOfValue(LINEAR, byValue)).toEqual(byContracts);
  });
});
