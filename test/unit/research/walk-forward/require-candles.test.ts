import { describe, expect, it } from 'vitest';

import type { LoadedMarket } from '../../../../src/assembly/backtest/index.js';
import { CandleRows, createInstrumentId, HOUR_MS } from '../../../../src/domain/index.js';
import { requireCandles } from '../../../../src/research/walk-forward/require-candles.js';

/** A series of hours from 0 on. */
function hours(count: number): LoadedMarket['series'] {
  const column = (): Float64Array => new Float64Array(count).fill(1);
  const rows = CandleRows.of({
    openTime: Float64Array.from({ length: count }, (_, row) => row * HOUR_MS),
    ...{ open: column(), high: column(), low: column(), close: column(), volume: column() },
  });
  const instrumentId = createInstrumentId('spot', 'BTCUSDT');
  return [{ instrumentId, interval: '1h', rows }] as unknown as LoadedMarket['series'];
}

/** Requires the candles of one fold whose parts have these lengths in hours. */
function requireOf(train: number, test: number): void {
  const [middle, to] = [train * HOUR_MS, (train + test) * HOUR_MS];
  const fold = { train: { from: 0, to: middle }, test: { from: middle, to } };
  requireCandles([fold], hours(train + test));
}

describe('requireCandles', () => {
  it('takes 30 candles to train and 10 to test', () => {
    expect(() => {
      requireOf(30, 10);
    }).not.toThrow();
  });

  it.each([
    ['train', 29, 10, 'expected at least 30 candles of spot:BTCUSDT 1h, received 29'],
    ['test', 30, 9, 'expected at least 10 candles of spot:BTCUSDT 1h, received 9'],
  ])('refuses one less in the %s part', (part, train, test, text) => {
    expect(() => {
      requireOf(train, test);
    }).toThrow(expect.objectContaining({ code: 'E_FOLDS' }) as Error);
    expect(() => {
      requireOf(train, test);
    }).toThrow(new RegExp(`^fold 1, ${part} part .*${text}`));
  });
});
