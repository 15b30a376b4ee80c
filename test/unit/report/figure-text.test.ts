import { describe, expect, it } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/index.js';
import {
  shortAmount,
  countText,
  durationText,
  instantText,
  moneyText,
  percentText,
  ratioText,
} from '../../../src/report/summary/figure-text.js';

describe('shortAmount', () => {
  it.each([
    ['0', '0.00'],
    ['1234567.891', '1,234,567.89'],
    ['-1234.5', '-1,234.50'],
    ['999.995', '1,000.00'],
    ['0.125', '0.125'],
    ['-0.000123456789', '-0.00012346'],
    // Ties go to the even digit.
    ['2.005', '2.00'],
    ['2.015', '2.02'],
    ['0.000000000000000001', '0.00'],
  ])('writes %s as %s', (amount, text) => {
    expect(shortAmount(amount, 2)).toBe(text);
  });
});

describe('moneyText', () => {
  it.each([
    ['1.23456789123', 'BTC', '1.23456789 BTC'],
    ['1.5', 'BTC', '1.50 BTC'],
    ['12345', 'ETH', '12,345.00 ETH'],
    ['1.23456789123', 'USDT', '1.23 USDT'],
    ['1.23456789123', 'USD', '1.23 USD'],
    ['1.23456789123', 'EUR', '1.23 EUR'],
    ['14148260033.46362886', 'IDR', '14,148,260,033.46 IDR'],
  ])('writes %s %s as %s', (amount, currency, text) => {
    expect(moneyText(amount, currency)).toBe(text);
  });
});

describe('figures in text', () => {
  it('writes rates as percentages', () => {
    expect([0.0235, -1.5, 12.3456, -0.00000001].map(percentText)).toEqual([
      '2.35 %',
      '-150.00 %',
      '1,234.56 %',
      '0.00 %',
    ]);
  });

  it('writes ratios with two decimals', () => {
    expect([1.005, -0.001, 12345.678].map(ratioText)).toEqual(['1.00', '0.00', '12,345.68']);
  });

  it('writes n/a for an unknown figure', () => {
    expect([
      percentText(null),
      ratioText(null),
      ratioText(undefined),
      durationText(null),
      moneyText(null, 'USDT'),
    ]).toEqual(['n/a', 'n/a', 'n/a', 'n/a', 'n/a']);
  });

  it('groups the digits of counts', () => {
    expect([7, 999, 1000, 1033226].map(countText)).toEqual(['7', '999', '1,000', '1,033,226']);
  });

  it('writes durations in their two largest units', () => {
    const durations = [
      0,
      35 * MINUTE_MS,
      4 * HOUR_MS,
      4 * HOUR_MS + 30 * MINUTE_MS,
      12 * DAY_MS + 4 * HOUR_MS + MINUTE_MS,
      1_000 * DAY_MS,
    ];

    expect(durations.map(durationText)).toEqual([
      '0 min',
      '35 min',
      '4 h',
      '4 h 30 min',
      '12 d 4 h',
      '1,000 d',
    ]);
  });

  it('shortens midnights to dates', () => {
    expect([DAY_MS, DAY_MS + 1_500].map(instantText)).toEqual([
      '1970-01-02',
      '1970-01-02T00:00:01.500Z',
    ]);
  });
});
