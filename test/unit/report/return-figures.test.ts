import { describe, expect, it } from 'vitest';

import { DAY_MS, formatFixed, HOUR_MS, parseFixed } from '../../../src/domain/index.js';
import { computeStatistics, dayEndsBetween } from '../../../src/report/index.js';
import { aRunRecord, dailyEquity, RUN_START } from '../../support/run-records.js';

/** Amounts of a curve that starts at 10,000 and then moves by these percentages, exact to 18 decimals. */
function compounded(percentages: readonly number[]): string[] {
  let amount = parseFixed('10000');
  return [
    '10000',
    ...percentages.map((percentage) => {
      amount = (amount * BigInt(100 + percentage)) / 100n;
      return formatFixed(amount);
    }),
  ];
}

const alternating = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 2 : -1));

describe('computeStatistics on returns', () => {
  it('annualizes 15 days of +2 % and 15 of −1 %', () => {
    // mean = (0.02 − 0.01) ÷ 2 = 0.005; every deviation is 0.015
    // sd = √(30 × 0.015² ÷ 29) = √(0.00675 ÷ 29) = 0.015256428831468234
    // downside = √(15 × 0.01² ÷ 30) = √0.00005 = 0.007071067811865475
    // √365 = 19.1049731745428
    // growth = (1.02 × 0.99)^15 = 1.0098^15; cagr = 1.0098^(15 × 365 ÷ 30) − 1 = 1.0098^182.5 − 1
    const record = aRunRecord(dailyEquity(compounded(alternating(30))));

    const statistics = computeStatistics(record);

    expect(statistics.totalReturn).toBeCloseTo(0.157525308622856, 14);
    expect(statistics.volatility).toBeCloseTo(0.291473663564522, 13);
    expect(statistics.sharpe).toBeCloseTo(6.261286106200842, 12);
    expect(statistics.sortino).toBeCloseTo(13.509256086106296, 12);
    expect(statistics.cagr).toBeCloseTo(4.928630181642407, 13);
  });

  it('measures Calmar as annual growth divided by the deepest drawdown', () => {
    // Every fall is one day of −1 %, regained the day after: 4.928630181642407 ÷ 0.01
    const record = aRunRecord(dailyEquity(compounded(alternating(30))));

    const { calmar, maxDrawdown } = computeStatistics(record);

    expect(maxDrawdown).toBeCloseTo(0.01, 14);
    expect(calmar).toBeCloseTo(492.8630181642407, 9);
  });

  it('gives a negative annual growth when the curve falls', () => {
    // 10000 → 9000 after 73 days, a fifth of a year: 0.9^5 − 1 = 0.59049 − 1
    const amounts = Array.from({ length: 73 }, (_, day) => (day % 2 === 0 ? '10000' : '9500'));
    const record = aRunRecord(dailyEquity([...amounts, '9000']));

    const { cagr, totalReturn } = computeStatistics(record);

    expect(totalReturn).toBe(-0.1);
    expect(cagr).toBeCloseTo(-0.40951, 15);
  });

  it.each([
    ['29 returns', compounded(alternating(29))],
    ['no movement', Array.from({ length: 41 }, () => '10000')],
    ['no return at all', ['10000']],
  ])('gives no annual figure for %s', (_, amounts) => {
    const record = aRunRecord(dailyEquity(amounts));

    const statistics = computeStatistics(record);

    expect(statistics).toMatchObject({
      cagr: null,
      volatility: null,
      sharpe: null,
      sortino: null,
      calmar: null,
    });
  });

  it('gives the total return of a short run', () => {
    const record = aRunRecord(dailyEquity(['10000', '10250']));

    expect(computeStatistics(record).totalReturn).toBe(0.025);
  });

  it('gives no Sortino and no Calmar if no day lost', () => {
    const gains = Array.from({ length: 30 }, (_, index) => (index % 2) + 1);
    const record = aRunRecord(dailyEquity(compounded(gains)));

    const { sharpe, sortino, calmar, maxDrawdown } = computeStatistics(record);

    expect(sharpe).toBeGreaterThan(0);
    expect(sortino).toBeNull();
    expect(maxDrawdown).toBe(0);
    expect(calmar).toBeNull();
  });

  it('gives no annual figure after equity fell to 0', () => {
    const amounts = [...compounded(alternating(31)), '0', '0', '50'];
    const record = aRunRecord(dailyEquity(amounts));

    const { totalReturn, cagr, sharpe, maxDrawdown } = computeStatistics(record);

    expect(totalReturn).toBe(-0.995);
    expect(maxDrawdown).toBe(1);
    expect(cagr).toBeNull();
    expect(sharpe).toBeNull();
  });

  it('excludes the days that the run covers only in part', () => {
    // From noon of the first day to 06:00 of the last: the same 30 whole days lie between the midnights.
    const whole = dailyEquity(compounded(alternating(30)));
    const from = RUN_START - 12 * HOUR_MS;
    const to = RUN_START + 30 * DAY_MS + 6 * HOUR_MS;
    const finalEquity = parseFixed('20000');
    const record = aRunRecord({
      ...whole,
      run: { ...whole.run, from, to },
      initialEquity: parseFixed('5000'),
      finalEquity,
      dayEquity: {
        time: dayEndsBetween(from, to),
        equity: [parseFixed('10000'), ...whole.dayEquity.equity, finalEquity],
      },
    });

    const { sharpe, sortino, totalReturn } = computeStatistics(record);

    expect(sharpe).toBeCloseTo(6.261286106200842, 12);
    expect(sortino).toBeCloseTo(13.509256086106296, 12);
    expect(totalReturn).toBe(3);
  });

  it('refuses a daily curve with a missing day', () => {
    const record = dailyEquity(['10000', '10100', '10200']);
    const time = [...record.dayEquity.time].slice(1);
    const equity = record.dayEquity.equity.slice(1);

    const compute = () => computeStatistics(aRunRecord({ ...record, dayEquity: { time, equity } }));

    expect(compute).toThrow(
      expect.objectContaining({
        code: 'E_DAY_EQUITY',
        message: 'expected 2 day ends, received 1 times and 1 amounts',
      }),
    );
  });

  it('refuses a daily curve at other times', () => {
    const record = dailyEquity(['10000', '10100', '10200']);
    const time = [RUN_START + 1, RUN_START + 2 * DAY_MS];

    const compute = () =>
      computeStatistics(aRunRecord({ ...record, dayEquity: { ...record.dayEquity, time } }));

    expect(compute).toThrow(
      `expected day end ${String(RUN_START + DAY_MS)} at index 0, received ${String(RUN_START + 1)}`,
    );
  });

  it('refuses a final equity that differs from the end of the daily curve', () => {
    const record = dailyEquity(['10000', '10100', '10200']);

    const compute = () =>
      computeStatistics(aRunRecord({ ...record, finalEquity: parseFixed('10201') }));

    expect(compute).toThrow('expected the daily curve to end at 10201, received 10200');
  });
});
