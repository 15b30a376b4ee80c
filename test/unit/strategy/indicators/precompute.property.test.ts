import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  columnsOfCandles,
  present,
  type Candle,
  type CandleColumns,
} from '../../../../src/domain/index.js';
import {
  atr,
  bollinger,
  cci,
  donchian,
  followersAmong,
  precomputeSeries,
  PrecomputedStore,
  highest,
  kama,
  lowest,
  mfi,
  roc,
  rsi,
  sma,
  standardDeviation,
  stochastic,
  supertrend,
  vwap,
  wma,
  type AnyIndicator,
  type PriceSource,
  type IndicatorSeries,
} from '../../../../src/strategy/index.js';
import { candlesOf, candlesOfCloses } from '../../../support/candles.js';

/** Every kind of indicator whose values can be shared. Kinds without a period or a source ignore it. */
const KINDS: Readonly<Record<string, (period: number, source: PriceSource) => AnyIndicator>> = {
  sma,
  wma,
  standardDeviation,
  vwap,
  roc,
  highest,
  lowest,
  kama,
  rsi,
  atr,
  mfi,
  cci,
  bollinger: (period, source) => bollinger(period, 2, source),
  donchian,
  stochastic: (period) => stochastic({ period }),
  supertrend: (period) => supertrend(period),
};

/** Every number that an indicator shows. */
function shownBy(indicator: AnyIndicator): readonly unknown[] {
  return Object.values(indicator).flatMap((shown: unknown): readonly unknown[] =>
    typeof shown === 'object' && shown !== null ? Object.values(shown) : [shown],
  );
}

const bars = fc
  .record({
    low: fc.integer({ min: 1, max: 2_000 }),
    above: fc.array(fc.nat({ max: 60 }), { minLength: 3, maxLength: 3 }),
    volume: fc.nat({ max: 3_000 }),
  })
  .map(({ low, above, volume }) => {
    const [one = 0, two = 0, three = 0] = above.toSorted((a, b) => a - b);
    const price = (cents: number): number => (low + cents) / 100;
    return {
      low: price(0),
      open: price(one),
      close: price(two),
      high: price(three),
      volume: volume / 1_000,
    };
  });

describe('an indicator with a precomputed series', () => {
  /** The series of a run that begins at row `first`. */
  function seriesOf(
    candles: readonly Candle[],
    columns: CandleColumns,
    first: number,
    store: PrecomputedStore,
  ): IndicatorSeries {
    const candleAt = (row: number): Candle => candles[row] as Candle;
    return { columns, first, end: candles.length, candleAt, store };
  }

  it('equals an indicator without a series bit by bit, from any start and with a shared store', () => {
    fc.assert(
      fc.property(
        fc.array(bars, { minLength: 1, maxLength: 200, size: 'max' }),
        fc.constantFrom(...Object.keys(KINDS)),
        fc.constantFrom<PriceSource>('close', 'hlc3', 'hl2', 'ohlc4', 'volume'),
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.record({ first: fc.nat({ max: 100 }), otherAt: fc.nat({ max: 400 }) }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.constantFrom(1 << 20, 2_000, 1_000, 0),
        (rows, kind, source, period, runs, mostBytes) => {
          const candles = candlesOf(rows);
          const columns = columnsOfCandles(candles);
          const store = new PrecomputedStore({ mostBytes });
          const create = (): AnyIndicator => present(KINDS[kind], kind)(period, source);

          for (const { otherAt, ...run } of runs) {
            const first = Math.min(run.first, candles.length);
            const [told, untold] = [create(), create()];
            store.beginRun();
            precomputeSeries([told], seriesOf(candles, columns, first, store));
            const [follower] = followersAmong([told]);
            // Some rows are delivered by their number: one row at a time, or two.
            let begunEnd = 0;
            const delivered = { row: -1, isLeft: false };
            for (const [row, candle] of candles.entries()) {
              if (row < first) continue;
              // At `otherAt` the candle differs from the announced one. The row before it comes twice.
              const given = row === otherAt ? { ...candle, volume: candle.volume + 1 } : candle;
              if (row >= begunEnd && row % 3 !== 0 && row !== otherAt) {
                const isNextToo = row % 3 === 1 && row + 1 < candles.length && row + 1 !== otherAt;
                const end = isNextToo ? row + 2 : row + 1;
                const closes = { first: row, closes: columns.close, firstClose: row };
                delivered.isLeft = false;
                if (follower?.feed.begin(closes, end - row, delivered) === true) begunEnd = end;
              }
              if (row >= begunEnd) told.update(given);
              else {
                delivered.row = row;
                if (delivered.isLeft) follower?.feed.takeUnlessShown(given);
              }
              untold.update(given);
              if (row + 1 === otherAt)
                for (const indicator of [told, untold]) indicator.update(given);

              expect(shownBy(told)).toEqual(shownBy(untold));
            }
          }
        },
      ),
    );
  });

  it('continues by itself after the end of the series', () => {
    const candles = candlesOfCloses([5, 7, 9, 14]);
    const columns = columnsOfCandles(candles);
    const store = new PrecomputedStore({ mostBytes: 1_000 });
    const average = sma(2);
    precomputeSeries([average], { ...seriesOf(candles, columns, 0, store), end: 3 });

    const values = candles.map((candle) => {
      average.update(candle);
      return average.value;
    });

    expect(values).toEqual([Number.NaN, 6, 8, 11.5]);
  });

  it('does not use the series if it was given a candle before', () => {
    const candles = candlesOfCloses([5, 7, 9, 14]);
    const columns = columnsOfCandles(candles);
    const store = new PrecomputedStore({ mostBytes: 1_000 });
    const average = sma(2);
    average.update(candlesOfCloses([1])[0] as Candle);

    precomputeSeries([average], seriesOf(candles, columns, 0, store));
    average.update(candles[0] as Candle);

    expect(average.value).toBe(3);
    expect(store.bytes).toBe(0);
  });

  it('shows no value of the series before its candle comes', () => {
    const candles = candlesOfCloses([5, 7, 9]);
    const store = new PrecomputedStore({ mostBytes: 1_000 });
    const average = sma(2);

    precomputeSeries([average], seriesOf(candles, columnsOfCandles(candles), 0, store));

    expect(average.isReady).toBe(false);
    expect(store.bytes).toBe(24);
    expect(JSON.stringify(Object.entries(average))).not.toMatch(/[68]/);
  });
});
