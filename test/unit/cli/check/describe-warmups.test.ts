import { expect, it } from 'vitest';

import { describeEndless, describeWarmup } from '../../../../src/cli/check/describe-warmups.js';
import { createInstrumentId } from '../../../../src/domain/index.js';

const WARMUP = {
  instrumentId: createInstrumentId('spot', 'BTCUSDT'),
  interval: '1h',
  candles: 2_272,
  least: 199,
  recursive: [
    { name: 'slow', lookback: 199, convergence: 2_073 },
    { name: 'volume', lookback: 0, convergence: Number.POSITIVE_INFINITY },
  ],
  neverForgets: true,
} as const;

it('describeWarmup names the candles that the venue does not serve', () => {
  expect(describeWarmup(WARMUP)).toBe(
    'spot:BTCUSDT 1h: 2272 candles, of which 199 until the first values; the venue serves 299; a bot takes the others from its journal or the archive, or waits for them',
  );
  expect(describeWarmup({ ...WARMUP, candles: 1, least: 1 })).toBe(
    'spot:BTCUSDT 1h: 1 candle; the venue serves them',
  );
  expect(describeWarmup({ ...WARMUP, interval: '4h', candles: 1, least: 1 })).toBe(
    'spot:BTCUSDT 4h: 1 candle; the venue does not serve this interval: only a backtest has it',
  );
});

it('describeEndless names indicators that never forget their first candle', () => {
  expect(describeEndless(WARMUP)).toEqual([
    'spot:BTCUSDT 1h: volume never forgets its first candle: after a restart only the journal gives a bot its earlier values, and they always differ from a backtest',
  ]);
});
