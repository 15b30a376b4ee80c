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

  it('lasts from the peak to the close that regains it', () => {
    // 120 at 1 h, regained by 120 at 4 h
    const { maxDrawdownDuration } = hourly([120, 110, 100, 120, 119, 130]);

    expect(maxDrawdownDuration).toBe(3 * HOUR_MS);
  });

  it('counts from the last close at the peak', () => {
    // 120 at 1 h, 2 h and 3 h; below it at 4 h, regained at 5 h
    expect(hourly([120, 120, 120, 119, 121]).maxDrawdownDuration).toBe(2 * HOUR_MS);
  });

  it('lasts to the end when it is not regained', () => {
    // from 130 at 2 h to the last close at 6 h
    expect(hourly([110, 130, 100, 110, 120, 129]).maxDrawdownDuration).toBe(4 * HOUR_MS);
  });

  it('is nothing on a curve that never falls', () => {
    expect(hourly([100, 101, 101, 102])).toMatchObject({
      maxDrawdown: 0,
      maxDrawdownDuration: 0,
    });
  });

  it('exceeds 1 when equity goes below zero', () => {
    expect(hourly([-50]).maxDrawdown).toBe(1.5);
  });

  it('is unknown without closes', () => {
    expect(hourly([])).toMatchObject({ maxDrawdown: null, maxDrawdownDuration: null });
  });

  it('is unknown without money at the start', () => {
    const figures = tallyCloses({ time: 0, value: 0 }, [[1, 5]]);

    expect(figures).toMatchObject({ maxDrawdown: null, maxDrawdownDuration: null });
  });

  it('counts closes and adds their equity in order', () => {
    expect(hourly([0.1, 0.2, 0.3])).toMatchObject({ count: 3, sum: 0.1 + 0.2 + 0.3 });
  });

  it('refuses an equity that is no number', () => {
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

  it('says the same of closes taken in parts as of all at once', () => {
    const values = [120, 90, 150, 120, 160, 160, 155];
    const time = Float64Array.from(values, (_, index) => (index + 1) * HOUR_MS);
    const value = Float64Array.from(values);
    for (let cut = 0; cut <= values.length; cut += 1) {
      const tally = new CloseTally({ time: 0, value: 100 });

      tally.add({ time, value }, cut);
      tally.add({ time: time.subarray(cut), value: value.subarray(cut) }, values.length - cut);

      expect(tally.figures).toEqual(hourly(values));
    }
  });

  it('takes closes of one equity at once as it takes them one by one', () => {
    const levels = fc.array(
      fc.record({
        equity: fc.integer({ min: -20, max: 40 }),
        count: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(levels, fc.integer({ min: 1, max: 20 }), (drawn, start) => {
        const oneByOne = new CloseTally({ time: 0, value: start / 10 });
        const atOnce = new CloseTally({ time: 0, value: start / 10 });
        let last = 0;
        for (const { equity, count } of drawn) {
          const times = Float64Array.from({ length: count }, (_, n) => last + (n + 1) * HOUR_MS);
          last += count * HOUR_MS;
          oneByOne.add({ time: times, value: new Float64Array(count).fill(equity / 10) }, count);
          atOnce.addLevel(equity / 10, { count, last, stepMs: HOUR_MS });
        }
        expect(atOnce.figures).toStrictEqual(oneByOne.figures);
      }),
    );
  });

  it('refuses closes at once whose equity is no number, or that have no time', () => {
    const tally = new CloseTally({ time: 0, value: 100 });
    const add = (equity: number, last: number) => () => {
      tally.addLevel(equity, { count: 3, last, stepMs: HOUR_MS });
    };

    expect(add(Number.NaN, 1)).toThrow('at close 0');
    expect(add(1, Number.POSITIVE_INFINITY)).toThrow('at close 0');
  });
});
