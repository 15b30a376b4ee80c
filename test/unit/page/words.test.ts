import { describe, expect, it } from 'vitest';

import { amountDecimals, amountText } from '../../../src/page/browser/words.js';

describe('amountDecimals', () => {
  it.each([
    { told: 'hundreds of dollars', amounts: ['552.35', '-1209.92', '387.7'], decimals: 2 },
    { told: 'parts of a dollar', amounts: ['0.32', '-0.4', '1.13'], decimals: 3 },
    { told: 'parts of a coin', amounts: ['-0.0098', '0.0204', '0.4312'], decimals: 4 },
    { told: 'dust', amounts: ['0.000000000001'], decimals: 8 },
    { told: 'nothing', amounts: ['0'], decimals: 2 },
    { told: 'no amounts', amounts: [], decimals: 2 },
  ])('returns $decimals decimals for $told', ({ amounts, decimals }) => {
    expect(amountDecimals(amounts)).toBe(decimals);
  });

  it('gives enough decimals to show the smallest of three amounts', () => {
    const amounts = ['-0.0038', '0.0204', '0.4312'];
    const decimals = amountDecimals(amounts);

    expect(amounts.map((amount) => amountText(amount, decimals))).toEqual([
      '−0.0038',
      '0.0204',
      '0.4312',
    ]);
  });
});
