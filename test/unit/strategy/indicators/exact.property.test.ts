import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Candle } from '../../../../src/domain/index.js';
import {
  bollinger,
  cci,
  sma,
  standardDeviation,
  stochastic,
  vwap,
  wma,
  type Indicator,
  type PriceSource,
} from '../../../../src/strategy/index.js';
import { candlesOf } from '../../../support/candles.js';

/** A candle in whole ticks. */
type Ticks = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', bigint>>;

const PARTS: Readonly<Record<string, readonly (keyof Ticks)[]>> = {
  close: ['close'],
  volume: ['volume'],
  hl2: ['high', 'low'],
  hlc3: ['high', 'low', 'close'],
  ohlc4: ['open', 'high', 'low', 'close'],
};
const SOURCES = Object.keys(PARTS) as readonly PriceSource[];

const level = fc.nat({ max: 40 });
const series = fc.record({
  decimals: fc.integer({ min: 0, max: 8 }),
  base: fc.integer({ min: 1, max: 9_000_000 }),
  rows: fc.array(fc.tuple(level, level, level, level, level), { minLength: 20, maxLength: 60 }),
  /** Numbers before the series, on a finer grid or on no grid. */
  past: fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 1e9 }).map((ticks) => ticks / 1e10),
      fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
    ),
    { maxLength: 8 },
  ),
});

interface Drawn {
  readonly decimals: number;
  readonly ticks: readonly Ticks[];
  readonly past: readonly Candle[];
  readonly candles: readonly Candle[];
}

const drawn: fc.Arbitrary<Drawn> = series.map(({ decimals, base, rows, past }) => {
  const ticks = rows.map(([open, close, above, below, volume]): Ticks => {
    const at = (ticksAbove: number): bigint => BigInt(base + ticksAbove);
    return {
      open: at(open),
      close: at(close),
      high: at(Math.max(open, close, above)),
      low: at(Math.min(open, close, below)),
      volume: BigInt(volume + 1),
    };
  });
  const number = (count: bigint): number => Number(count) / 10 ** decimals;
  return {
    decimals,
    ticks,
    past: candlesOf(past.map((price) => ({ close: price, volume: price }))),
    candles: candlesOf(
      ticks.map((row) => ({
        open: number(row.open),
        high: number(row.high),
        low: number(row.low),
        close: number(row.close),
        volume: number(row.volume),
      })),
    ),
  };
});

const period = fc.integer({ min: 1, max: 16 });

/** The value of an indicator after all candles. */
function last(indicator: Indicator, { past, candles }: Drawn): number {
  for (const candle of [...past, ...candles]) indicator.update(candle);
  return indicator.value;
}

/** Ticks of a source in each of the last candles: the sum of the parts of the source. */
function window(
  { ticks }: Drawn,
  length: number,
  source: PriceSource = 'close',
): readonly bigint[] {
  const parts = PARTS[source] ?? [];
  return ticks.slice(-length).map((row) => parts.reduce((sum, part) => sum + row[part], 0n));
}

const total = (values: readonly bigint[]): bigint => values.reduce((sum, each) => sum + each, 0n);
const sign = (difference: number | bigint): number =>
  difference > 0 ? 1 : difference < 0 ? -1 : 0;

describe('on a tick grid, after any earlier candles', () => {
  it('a simple average is the sum in ticks, divided once', () => {
    fc.assert(
      fc.property(drawn, period, fc.constantFrom(...SOURCES), (given, length, source) => {
        const parts = PARTS[source]?.length ?? 0;
        const divisor = length * parts * 10 ** given.decimals;

        expect(last(sma(length, source), given)).toBe(
          Number(total(window(given, length, source))) / divisor,
        );
      }),
    );
  });

  it('a weighted average is the weighted sum in ticks, divided once', () => {
    fc.assert(
      fc.property(drawn, period, fc.constantFrom(...SOURCES), (given, length, source) => {
        const parts = PARTS[source]?.length ?? 0;
        const sum = window(given, length, source).reduce(
          (all, each, at) => all + each * BigInt(at + 1),
          0n,
        );

        expect(last(wma(length, source), given)).toBe(
          Number(sum) / (((parts * length * (length + 1)) / 2) * 10 ** given.decimals),
        );
      }),
    );
  });

  it('averages and deviations of two periods compare as without rounding', () => {
    fc.assert(
      fc.property(drawn, period, period, fc.constantFrom(...SOURCES), (given, one, two, source) => {
        const sums = [one, two].map((length) => total(window(given, length, source)));
        const [first = 0n, second = 0n] = sums;
        const averages = sign(first * BigInt(two) - second * BigInt(one));
        expect(sign(last(sma(one, source), given) - last(sma(two, source), given))).toBe(averages);

        const squares = [one, two].map((length) => {
          const values = window(given, length, source);
          const sum = total(values);
          return BigInt(length) * total(values.map((each) => each * each)) - sum * sum;
        });
        const [left = 0n, right = 0n] = squares;
        const exact = sign(left * BigInt(two) ** 2n - right * BigInt(one) ** 2n);
        const [ours, theirs] = [standardDeviation(one, source), standardDeviation(two, source)];
        expect(sign(last(ours, given) - last(theirs, given))).toBe(exact);
      }),
    );
  });

  it('the commodity channel index has the sign of the distance from the average', () => {
    fc.assert(
      fc.property(drawn, period, (given, length) => {
        const prices = window(given, length, 'hlc3');
        const distance = BigInt(length) * (prices.at(-1) ?? 0n) - total(prices);

        expect(sign(last(cci(length), given))).toBe(sign(distance));
      }),
    );
  });

  it('a volume-weighted average of equal prices is that price', () => {
    fc.assert(
      fc.property(drawn, period, (given, length) => {
        const price = given.candles[0]?.close ?? 0;
        const candles = given.candles.map((candle) => ({ ...candle, close: price }));

        expect(last(vwap(length, 'close'), { ...given, candles })).toBe(price);
      }),
    );
  });

  it('the middle Bollinger band is the simple average, and the stochastic position is exact', () => {
    fc.assert(
      fc.property(drawn, period, (given, length) => {
        const bands = bollinger(length);
        const places = stochastic({ period: length, smoothK: 1, smoothD: 1 });
        for (const candle of [...given.past, ...given.candles]) {
          bands.update(candle);
          places.update(candle);
        }
        const rows = given.ticks.slice(-length);
        const top = Number(rows.map(({ high }) => high).reduce((a, b) => (a > b ? a : b)));
        const bottom = Number(rows.map(({ low }) => low).reduce((a, b) => (a < b ? a : b)));
        const close = Number(rows.at(-1)?.close);

        expect(bands.middle.value).toBe(last(sma(length), given));
        expect(places.k.value).toBe(
          top === bottom ? 50 : (100 * (close - bottom)) / (top - bottom),
        );
      }),
    );
  });
});

describe('off the tick grid', () => {
  it('an average is the float64 sum, oldest first, until the last off-grid price has left the window', () => {
    const noise = 0.1 + 0.2;
    const average = sma(3);

    const values = [0.1, noise, 0.7, 0.2, 0.3, 0.1].map((close) => {
      for (const candle of candlesOf([{ close }])) average.update(candle);
      return average.value;
    });

    expect(values.slice(2)).toEqual([
      (0.1 + noise + 0.7) / 3,
      (noise + 0.7 + 0.2) / 3,
      // 12 / 30 and 6 / 30: sums of floats would give 0.39999999999999997 and 0.20000000000000004.
      0.4,
      0.2,
    ]);
  });

  it('an average of prices too large for exact sums is also the float64 sum', () => {
    const average = sma(2);
    for (const candle of candlesOf([{ close: 9e15 + 0.5 }, { close: 9e15 }]))
      average.update(candle);

    expect(average.value).toBe((9e15 + 0.5 + 9e15) / 2);
  });
});
