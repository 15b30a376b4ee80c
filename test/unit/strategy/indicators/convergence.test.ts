import { describe, expect, it } from 'vitest';

import {
  adx,
  atr,
  bollinger,
  cci,
  donchian,
  ema,
  highest,
  kama,
  macd,
  mfi,
  obv,
  roc,
  rsi,
  sma,
  standardDeviation,
  stochastic,
  vwap,
  wma,
  type AnyIndicator,
} from '../../../../src/strategy/index.js';
import { convergenceOfIndicator, seedWeight } from '../../../../src/strategy/indicator.js';
import { candlesOf } from '../../../support/candles.js';

type Shape = Parameters<typeof candlesOf>[0];

interface Case {
  readonly create: () => AnyIndicator;
  readonly value: (indicator: never) => number;
  /** Two histories with the largest possible difference. */
  readonly before: readonly [Shape, Shape];
  /** Candles that follow both histories. */
  readonly after: (at: number) => Shape[number];
  /** Candles that a value reads in addition to the convergence, for example one before it for a change. */
  readonly reads: number;
  /** The largest possible difference between values of the two histories. */
  readonly range: number;
}

const flat = (close: number) => ({ open: close, high: close, low: close, close });
const times = (count: number, of: (at: number) => Shape[number]): Shape =>
  Array.from({ length: count }, (_, at) => of(at));
const shown = (indicator: { readonly value: number }): number => indicator.value;
const BEFORE = 400;

const flats = (price: number): Shape => times(BEFORE, () => flat(price));
const ranges = (range: number): Shape => times(BEFORE, () => ({ ...flat(1), high: 1 + range }));

const EXACT: Readonly<Record<string, Case>> = {
  'ema(200)': {
    create: () => ema(200),
    value: shown,
    before: [flats(1), flats(2)],
    after: () => flat(1),
    reads: 0,
    range: 1,
  },
  'rsi(14)': {
    create: () => rsi(14),
    value: shown,
    before: [
      times(BEFORE, (at) => flat(1000 - BEFORE + at)),
      times(BEFORE, (at) => flat(1000 + BEFORE - at)),
    ],
    after: (at) => flat(1000 + (at % 2)),
    reads: 1,
    range: 100,
  },
  'atr(14)': {
    create: () => atr(14),
    value: shown,
    before: [ranges(0), ranges(1)],
    after: () => ({ ...flat(1), high: 2 }),
    reads: 0,
    range: 1,
  },
};

/** Cases whose worst case is only a bound: no two histories reach it exactly. */
const BOUNDED: Readonly<Record<string, Case>> = {
  'kama(10)': {
    create: () => kama(10),
    value: shown,
    // Large moves back and forth, so that no candle of the change counts as a straight move.
    before: [
      times(4000, (at) => flat(1 + 1000 * (at % 2))),
      times(4000, (at) => flat(1 + 3000 * (at % 2))),
    ],
    after: (at) => flat(1 + (at % 2)),
    reads: 10,
    range: 1000,
  },
  'macd()': {
    create: () => macd(),
    value: (indicator: { readonly signal: { readonly value: number } }) => indicator.signal.value,
    before: [flats(1), flats(2)],
    after: () => flat(1),
    reads: 0,
    range: 1,
  },
  'adx(14)': {
    create: () => adx(14),
    value: shown,
    before: [
      times(BEFORE, (at) => ({ ...flat(1000 - BEFORE + at), high: 1001 - BEFORE + at })),
      times(BEFORE, (at) => ({ ...flat(1000 + (at % 2)), high: 1001 + (at % 2) })),
    ],
    after: (at) => ({ ...flat(1000 + (at % 2)), high: 1001 + (at % 2) }),
    reads: 1,
    range: 100,
  },
};

/** Difference between the values of both histories after `common` equal candles, as a fraction of the range. */
function distanceAfter({ create, value, before, after, range }: Case, common: number): number {
  const [one = Number.NaN, other = Number.NaN] = before.map((history) => {
    const indicator = create();
    for (const candle of candlesOf([...history, ...times(common, after)])) indicator.update(candle);
    return value(indicator as never);
  });
  return Math.abs(one - other) / range;
}

describe('the convergence of an indicator', () => {
  it('is 2,073 for EMA(200), 280 for RSI(14) and 4,969 for KAMA(10)', () => {
    expect([ema(200), rsi(14), kama(10)].map(convergenceOfIndicator)).toEqual([2073, 280, 4969]);
  });

  for (const [name, given] of Object.entries(EXACT)) {
    it(`of ${name} suffices for two different histories to agree, and with one candle less they differ`, () => {
      const enough = convergenceOfIndicator(given.create()) + given.reads;

      expect(distanceAfter(given, enough)).toBeLessThan(1e-9);
      expect(distanceAfter(given, enough - 1)).toBeGreaterThanOrEqual(1e-9);
    });
  }

  for (const [name, given] of Object.entries(BOUNDED)) {
    it(`of ${name} suffices for two different histories to agree, and 90 % of it does not`, () => {
      const convergence = convergenceOfIndicator(given.create());

      expect(distanceAfter(given, convergence + given.reads)).toBeLessThan(1e-9);
      expect(distanceAfter(given, Math.floor(0.9 * convergence))).toBeGreaterThanOrEqual(1e-9);
    });
  }

  it.each<[string, AnyIndicator]>([
    ['sma', sma(10)],
    ['wma', wma(10)],
    ['roc', roc(10)],
    ['highest', highest(10)],
    ['donchian', donchian(10)],
    ['bollinger', bollinger(10)],
    ['standardDeviation', standardDeviation(10)],
    ['stochastic', stochastic()],
    ['cci', cci(10)],
    ['mfi', mfi(10)],
    ['vwap', vwap(10)],
  ])('is 0 for %s, because its window holds all that it depends on', (_, indicator) => {
    expect(convergenceOfIndicator(indicator)).toBe(0);
  });

  it('is infinite for a sum over all candles', () => {
    expect(convergenceOfIndicator(obv())).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('seedWeight', () => {
  it('is 1 up to the first value, and below 1e-9 once the indicator has converged', () => {
    const candles = [13, 14, 14 + 14, 14 + 70, 14 + 280];

    const weights = candles.map((count) => seedWeight(rsi(14), count));

    // The weight is 35 % after 14 candles and 0.6 % after 70.
    expect(weights.slice(0, 2)).toEqual([1, 1]);
    expect(weights[2]).toBeCloseTo((13 / 14) ** 14, 2);
    expect(weights[3]).toBeCloseTo((13 / 14) ** 70, 3);
    expect(weights[4]).toBeLessThanOrEqual(1e-9);
  });

  it('is 0 for a window from its first value on, and always 1 for a sum over all candles', () => {
    expect([seedWeight(sma(10), 9), seedWeight(sma(10), 10)]).toEqual([1, 0]);
    expect(seedWeight(obv(), 1_000_000)).toBe(1);
  });
});
