import { createInstrumentId, HOUR_MS, type Candle } from '../../../../../src/domain/index.js';
import recorded from './talib-btcusdt-1h.json' with { type: 'json' };

/** Names of the recorded lines: TA-Lib's function, its parameters and, if it has several outputs, the name of the output. */
export type GoldenName = keyof typeof recorded.lines;

const instrumentId = createInstrumentId('spot', 'BTCUSDT');

/** The 80 candles that were the input of TA-Lib. */
export const goldenCandles: readonly Candle[] = recorded.candles.map((row) => {
  const [openTime = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = row;
  return {
    instrumentId,
    interval: '1h',
    openTime,
    closeTime: openTime + HOUR_MS,
    open,
    high,
    low,
    close,
    volume,
  };
});

/** TA-Lib's value after each candle. NaN before its first value. */
export function goldenLine(name: GoldenName): readonly number[] {
  const { first, values } = recorded.lines[name];
  return [...Array.from({ length: first }, () => Number.NaN), ...values];
}
