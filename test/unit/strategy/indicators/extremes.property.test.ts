import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Candle } from '../../../../src/domain/index.js';
import { donchian, highest, lowest, type Indicator } from '../../../../src/strategy/index.js';
import { candles } from '../../../support/arbitraries/candles.js';

const period = fc.integer({ min: 1, max: 12 });
const run = candles({ minLength: 1, maxLength: 60 });

/** The extreme, found by a scan of the window. */
function lookUp(
  series: readonly Candle[],
  length: number,
  pick: (...values: readonly number[]) => number,
  source: 'high' | 'low',
): readonly number[] {
  return series.map((_, index) =>
    index < length - 1
      ? Number.NaN
      : pick(...series.slice(index - length + 1, index + 1).map((candle) => candle[source])),
  );
}

function valuesOf(indicator: Indicator, series: readonly Candle[]): readonly number[] {
  return series.map((candle) => {
    indicator.update(candle);
    return indicator.value;
  });
}

describe('rolling extremes', () => {
  it('equal the largest and the smallest value of a scan of the window', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        expect(valuesOf(highest(length), series)).toEqual(lookUp(series, length, Math.max, 'high'));
        expect(valuesOf(lowest(length), series)).toEqual(lookUp(series, length, Math.min, 'low'));
      }),
    );
  });

  it('are the outer lines of the Donchian channel, and their exact mean is its middle line', () => {
    fc.assert(
      fc.property(period, run, (length, series) => {
        const [channel, top, bottom] = [donchian(length), highest(length), lowest(length)];

        for (const candle of series) {
          for (const indicator of [channel, top, bottom]) indicator.update(candle);

          expect(channel.upper.value).toBe(top.value);
          expect(channel.lower.value).toBe(bottom.value);
          const ticks = Math.round(top.value * 100) + Math.round(bottom.value * 100);
          expect(channel.middle.value).toBe(ticks / 200);
        }
      }),
    );
  });
});
