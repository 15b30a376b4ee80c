import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  parseFixed,
  TierBook,
  tierOf,
  type LeverageTier,
} from '../../../src/domain/index.js';

const ID = createInstrumentId('futures', 'E-BTC-USDT');

function tier(maxValue: string | undefined, maxLeverage = '100', keepRate = '0.005'): LeverageTier {
  return {
    maxValue: maxValue === undefined ? undefined : parseFixed(maxValue),
    maxLeverage: parseFixed(maxLeverage),
    keepRate: parseFixed(keepRate),
  };
}

const TIERS = [tier('1000'), tier('5000', '50', '0.01'), tier(undefined, '5', '0.1')];

describe('TierBook', () => {
  it('gives the tiers in force, or the earliest ones before the first record', () => {
    const book = new TierBook();
    const later = [tier(undefined, '20')];
    book.set(ID, [
      { from: 200, tiers: later },
      { from: 100, tiers: TIERS },
    ]);

    expect(book.at(ID, 0)).toBe(TIERS);
    expect(book.at(ID, 199)).toBe(TIERS);
    expect(book.at(ID, 200)).toBe(later);
  });

  it('limits nothing for an instrument without records', () => {
    const [only] = new TierBook().at(ID, 0);
    expect(only?.maxValue).toBeUndefined();
    expect(only?.keepRate).toBe(0n);
  });

  it.each([
    ['no tier', [], 'at least one tier'],
    ['falling values', [tier('5000'), tier('1000')], 'rising maxValue'],
    ['an open tier before the last', [tier(undefined), tier('1000')], 'rising maxValue'],
    ['a leverage below 1', [tier(undefined, '0.5')], 'maxLeverage >= 1, received 0.5'],
    ['a rate of 1', [tier(undefined, '5', '1')], 'keepRate within [0, 1), received 1'],
  ])('refuses %s', (_, tiers, text) => {
    expect(() => {
      new TierBook().set(ID, [{ from: 0, tiers }]);
    }).toThrow(text);
  });

  it('refuses an empty list, and two records of one time', () => {
    const book = new TierBook();
    expect(() => {
      book.set(ID, []);
    }).toThrow('at least one record');
    expect(() => {
      book.set(ID, [
        { from: 1, tiers: TIERS },
        { from: 1, tiers: TIERS },
      ]);
    }).toThrow('one record of tiers per time');
  });
});

describe('tierOf', () => {
  it('puts a value equal to a maxValue into that tier', () => {
    expect(tierOf(TIERS, parseFixed('1000')).index).toBe(0);
    expect(tierOf(TIERS, parseFixed('1000.000000000000000001')).index).toBe(1);
    expect(tierOf(TIERS, parseFixed('999999')).index).toBe(2);
  });

  it('puts a value above every maxValue into the last tier', () => {
    expect(tierOf([tier('10')], parseFixed('11')).index).toBe(0);
  });
});
