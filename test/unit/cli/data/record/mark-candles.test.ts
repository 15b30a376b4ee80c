import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkCandles } from '../../../../../src/cli/data/record/mark-candles.js';
import { MINUTE_MS, type Candle } from '../../../../../src/domain/index.js';
import { FUTURES_ID } from '../../../../support/local-exchange/test-exchange.js';

const START = Date.UTC(2025, 0, 1);

describe('MarkCandles', () => {
  it('law: each past minute with readings gives one candle of them', () => {
    const readings = fc.array(
      fc.record({
        after: fc.integer({ min: 1, max: 100_000 }),
        price: fc.integer({ min: 1, max: 99 }),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(readings, (drawn) => {
        const marks = new MarkCandles(FUTURES_ID);
        const minutes = new Map<number, number[]>();
        const candles: Candle[] = [];
        let time = START;
        for (const { after, price } of drawn) {
          time += after;
          const minute = time - (time % MINUTE_MS);
          minutes.set(minute, [...(minutes.get(minute) ?? []), price]);
          const candle = marks.take(time, price);
          if (candle !== undefined) candles.push(candle);
        }

        const over = [...minutes].slice(0, -1);
        expect(candles).toEqual(
          over.map(([openTime, prices]) => ({
            instrumentId: FUTURES_ID,
            interval: '1min',
            openTime,
            closeTime: openTime + MINUTE_MS,
            open: prices[0],
            high: Math.max(...prices),
            low: Math.min(...prices),
            close: prices.at(-1),
            volume: 0,
          })),
        );
      }),
    );
  });

  it('counts a reading as one of the open minute if the clock moves back slightly', () => {
    const marks = new MarkCandles(FUTURES_ID);
    marks.take(START + MINUTE_MS, 5);

    expect(marks.take(START + MINUTE_MS - 3, 7)).toBeUndefined();
    expect(marks.take(START + 2 * MINUTE_MS, 6)).toMatchObject({
      openTime: START + MINUTE_MS,
      open: 5,
      close: 7,
    });
  });
});
