import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  closeTimeOf,
  DAY_MS,
  fixedFromNumber,
  fixedToNumber,
  MINUTE_MS,
  resampleCandles,
  type CandleColumns,
  type Interval,
} from '../../../../src/domain/index.js';
import type { MarketView } from '../../../../src/simulator/index.js';
import { columnsOf, rowsOf } from '../../../support/candle-columns.js';
import { aVenue, BTC_USDT, play, START } from '../../../support/spot-venue.js';
import { aMarketView, marketColumns, momentOf, VIEW_RULES } from '../../../support/market-view.js';

const VIEW_INTERVALS = ['1min', '5min', '1h', '1day', '1week', '1month'] as const;

/** Candles and some instants among them. */
const markets = marketColumns().chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    moments: fc.array(momentOf(columns), { minLength: 1, maxLength: 6 }),
  }),
);

/** Every answer of the view at an instant. */
function answersAt(view: MarketView, time: number): unknown {
  return {
    depth: view.depthAt(time),
    ticker: view.tickerAt(time),
    trades: view.tradesAt(time, 60),
    mark: view.markAt(time),
    klines: VIEW_INTERVALS.map((interval) => view.klinesAt(interval, time, { limit: 5 })),
  };
}

/** Keeps the candles that open by `time`. Of the later ones it drops half and triples the prices of the rest. */
function withOtherFuture(columns: CandleColumns, time: number): CandleColumns {
  const rows = [...columns.openTime].flatMap((openTime, row) => {
    if (openTime > time && row % 2 === 0) return [];
    const isKnown = openTime <= time;
    const price = (column: Float64Array): number => (column[row] ?? 0) * (isKnown ? 1 : 3);
    const { open, high, low, close, volume } = columns;
    return [
      {
        time: openTime,
        open: price(open),
        high: price(high),
        low: price(low),
        close: price(close),
        volume: price(volume),
      },
    ];
  });
  return columnsOf(rows);
}

describe('MarketView', () => {
  it('does not use candles that open after the requested time', () => {
    fc.assert(
      fc.property(markets, ({ columns, moments: [time = 0] }) => {
        const other = aMarketView(withOtherFuture(columns, time));

        expect(answersAt(other, time)).toEqual(answersAt(aMarketView(columns), time));
      }),
    );
  });

  it('gives the same answers after any earlier queries', () => {
    fc.assert(
      fc.property(markets, ({ columns, moments }) => {
        const view = aMarketView(columns);

        for (const time of moments)
          expect(answersAt(view, time)).toEqual(answersAt(aMarketView(columns), time));
      }),
    );
  });

  it('keeps last equal to the close of the open candle, between bid and ask, and within the day range', () => {
    fc.assert(
      fc.property(markets, ({ columns, moments: [time = 0] }) => {
        const view = aMarketView(columns);
        const ticker = view.tickerAt(time);
        const kline = view.klinesAt('1min', time, { limit: 1 })?.[0];
        if (ticker === undefined || kline === undefined) {
          expect(time).toBeLessThan(columns.openTime[0] ?? 0);
          return;
        }
        const { last, high, low, bestBid = 0n, bestAsk = 0n } = ticker;
        expect(kline.close).toBe(fixedToNumber(last));
        expect(kline.high).toBeGreaterThanOrEqual(Math.max(kline.open, kline.close));
        expect(kline.low).toBeLessThanOrEqual(Math.min(kline.open, kline.close));
        expect(bestBid <= last && last <= bestAsk).toBe(true);
        expect(low <= last && last <= high).toBe(true);
        const book = view.depthAt(time);
        const isEmpty = book?.asks.length === 0;
        expect(isEmpty).toBe(!hasOpenCandle(columns, time));
        if (!isEmpty)
          expect(book).toMatchObject({ bids: [{ price: bestBid }], asks: [{ price: bestAsk }] });
      }),
    );
  });

  it('publishes the same last price as the venue, on its path and between candles', () => {
    fc.assert(
      fc.property(markets, ({ columns, moments }) => {
        const rows = [...columns.openTime].map((openTime, row) => {
          const { open, high, low, close, volume } = rowAt(columns, row);
          const path = [open, high, low, close] as const;
          return { minute: (openTime - START) / MINUTE_MS, path, volume };
        });
        const observed = aVenue({ candles: rows });
        const view = aMarketView(columns);

        for (const time of [...moments].sort((a, b) => a - b)) {
          if (time < (columns.openTime[0] ?? START)) continue;
          play(observed, [], time - START);
          expect(view.lastAt(time)).toBe(observed.venue.last(BTC_USDT.id, time));
        }
      }),
    );
  });

  it('computes the ticker from exactly the candles that opened within the day', () => {
    fc.assert(
      fc.property(
        marketColumns('1h', { min: 20, max: 60 }).chain((columns) =>
          fc.tuple(fc.constant(columns), fc.array(momentOf(columns), { minLength: 5 })),
        ),
        ([columns, moments]) => {
          const view = aMarketView(columns, { source: { interval: '1h' } });
          // First in order of time, then in random order.
          for (const time of [...moments].sort((a, b) => a - b).concat(moments)) {
            const ticker = view.tickerAt(time);
            const day = view
              .klinesAt('1h', time, { limit: 100, startTime: time - DAY_MS + 1 })
              ?.filter(({ openTime }) => openTime <= time);
            if (ticker === undefined || day === undefined || day.length === 0) continue;
            expect(fixedToNumber(ticker.high)).toBe(Math.max(...day.map(({ high }) => high)));
            expect(fixedToNumber(ticker.low)).toBe(Math.min(...day.map(({ low }) => low)));
            expect(fixedToNumber(ticker.open ?? 0n)).toBe(day[0]?.open);
            expect(ticker.volume).toBe(
              day.reduce((sum, { volume }) => sum + fixedFromNumber(volume), 0n),
            );
          }
        },
      ),
    );
  });

  it('serves closed candles of every interval as they are stored or resampled', () => {
    fc.assert(
      fc.property(
        markets,
        fc.constantFrom<Interval>(...VIEW_INTERVALS),
        ({ columns, moments: [time = 0] }, interval) => {
          const served = aMarketView(columns).klinesAt(interval, time, { limit: 1_000 }) ?? [];

          const { columns: whole } = resampleCandles(columns, '1min', interval);
          const rows = [...whole.openTime].flatMap((openTime, row) =>
            closeTimeOf(openTime, interval) <= time
              ? [{ time: openTime, ...rowAt(whole, row) }]
              : [],
          );
          const closed = served.filter((candle) => candle.closed);
          expect(
            closed.map(({ openTime, open, high, low, close, volume }) => ({
              ...{ time: openTime, open, high, low, close, volume },
            })),
          ).toEqual(rows);
          // At most one candle is open, and it is the last one.
          expect(served.slice(0, -1).every((candle) => candle.closed)).toBe(true);
        },
      ),
    );
  });

  it('gives forming candles of all intervals the volume of the trades they contain', () => {
    fc.assert(
      fc.property(markets, ({ columns, moments: [time = 0] }) => {
        const view = aMarketView(columns);
        const trades = view.tradesAt(time, 10_000) ?? [];

        for (const interval of VIEW_INTERVALS) {
          const kline = view.klinesAt(interval, time, { limit: 1 })?.[0];
          if (kline === undefined) continue;
          const inside = trades.filter((trade) => trade.time >= kline.openTime);
          const volume = inside.reduce((sum, { quantity }) => sum + quantity, 0n);
          expect(fixedToNumber(volume)).toBe(kline.volume);
          for (const { price } of inside) {
            expect(fixedToNumber(price)).toBeLessThanOrEqual(kline.high);
            expect(fixedToNumber(price)).toBeGreaterThanOrEqual(kline.low);
          }
        }
      }),
    );
  });
});

describe('trades of a MarketView', () => {
  it('add up to the volume of their candle, lie on the grids, and go from its open to its close', () => {
    fc.assert(
      fc.property(marketColumns(), (columns) => {
        const end = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
        const trades = aMarketView(columns).tradesAt(end, 100_000) ?? [];

        expect(trades.map(({ time }) => time)).toEqual(
          trades.map(({ time }) => time).sort((a, b) => a - b),
        );
        for (const [row, openTime] of columns.openTime.entries()) {
          const own = trades.filter(({ time }) => time >= openTime && time < openTime + MINUTE_MS);
          const { open, close, volume } = rowAt(columns, row);
          expect(own.reduce((sum, { quantity }) => sum + quantity, 0n)).toBe(
            fixedFromNumber(volume),
          );
          for (const { price, quantity } of own) {
            expect([price % VIEW_RULES.tick, quantity % VIEW_RULES.step]).toEqual([0n, 0n]);
            expect(quantity > 0n).toBe(true);
          }
          if (volume < 1) continue;
          expect(own[0]).toMatchObject({ time: openTime, price: fixedFromNumber(open) });
          expect(own.at(-1)).toMatchObject({
            time: openTime + MINUTE_MS - 1,
            price: fixedFromNumber(close),
          });
        }
      }),
    );
  });

  it('are the newest ones if there are more than the limit', () => {
    fc.assert(
      fc.property(
        markets,
        fc.integer({ min: 1, max: 60 }),
        ({ columns, moments: [time = 0] }, limit) => {
          const view = aMarketView(columns);

          const all = view.tradesAt(time, 100_000) ?? [];
          expect(view.tradesAt(time, limit) ?? []).toEqual(all.slice(-limit));
        },
      ),
    );
  });
});

function hasOpenCandle({ openTime }: CandleColumns, time: number): boolean {
  return openTime.some((open) => open <= time && time < open + MINUTE_MS);
}

type PlainRow = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number>>;

function rowAt(columns: CandleColumns, row: number): PlainRow {
  const { open, high, low, close, volume } = rowsOf(columns);
  return {
    open: open[row] ?? 0,
    high: high[row] ?? 0,
    low: low[row] ?? 0,
    close: close[row] ?? 0,
    volume: volume[row] ?? 0,
  };
}
