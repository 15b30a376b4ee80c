import { describe, expect, it } from 'vitest';

import {
  contractProfit,
  contractValue,
  formatFixed,
  parseFixed,
  type Fixed,
} from '../../../src/domain/index.js';

const LINEAR = { contract: 'linear', multiplier: parseFixed('0.0001') } as const;
const INVERSE = { contract: 'inverse', multiplier: parseFixed('10') } as const;

function value(contract: typeof LINEAR | typeof INVERSE, contracts: string, price: string): Fixed {
  return contractValue(contract, parseFixed(contracts), parseFixed(price));
}

// The numbers are samples of the documents, see "contract facts" in the exchange facts.
describe('contractValue', () => {
  it('is contracts × multiplier × price for linear contracts', () => {
    expect(formatFixed(value(LINEAR, '900', '44500'))).toBe('4005');
  });

  it('is contracts × face ÷ price for inverse contracts', () => {
    expect(formatFixed(value(INVERSE, '12000', '60000'))).toBe('2');
  });

  it('is the same for two inverse purchases and for their sum at the harmonic mean price', () => {
    const coins = value(INVERSE, '100', '5000') + value(INVERSE, '200', '6000');
    expect(formatFixed(contractValue(INVERSE, parseFixed('300'), parseFixed('5625')))).toBe(
      formatFixed(coins),
    );
  });

  it('is rounded once, half to even', () => {
    expect(value({ contract: 'linear', multiplier: 5n }, '1', '0.5')).toBe(2n);
    expect(value({ contract: 'linear', multiplier: 7n }, '1', '0.5')).toBe(4n);
  });
});

describe('contractProfit', () => {
  it('is the price change times the size for a long, and its negative for a short', () => {
    const values = {
      entryValue: value(LINEAR, '900', '44500'),
      exitValue: value(LINEAR, '900', '45000'),
    };
    expect(formatFixed(contractProfit(LINEAR, 'short', values))).toBe('-45');
    expect(formatFixed(contractProfit(LINEAR, 'long', values))).toBe('45');
  });

  it('is positive in coins for an inverse long when the price rises, and negative for a short', () => {
    const values = {
      entryValue: value(INVERSE, '100', '5000'),
      exitValue: value(INVERSE, '100', '8000'),
    };
    expect(formatFixed(contractProfit(INVERSE, 'long', values))).toBe('0.075');
    expect(formatFixed(contractProfit(INVERSE, 'short', values))).toBe('-0.075');
  });
});
