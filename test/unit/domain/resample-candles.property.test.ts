import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  canResample,
  closeTimeOf,
  DAY_MS,
  fixedIntervalMs,
  floorToInterval,
  INTERVALS,
  parseUtc,
  resampleCandles,
  type CandleColumns,
  type Interval,
} from '../../../src/domain/index.js';
import { columnsOf, rowsOf } from '../../support/candle-columns.js';
import { lawRuns } from '../../support/runs.js';

const START = parseUtc('2024-02-26T00:00:00Z');

/** Candles of an interval with holes, over a span that crosses weeks, a leap day and a month's end. */
function holedCandles(interval: Interval): fc.Arbitrary<CandleColumns> {
  const length = fixedIntervalMs(interval) ?? DAY_MS;
  const price = fc.integer({ min: 1, max: 300 }).map((ticks) => ticks / 100);
  const row = fc.record({
    // Mostly the next candle. Sometimes a hole of up to nine days.
    ahead: fc.oneof(
      { weight: 6, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: 2, max: Math.ceil((9 * DAY_MS) / length) }) },
    ),
    prices: fc.tuple(price, price, price, price),
    volume: fc.integer({ min: 0, max: 1_000_000_000 }).map((units) => units / 1e7),
  });
  return fc.array(row, { maxLength: 80 }).map((rows) => {
    let time = floorToInterval(START, interval);
    return columnsOf(
      rows.map(({ ahead, prices, volume }) => {
        time += ahead * length;
        const [open, close] = prices;
        return { time, open, high: Math.max(...prices), low: Math.min(...prices), close, volume };
      }),
    );
  });
}

const FIXED = INTERVALS.filter((interval) => fixedIntervalMs(interval) !== undefined);

const chains = fc.constantFrom(...FIXED).chain((from) =>
  fc.constantFrom(...INTERVALS.filter((middle) => canResample(from, middle))).chain((middle) =>
    fc.record({
      from: fc.constant(from),
      middle: fc.constant(middle),
      to: fc.constantFrom(...INTERVALS.filter((to) => canResample(middle, to))),
      columns: holedCandles(from),
    }),
  ),
);

describe('resampleCandles', () => {
  it('gives the same candles in two steps as in one', () => {
    fc.assert(
      fc.property(chains, ({ from, middle, to, columns }) => {
        const direct = resampleCandles(columns, from, to);
        const steps = resampleCandles(resampleCandles(columns, from, middle).columns, middle, to);

        expect(rowsOf(steps.columns)).toEqual(rowsOf(direct.columns));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('puts every fine candle into exactly one coarse candle, and counts the absent ones as missing', () => {
    fc.assert(
      fc.property(chains, ({ from, to, columns }) => {
        const { columns: coarse, missing } = resampleCandles(columns, from, to);

        const times = [...columns.openTime];
        const expected = [...coarse.openTime].map((openTime, row) => {
          const end = closeTimeOf(openTime, to);
          const inside = times.filter((time) => time >= openTime && time < end);
          let slots = 0;
          for (let time = openTime; time < end; time = closeTimeOf(time, from)) slots += 1;
          expect(inside.length).toBeGreaterThan(0);
          expect(missing[row]).toBe(slots - inside.length);
          return inside.length;
        });
        expect(expected.reduce((sum, count) => sum + count, 0)).toBe(times.length);
      }),
    );
  });

  it('drops exactly the incomplete candles if only complete ones are requested', () => {
    fc.assert(
      fc.property(chains, ({ from, to, columns }) => {
        const any = resampleCandles(columns, from, to);
        const all = resampleCandles(columns, from, to, { complete: 'all' });

        const whole = [...any.columns.openTime].filter((_, row) => any.missing[row] === 0);
        expect([...all.columns.openTime]).toEqual(whole);
        expect(all.dropped).toBe(any.missing.length - whole.length);
      }),
    );
  });
});
