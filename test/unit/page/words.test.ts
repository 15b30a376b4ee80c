import { describe, expect, it } from 'vitest';

import {
  amountDecimals,
  amountText,
  differenceText,
  figureText,
  minusText,
  moneyText,
  numberText,
  percentText,
  plainText,
  priceText,
} from '../../../src/page/browser/words.js';

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

describe('moneyText', () => {
  it('writes a coin with up to eight decimals, and money with two', () => {
    expect([moneyText(1.23456789, 8), moneyText(1.23456789, 2)]).toEqual(['1.23456789', '1.23']);
    expect([moneyText(-0.5, 2), moneyText(1.5, 8), moneyText(null, 2)]).toEqual([
      '−0.50',
      '1.50',
      '--',
    ]);
  });
});

describe('the sign of a figure', () => {
  it('is missing if the figure is written as zero, like in the summary of a run', () => {
    const tiny = -4e-9;

    expect([percentText(tiny), percentText(-0.001, 0), numberText(tiny), numberText(-0)]).toEqual([
      ...['0.00 %', '0 %', '0.00', '0.00'],
    ]);
    expect([minusText('-0.00 %'), plainText(-0), moneyText(tiny, 2)]).toEqual([
      ...['0.00 %', '0', '0.00'],
    ]);
  });

  it('is a minus sign before any other digit', () => {
    expect([percentText(-0.00005), numberText(-10), minusText('-0.01 to -1.00 %')]).toEqual([
      ...['−0.01 %', '−10.00', '−0.01 to -1.00 %'],
    ]);
    expect([minusText('-'), minusText('-1,000.00'), minusText('2 - 1')]).toEqual([
      ...['-', '−1,000.00', '2 - 1'],
    ]);
  });
});

describe('plainText', () => {
  it('writes no number with an exponent', () => {
    expect([0.1, 9.08122e-11, 61234.10000000001, 1.5e21, -2e-7].map(plainText)).toEqual([
      ...['0.1', '0.0000000000908122', '61234.10000000001', '1500000000000000000000'],
      '−0.0000002',
    ]);
    expect(figureText(1.23456e-7)).toBe('0.0000001235');
  });
});

describe('differenceText', () => {
  it.each([
    ['16804', 'number', '+16804'],
    ['-7', 'number', '−7'],
    ['0.0518349', 'number', '+0.05183'],
    ['-1234.567', 'number', '−1234.57'],
    ['1.6813', 'rate', '+168.13 pp'],
    ['-0.000001', 'rate', '0.00 pp'],
    ['-4636.404', 'amount', '−4,636.40'],
  ] as const)('writes %s, a %s, as %s', (exact, kind, text) => {
    expect(differenceText(exact, kind)).toBe(text);
  });
});

describe('priceText', () => {
  it.each([
    { told: 'a tick of a hundredth', price: '92095.25', text: '92095.25' },
    { told: 'a coin of a millionth', price: '0.0000012345', text: '0.0000012345' },
    { told: 'a whole price', price: '92095', text: '92095' },
    { told: 'an average', price: '46735.689219961538', text: '46735.6892' },
    { told: 'an average of a cheap coin', price: '0.000001234512345678', text: '0.00000123451235' },
    { told: 'an average that is nearly round', price: '129.979124000000001', text: '129.979124' },
    { told: 'an average of a dear contract', price: '1234567890.125', text: '1234567890.12' },
    { told: 'an average that rounds to a whole price', price: '100.0000000001', text: '100' },
    { told: 'no price', price: null, text: '' },
  ])('writes $told as $text', ({ price, text }) => {
    expect(priceText(price)).toBe(text);
  });
});
