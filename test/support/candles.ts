import { createInstrumentId, HOUR_MS, type Candle } from '../../src/domain/index.js';

/** 2025-01-01T00:00:00Z. */
const START = 1_735_689_600_000;

/** An hourly candle of spot:BTCUSDT that stays at 100 with a volume of 10. `overrides` replaces fields. */
export function aCandle(overrides: Partial<Candle> = {}): Candle {
  const openTime = overrides.openTime ?? START;
  const price = overrides.close ?? 100;
  return {
    instrumentId: createInstrumentId('spot', 'BTCUSDT'),
    interval: '1h',
    openTime,
    closeTime: openTime + HOUR_MS,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 10,
    ...overrides,
  };
}

/** Consecutive hourly candles, each {@link aCandle} with the fields of its row. */
export function candlesOf(rows: readonly Partial<Candle>[]): readonly Candle[] {
  return rows.map((row, index) => aCandle({ openTime: START + index * HOUR_MS, ...row }));
}

/** Consecutive hourly candles, each flat at its close. */
export function candlesOfCloses(closes: readonly number[]): readonly Candle[] {
  return candlesOf(closes.map((close) => ({ close })));
}
