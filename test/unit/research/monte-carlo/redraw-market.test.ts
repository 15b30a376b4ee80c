import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  createInstrumentId,
  DAY_MS,
  HOUR_MS,
  parseUtc,
  present,
  type CandleColumns,
  type Interval,
} from '../../../../src/domain/index.js';
import { blockOfMarket, redrawMarket } from '../../../../src/research/monte-carlo/redraw-market.js';
import type {
  SnapshotSeries,
  MarketSnapshot,
} from '../../../../src/research/trials/market-snapshot.js';
import { januaryCandles } from '../../../support/cli/bot-folder.js';

const START = parseUtc('2025-01-01');
const BTC = createInstrumentId('spot', 'BTCUSDT');
const ETH = createInstrumentId('spot', 'ETHUSDT');
/** All days except the first, which has no close before it, and the last, which stays in place. */
const SPAN = { from: START + DAY_MS, to: START + 30 * DAY_MS };
const PRICES = ['open', 'high', 'low', 'close'] as const;

function held(
  instrumentId: typeof BTC,
  interval: Interval,
  columns: CandleColumns,
): SnapshotSeries {
  return { info: { instrumentId, interval } as SnapshotSeries['info'], columns };
}

/** Resamples hourly candles to days, hour by hour. */
function byDays(hours: CandleColumns): CandleColumns {
  const days = hours.openTime.length / 24;
  const column = (of: (from: number) => number): Float64Array =>
    Float64Array.from({ length: days }, (_, day) => of(24 * day));
  return {
    openTime: column((from) => hours.openTime[from] ?? NaN),
    open: column((from) => hours.open[from] ?? NaN),
    high: column((from) => Math.max(...hours.high.subarray(from, from + 24))),
    low: column((from) => Math.min(...hours.low.subarray(from, from + 24))),
    close: column((from) => hours.close[from + 23] ?? NaN),
    volume: column((from) => hours.volume.subarray(from, from + 24).reduce((a, b) => a + b, 0)),
  };
}

function aMarket(): MarketSnapshot {
  const hours = januaryCandles();
  const tenth = (prices: Float64Array): Float64Array =>
    prices.map((price) => Math.round(10 * price) / 100);
  const other = { ...hours, open: tenth(hours.open), close: tenth(hours.close) };
  const eth = { ...other, high: tenth(hours.high), low: tenth(hours.low) };
  const time = Float64Array.from({ length: 93 }, (_, place) => START + 8 * HOUR_MS * place);
  return {
    directory: '',
    series: [held(BTC, '1h', hours), held(BTC, '1day', byDays(hours)), held(ETH, '1h', eth)],
    marks: [],
    funding: new Map([[BTC, { time, rate: time.map((_, place) => place) }]]),
    rules: new Map(),
    tiers: new Map(),
  };
}

const redraw = (seed: number, block: number): MarketSnapshot =>
  redrawMarket(aMarket(), { ...SPAN, seed, block });

const columnsOf = ({ series }: MarketSnapshot, place: number): CandleColumns =>
  present(series[place], 'series').columns;

describe('redrawMarket', () => {
  it('law: each day is copied from the market in whole blocks, the same for all instruments and intervals', () => {
    const cases = fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      block: fc.integer({ min: 1, max: 40 }),
    });
    const before = aMarket();
    fc.assert(
      fc.property(cases, ({ seed, block }) => {
        const market = redraw(seed, block);
        const rates = [...present(market.funding.get(BTC), 'funding').rate];
        // Each rate is its own index: three rates a day.
        const sources = Array.from({ length: 31 }, (_, day) => (rates[3 * day] ?? NaN) / 3);
        expect([sources[0], sources[30]]).toEqual([0, 30]);
        for (const [day, source] of sources.entries()) {
          expect(rates.slice(3 * day, 3 * day + 3)).toEqual([0, 1, 2].map((at) => 3 * source + at));
          const isInside = day > 1 && day < 30 && (day - 1) % Math.min(block, 29) > 0;
          if (isInside) expect(source).toBe((sources[day - 1] ?? NaN) + 1);
        }
        for (const place of [0, 2]) {
          const [made, was] = [columnsOf(market, place), columnsOf(before, place)];
          expect(made.openTime).toEqual(was.openTime);
          for (let row = 1; row < made.close.length; row += 1) {
            const from = 24 * (sources[Math.floor(row / 24)] ?? NaN) + (row % 24);
            expect(made.volume[row]).toBe(was.volume[from]);
            for (const name of PRICES) {
              const move = (made[name][row] ?? NaN) / (made.close[row - 1] ?? NaN);
              const known = (was[name][from] ?? NaN) / (was.close[from - 1] ?? NaN);
              expect(Math.abs(move / known - 1)).toBeLessThan(1e-5);
            }
          }
        }
        const [days, made] = [columnsOf(market, 1), byDays(columnsOf(market, 0))];
        for (const name of PRICES) expect(days[name]).toEqual(made[name]);
      }),
      { numRuns: 10 },
    );
  });

  it('returns the original market for a block as long as the span', () => {
    expect(redraw(7, 29)).toEqual(aMarket());
  });

  it('returns the same market for the same seed, and another for another seed', () => {
    expect(redraw(1, 3)).toEqual(redraw(1, 3));
    expect(columnsOf(redraw(2, 3), 0)).not.toEqual(columnsOf(redraw(1, 3), 0));
  });

  it('does not draw a first day without a close before it', () => {
    const span = { from: START, to: SPAN.to };
    for (const seed of [1, 2, 3, 4]) {
      const market = redrawMarket(aMarket(), { ...span, seed, block: 1 });
      const { rate } = present(market.funding.get(BTC), 'funding');
      expect(rate.filter((each) => each < 3)).toHaveLength(0);
      expect(columnsOf(market, 0).close.every((price) => price > 0)).toBe(true);
    }
  });

  it('refuses candles that are longer than a day', () => {
    const market = aMarket();
    const weeks = { ...market, series: [held(BTC, '1week', januaryCandles())] };
    expect(() => redrawMarket(weeks, { ...SPAN, seed: 1, block: 1 })).toThrow(
      expect.objectContaining({ code: 'E_USAGE' }),
    );
  });
});

describe('blockOfMarket', () => {
  it('returns whole days, and a longer block if volatile days cluster', () => {
    const market = aMarket();
    const calm = blockOfMarket(market, SPAN);
    const hours = januaryCandles();
    // Ten calm days, ten wild ones, ten calm ones.
    const wild = hours.close.map((price, row) => {
      const day = Math.floor(row / 24);
      return Math.floor(day / 10) === 1 ? price * (1 + 0.3 * (day % 2)) : 60_000 + (row % 2);
    });
    const stretched = { ...market, series: [held(BTC, '1h', { ...hours, close: wild })] };

    expect(Number.isInteger(calm)).toBe(true);
    expect(calm).toBeGreaterThanOrEqual(1);
    expect(blockOfMarket(stretched, SPAN)).toBeGreaterThan(calm);
  });
});
