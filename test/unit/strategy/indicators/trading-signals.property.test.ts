import fc from 'fast-check';
import { BollingerBands, MFI, RSI, StochasticOscillator, WSMA } from 'trading-signals';
import { describe, expect, it } from 'vitest';

import type { Candle } from '../../../../src/domain/index.js';
import { bollinger, mfi, rsi, stochastic } from '../../../../src/strategy/index.js';
import { SmoothedAverage } from '../../../../src/strategy/indicators/smoothed-average.js';
import { candles } from '../../../support/arbitraries/candles.js';

// Our indicators differ from the library only in speed and in their first values. If the library is right, both agree.

const period = fc.integer({ min: 2, max: 12 });
const run = candles({ minLength: 30, maxLength: 60 });

/** Expects values that are equal up to the order of summation. If the library has no value, ours is NaN. */
function expectSame(ours: number, theirs: number | null | undefined): void {
  if (theirs === null || theirs === undefined) expect(ours).toBeNaN();
  else expect(ours).toBeCloseTo(theirs, 7);
}

/** The same candles with some range in each of them. */
function withRange(series: readonly Candle[]): readonly Candle[] {
  return series.map((candle) => ({ ...candle, high: candle.high + 0.01 }));
}

describe('comparison with trading-signals', () => {
  it("Wilder's average equals its WSMA", () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const [ours, theirs] = [SmoothedAverage.wilder(length), new WSMA(length)];

        for (const { close } of series) {
          expectSame(ours.next(close), theirs.update(close, false));
        }
      }),
    );
  });

  it('rsi equals its RSI once the price has moved', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const [ours, theirs] = [rsi(length), new RSI(length)];
        fc.pre(series.slice(0, length + 1).some(({ close }) => close !== series[0]?.close));

        for (const candle of series) {
          ours.update(candle);
          expectSame(ours.value, theirs.update(candle.close, false));
        }
      }),
    );
  });

  it('mfi equals its MFI if no two consecutive typical prices are equal', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const [ours, theirs] = [mfi(length), new MFI(length)];
        // The library rounds typical prices, so equal prices may count as a rise or a fall. Such candles are left out.
        const ticks = series.map(({ high, low, close }) => Math.round((high + low + close) * 100));
        const moving = series.filter((_, row) => ticks[row] !== ticks[row - 1]);

        for (const candle of moving) {
          ours.update(candle);
          expectSame(ours.value, theirs.update(candle, false));
        }
      }),
    );
  });

  it('bollinger equals its BollingerBands', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const [ours, theirs] = [bollinger(length), new BollingerBands(length)];

        for (const candle of series) {
          ours.update(candle);
          const bands = theirs.update(candle.close, false);
          expectSame(ours.middle.value, bands?.middle);
          expectSame(ours.upper.value, bands?.upper);
          expectSame(ours.lower.value, bands?.lower);
        }
      }),
    );
  });

  it('stochastic equals its StochasticOscillator if every candle has a range', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const ours = stochastic({ period: length });
        const theirs = new StochasticOscillator({ kPeriod: length, kSlowingPeriod: 3, dPeriod: 3 });

        for (const candle of withRange(series)) {
          ours.update(candle);
          const lines = theirs.update(candle, false);
          expectSame(ours.k.value, lines?.stochK);
          expectSame(ours.d.value, lines?.stochD);
        }
      }),
    );
  });
});
