import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { HOUR_MS } from '../../../src/domain/index.js';
import { CloseTally } from '../../../src/report/index.js';
import { tallyCloses } from '../../support/run-records.js';

/** Hourly closes after a start of 100 at time 0. */
function hourly(values: readonly number[]) {
  return tallyCloses(
    { time: 0, value: 100 },
    values.map((value, index) => [(index + 1) * HOUR_MS, value]),
  );
}

describe('CloseTally', () => {
  it('measures the deepest fall from the highest equity before it', () => {
    // peaks 100, 120, 150; falls 120 → 90 = 0.25 and 150 → 120 = 0.2
    const { maxDrawdown } = hourly([120, 90, 150, 120, 160]);

    expect(maxDrawdown).toBe(0.25);
  });

  it('counts the start as a peak', () => {
    expect(hourly([80, 90]).maxDrawdown).toBe(0.2);
  });

  it('a drawdown lasts from the peak to the close that regains it', () => {
    // 120 at 1 h, regained by 120 at 4 h
    const { maxDrawdownDuration } = hourly([120, 110, 100, 120, 119, 130]);

    expect(maxDrawdownDuration).toBe(3 * HOUR_MS);
  });

  it('a drawdown is counted from the last close at the peak', () => {
    // 120 at 1 h, 2 h and 3 h; below it at 4 h, regained at 5 h
    expect(hourly([120, 120, 120, 119, 121]).maxDrawdownDuration).toBe(2 * HOUR_MS);
  });

  it('a drawdown that is not regained lasts to the end', () => {
    // from 130 at 2 h to the last close at 6 h
    expect(hourly([110, 130, 100, 110, 120, 129]).maxDrawdownDuration).toBe(4 * HOUR_MS);
  });

  it('the drawdown is 0 on a curve that never falls', () => {
    expect(hourly([100, 101, 101, 102])).toMatchObject({
      maxDrawdown: 0,
      maxDrawdownDuration: 0,
    });
  });

  it('the drawdown exceeds 1 when equity falls below zero', () => {
    expect(hourly([-50]).maxDrawdown).toBe(1.5);
  });

  it('the drawdown is null without closes', () => {
    expect(hourly([])).toMatchObject({ maxDrawdown: null, maxDrawdownDuration: null });
  });

  it('the drawdown is null without equity at the start', () => {
    const figures = tallyCloses({ time: 0, value: 0 }, [[1, 5]]);

    expect(figures).toMatchObject({ maxDrawdown: null, maxDrawdownDuration: null });
  });

  it('counts closes and adds their equity in order', () => {
    expect(hourly([0.1, 0.2, 0.3])).toMatchObject({ count: 3, sum: 0.1 + 0.2 + 0.3 });
  });

  it('refuses an equity that is not a number', () => {
    expect(() => hourly([100, Number.NaN])).toThrow(
      expect.objectContaining({ code: 'E_CANDLE_EQUITY' }),
    );
  });

  it('refuses a close without a time', () => {
    const measure = () =>
      tallyCloses({ time: 0, value: 100 }, [
        [1, 99],
        [Number.NaN, 98],
      ]);

    expect(measure).toThrow('expected a time and a finite equity at close 1, received NaN and 98');
  });

  it.each([
    { what: 'below all closes', equity: 60, maxDrawdown: 0.5, maxDrawdownDuration: 300 },
    { what: 'like the last close', equity: 90, maxDrawdown: 0.25, maxDrawdownDuration: 300 },
    { what: 'above the peak', equity: 150, maxDrawdown: 0.25, maxDrawdownDuration: 300 },
  ])('counts a fall to the end, $what', ({ equity, maxDrawdown, maxDrawdownDuration }) => {
    const tally = new CloseTally({ time: 0, value: 100 });
    for (const [time, value] of [
      [100, 120],
      [300, 90],
    ] as const)
      tally.add(time, value);

    expect(tally.figuresBy({ time: 400, equity })).toEqual({
      maxDrawdown,
      maxDrawdownDuration,
      count: 2,
      sum: 210,
    });
  });

  it('counts many closes at once the same as one by one', () => {
    const batches = fc.array(
      fc.record({
        unpriced: fc.integer({ min: -20, max: 40 }),
        quantity: fc.integer({ min: -2, max: 2 }),
        sign: fc.constantFrom(1, -1),
        entry: fc.integer({ min: 0, max: 5 }),
        prices: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 9 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(batches, fc.integer({ min: -1, max: 20 }), (drawn, start) => {
        const oneByOne = new CloseTally({ time: 0, value: start / 10 });
        const atOnce = new CloseTally({ time: 0, value: start / 10 });
        let last = 0;
        for (const { unpriced, sign, quantity, entry: units, prices } of drawn) {
          const entry = quantity === 0 ? 0 : units / 3;
          for (const price of prices) {
            last += HOUR_MS;
            oneByOne.add(last, unpriced / 10 + sign * (quantity * (price / 7) - entry));
          }
          atOnce.addPriced(
            { unpriced: unpriced / 10, sign, quantity, entry },
            {
              prices: Float64Array.from([0, ...prices, 0], (price) => price / 7),
              first: 1,
              count: prices.length,
              time: last - (prices.length - 1) * HOUR_MS,
              stepMs: HOUR_MS,
            },
          );
        }
        const end = { time: last, equity: 1 };
        expect(atOnce.figuresBy(end)).toStrictEqual(oneByOne.figuresBy(end));
      }),
    );
  });

  it('measures the same drawdowns as a separate computation of each close', () => {
    const equities = fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(equities, (values) => {
        const figures = tallyCloses(
          { time: 0, value: 100 },
          values.map((value, index) => [index + 1, value]),
        );

        let peak = { time: 0, value: 100 };
        const falls = values.map((value, index) => {
          const time = index + 1;
          const since = time - peak.time;
          const wasBelow = index > 0 && (values[index - 1] ?? 0) < peak.value;
          const depth = Math.max(0, (peak.value - value) / peak.value);
          const isBelow = value < peak.value;
          if (!isBelow) peak = { time, value };
          return { depth, lasted: isBelow || wasBelow ? since : 0 };
        });
        expect(figures.maxDrawdown).toBe(Math.max(...falls.map(({ depth }) => depth)));
        expect(figures.maxDrawdownDuration).toBe(Math.max(...falls.map(({ lasted }) => lasted)));
      }),
    );
  });

  it('refuses many closes at once with an equity that is not a number, or without a time', () => {
    const tally = new CloseTally({ time: 0, value: 100 });
    const add = (price: number, time: number) => () => {
      const closes = Float64Array.of(1, price, 1);
      tally.addPriced(
        { unpriced: 1, sign: 1, quantity: 1, entry: 0 },
        { prices: closes, first: 0, count: 3, time, stepMs: HOUR_MS },
      );
    };

    expect(add(Number.NaN, 1)).toThrow('at close 1');
    expect(add(1, Number.POSITIVE_INFINITY)).toThrow('at close 0');
  });
});
