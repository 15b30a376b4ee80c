import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createHeldPrices } from '../../../../src/assembly/index.js';
import {
  CandleRows,
  closeTimeOf,
  createInstrumentId,
  fixedFromNumber,
  MINUTE_MS,
  present,
  type CandleColumns,
  type Interval,
} from '../../../../src/domain/index.js';
import type { HeldPrices } from '../../../../src/report/index.js';
import { columnsOf } from '../../../support/candle-columns.js';
import { pagedRows } from '../../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const START = Date.UTC(2025, 0, 1);

/** Candles at these places on the grid of their interval, with varied prices. */
function columnsAt(places: readonly number[], openOf: (place: number) => number): CandleColumns {
  return columnsOf(
    [...places]
      .sort((a, b) => a - b)
      .map((place) => {
        const middle = 1_000 + ((place * 7_919) % 499);
        const [low, high] = [middle - (place % 13), middle + (place % 17)];
        return { time: openOf(place), open: middle, high, low, close: middle, volume: 1 };
      }),
  );
}

const MINUTES: { readonly interval: Interval; readonly openOf: (place: number) => number } = {
  interval: '1min',
  openOf: (minute) => START + minute * MINUTE_MS,
};
const MONTHS: typeof MINUTES = {
  interval: '1month',
  openOf: (month) => Date.UTC(2023, month, 1),
};

/** Places without holes, with single holes, or with mostly holes. */
const somePlaces = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((count) => Array.from({ length: count }, (_, at) => at)),
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.array(fc.nat(60), { maxLength: 3 }))
    .map(([count, holes]) =>
      Array.from({ length: count }, (_, at) => at).filter((at) => !holes.includes(at)),
    ),
  fc.uniqueArray(fc.nat(60), { maxLength: 30 }),
);

/** A slow reference: answers by a scan of all candles, as the interface describes it. */
function walked(columns: CandleColumns, interval: Interval, delayMs: number): HeldPrices {
  const candles = Array.from(columns.openTime, (openTime, row) => ({
    openTime,
    closeTime: closeTimeOf(openTime, interval),
    open: columns.open[row] ?? Number.NaN,
    high: columns.high[row] ?? Number.NaN,
    low: columns.low[row] ?? Number.NaN,
    close: columns.close[row] ?? Number.NaN,
  }));
  const fixed = (price: number | undefined): bigint | undefined =>
    price === undefined ? undefined : fixedFromNumber(price);
  return {
    closeBy: (time) =>
      fixed(candles.findLast(({ closeTime }) => closeTime <= time - delayMs)?.close),
    openFrom: (time) => fixed(candles.find(({ openTime }) => openTime >= time)?.open),
    between: (from, to) => {
      const passed = candles.flatMap(({ openTime, closeTime, open, high, low, close }) => {
        if (openTime >= from && closeTime <= to) return [low, high];
        if (openTime >= from && openTime < to) return [open];
        return openTime < from && closeTime > from && closeTime <= to ? [close] : [];
      });
      if (passed.length === 0) return undefined;
      return {
        low: fixedFromNumber(Math.min(...passed)),
        high: fixedFromNumber(Math.max(...passed)),
      };
    },
  };
}

const aMoment = fc.record({
  place: fc.integer({ min: -2, max: 64 }),
  away: fc.integer({ min: -1, max: 1 }),
});
const questions = fc.array(fc.tuple(aMoment, aMoment), { minLength: 1, maxLength: 20 });

describe('createHeldPrices', () => {
  it.each([MINUTES, MONTHS])(
    'law: queries on candles of $interval, in any order, match a scan over all candles',
    ({ interval, openOf }) => {
      fc.assert(
        fc.property(
          somePlaces,
          fc.integer({ min: 1, max: 9 }),
          questions,
          fc.constantFrom(0, MINUTE_MS + 1),
          (places, blockRows, asked, dataDelayMs) => {
            const columns = columnsAt(places, openOf);
            const expected = walked(columns, interval, dataDelayMs);
            for (const rows of [CandleRows.of(columns), pagedRows(columns, blockRows)]) {
              const prices = present(
                createHeldPrices([{ instrumentId: ID, interval, rows }], { dataDelayMs }).get(ID),
                'prices',
              );
              for (const [one, other] of asked) {
                const [time, to] = [one, other]
                  .map(({ place, away }) => openOf(place) + away)
                  .sort((a, b) => a - b) as [number, number];

                expect(prices.closeBy(time)).toBe(expected.closeBy(time));
                expect(prices.openFrom(time)).toBe(expected.openFrom(time));
                expect(prices.between(time, to)).toEqual(expected.between(time, to));
              }
            }
          },
        ),
      );
    },
  );
});
