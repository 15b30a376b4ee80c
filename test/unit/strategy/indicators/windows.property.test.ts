import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  bollinger,
  cci,
  donchian,
  highest,
  mfi,
  roc,
  sma,
  standardDeviation,
  stochastic,
  trueRange,
  vwap,
  wma,
  type AnyIndicator,
  type IndicatorLine,
} from '../../../../src/strategy/index.js';
import { candles } from '../../../support/arbitraries/candles.js';

interface Windowed {
  readonly indicator: AnyIndicator;
  readonly lines: readonly IndicatorLine[];
}

const single = (indicator: AnyIndicator & IndicatorLine): Windowed => ({
  indicator,
  lines: [indicator],
});

/** Indicators whose values depend only on the candles of their lookback and the present candle. */
const WINDOWED: Readonly<Record<string, (period: number) => Windowed>> = {
  sma: (period) => single(sma(period)),
  wma: (period) => single(wma(period)),
  roc: (period) => single(roc(period)),
  cci: (period) => single(cci(period)),
  mfi: (period) => single(mfi(period)),
  vwap: (period) => single(vwap(period)),
  highest: (period) => single(highest(period)),
  trueRange: () => single(trueRange()),
  bollinger: (period) => {
    const bands = bollinger(period);
    return { indicator: bands, lines: [bands.upper, bands.middle, bands.lower] };
  },
  donchian: (period) => {
    const channel = donchian(period);
    return { indicator: channel, lines: [channel.upper, channel.middle, channel.lower] };
  },
  stochastic: (period) => {
    const oscillator = stochastic({ period, smoothK: 2, smoothD: 3 });
    return { indicator: oscillator, lines: [oscillator.k, oscillator.d] };
  },
};

const period = fc.integer({ min: 1, max: 10 });

describe('indicators of a window', () => {
  it.each(Object.entries(WINDOWED))(
    '%s has equal values, to the last bit, for equal windows after any earlier candles',
    (_name, create) => {
      fc.assert(
        fc.property(
          period,
          candles({ minLength: 0, maxLength: 30 }, 2_000),
          candles({ minLength: 16, maxLength: 16 }),
          (length, past, recent) => {
            const [fresh, old] = [create(length), create(length)];
            const window = recent.slice(recent.length - 1 - fresh.indicator.lookback);

            for (const candle of past) old.indicator.update(candle);
            for (const candle of window) {
              fresh.indicator.update(candle);
              old.indicator.update(candle);
            }

            const values = fresh.lines.map((line) => line.value);
            expect(values.every(Number.isFinite)).toBe(true);
            expect(old.lines.map((line) => line.value)).toEqual(values);
          },
        ),
      );
    },
  );

  it('sma equals the exact mean of the window, rounded once', () => {
    fc.assert(
      fc.property(period, candles({ minLength: 10, maxLength: 30 }), (length, series) => {
        const average = sma(length);

        for (const candle of series) average.update(candle);

        const closes = series.slice(-length).map((candle) => candle.close);
        const ticks = closes.reduce((sum, close) => sum + Math.round(close * 100), 0);
        expect(average.value).toBe(ticks / (100 * length));
      }),
    );
  });

  it('standardDeviation equals the root of the mean squared distance from the mean', () => {
    fc.assert(
      fc.property(period, candles({ minLength: 10, maxLength: 30 }), (length, series) => {
        const deviation = standardDeviation(length);

        for (const candle of series) deviation.update(candle);

        const closes = series.slice(-length).map((candle) => candle.close);
        const mean = closes.reduce((sum, close) => sum + close, 0) / length;
        const variance = closes.reduce((sum, close) => sum + (close - mean) ** 2, 0) / length;
        expect(deviation.value).toBeCloseTo(Math.sqrt(variance), 8);
      }),
    );
  });
});
