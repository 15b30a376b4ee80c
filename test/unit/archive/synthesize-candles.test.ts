import { describe, expect, it } from 'vitest';
import {
  hashColumns,
  synthesizeCandles,
  type SynthInstrument,
  type SynthOptions,
} from '../../../src/archive/index.js';
import { findInvalidRow } from '../../../src/archive/check/validate.js';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  parseInstrumentId,
  present,
  type CandleColumns,
} from '../../../src/domain/index.js';

const START = Date.UTC(2025, 0, 1);

const GOLDEN = '57ccf6f09538ff958ffd5a9838e868b78f10f4626013b4a3a30a6895eb50144b';

const anInstrument = (overrides: Partial<SynthInstrument> = {}): SynthInstrument => ({
  instrumentId: parseInstrumentId('spot:BTCUSDT'),
  startPrice: 100,
  volatility: 0.6,
  dailyVolume: 10_000,
  pricePrecision: 2,
  quantityPrecision: 5,
  ...overrides,
});

const options = (overrides: Partial<SynthOptions> = {}): SynthOptions => ({
  seed: 1,
  interval: '1h',
  from: START,
  to: START + 30 * DAY_MS,
  correlation: 0.7,
  instruments: [anInstrument()],
  ...overrides,
});

const columnsFor = (overrides: Partial<SynthOptions> = {}, index = 0): CandleColumns =>
  present(synthesizeCandles(options(overrides))[index], 'a series').columns;

const returnsOf = (close: Float64Array): number[] =>
  Array.from(close.subarray(1), (price, row) => price / (close[row] ?? Number.NaN) - 1);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function correlationOf(left: readonly number[], right: readonly number[]): number {
  const [leftMean, rightMean] = [mean(left), mean(right)];
  const products = left.map((value, row) => (value - leftMean) * ((right[row] ?? 0) - rightMean));
  const square = (values: readonly number[], center: number): number =>
    mean(values.map((value) => (value - center) ** 2));
  return mean(products) / Math.sqrt(square(left, leftMean) * square(right, rightMean));
}

describe('synthesizeCandles', () => {
  it('gives the same bytes for the same seed on every machine', () => {
    const hash = hashColumns(columnsFor());

    expect(hash).toBe(GOLDEN);
  });

  it('gives other candles for another seed', () => {
    expect(hashColumns(columnsFor({ seed: 2 }))).not.toBe(hashColumns(columnsFor({ seed: 1 })));
  });

  it('gives one valid candle per interval, without gaps', () => {
    const columns = columnsFor({ interval: '15min' });

    const times = Array.from({ length: 30 * 96 }, (_, row) => START + row * 15 * MINUTE_MS);
    expect([...columns.openTime]).toEqual(times);
    expect(findInvalidRow(columns)).toBe(-1);
  });

  it('gives calendar months', () => {
    const columns = columnsFor({ interval: '1month', to: Date.UTC(2025, 3, 1) });

    expect([...columns.openTime]).toEqual([START, Date.UTC(2025, 1, 1), Date.UTC(2025, 2, 1)]);
  });

  it('keeps prices and volumes on their grids', () => {
    const columns = columnsFor({
      interval: '1min',
      to: START + DAY_MS,
      instruments: [anInstrument({ pricePrecision: 1, quantityPrecision: 3 })],
    });

    for (const price of [...columns.high, ...columns.low]) {
      expect(price).toBe(Number(price.toFixed(1)));
    }
    for (const volume of columns.volume) expect(volume).toBe(Number(volume.toFixed(3)));
  });

  it('makes hourly candles that equal the aggregated minutes', () => {
    const from = START + 2 * DAY_MS;
    const hours = columnsFor();
    const minutes = columnsFor({ interval: '1min', origin: START, from, to: from + HOUR_MS });

    const row = 48; // the hour that starts two days after the origin
    expect(hours.openTime[row]).toBe(from);
    expect(hours.open[row]).toBe(minutes.open[0]);
    expect(hours.high[row]).toBe(Math.max(...minutes.high));
    expect(hours.low[row]).toBe(Math.min(...minutes.low));
    expect(hours.close[row]).toBe(minutes.close.at(-1));
    const steps = minutes.volume.reduce((sum, volume) => sum + Math.round(volume * 1e5), 0);
    expect(hours.volume[row]).toBe(steps / 1e5);
  });

  it('makes the same path of an instrument, alone or beside others', () => {
    const other = anInstrument({ instrumentId: parseInstrumentId('spot:ETHUSDT') });

    const alone = columnsFor({ instruments: [other] });
    const together = columnsFor({ instruments: [anInstrument(), other] }, 1);

    expect(hashColumns(together)).toBe(hashColumns(alone));
  });

  it('correlates instruments by the given correlation', () => {
    const instruments = [
      anInstrument(),
      anInstrument({ instrumentId: parseInstrumentId('spot:ETHUSDT') }),
    ];
    const measured = (correlation: number): number => {
      const series = synthesizeCandles(
        options({ correlation, instruments, to: START + 90 * DAY_MS }),
      );
      const [left, right] = series.map(({ columns }) => returnsOf(columns.close));
      return correlationOf(left ?? [], right ?? []);
    };

    // Each pair has its own volatility and jumps, which lower the correlation. With 2,160 hours the error is about 0.02.
    expect(measured(0.8)).toBeGreaterThan(0.6);
    expect(measured(0.8)).toBeLessThan(0.85);
    expect(Math.abs(measured(0) - 0.1)).toBeLessThan(0.15); // common jumps remain
  });

  it('clusters volatility and ties volume to it', () => {
    const columns = columnsFor({ to: START + 365 * DAY_MS });
    const moves = returnsOf(columns.close).map(Math.abs);

    // Independent moves would give 0 ± 0.01.
    expect(correlationOf(moves.slice(1), moves.slice(0, -1))).toBeGreaterThan(0.1);
    expect(correlationOf(moves.slice(24), moves.slice(0, -24))).toBeGreaterThan(0.03);
    expect(correlationOf(moves, [...columns.volume.subarray(1)])).toBeGreaterThan(0.3);
  });

  it('gives about the volatility and the volume of the options', () => {
    const columns = columnsFor({ to: START + 365 * DAY_MS });
    const squares = returnsOf(columns.close).map((change) => change ** 2);

    const volatility = Math.sqrt(mean(squares) * 24 * 365);
    const daily = mean([...columns.volume]) * 24;

    expect(volatility).toBeGreaterThan(0.45);
    expect(volatility).toBeLessThan(0.9);
    expect(daily).toBeGreaterThan(7_000);
    expect(daily).toBeLessThan(14_000);
  });

  it.each([
    [{ seed: 1.5 }, 'a whole seed'],
    [{ correlation: 1.1 }, 'a correlation from 0 to 1'],
    [{ instruments: [] }, 'at least one instrument'],
    [{ from: START + MINUTE_MS }, 'from at the start of a candle of 1h'],
    [{ to: START }, 'an end after 2025-01-01T00:00:00Z'],
    [{ origin: START + HOUR_MS }, 'an origin on a full minute'],
    [{ instruments: [anInstrument({ startPrice: 0 })] }, 'expected price of spot:BTCUSDT above 0'],
    [
      { instruments: [anInstrument({ dailyVolume: 1e13 })] },
      'volume of spot:BTCUSDT above 0 and below 1000000000000, received 10000000000000',
    ],
    [{ instruments: [anInstrument({ pricePrecision: 9 })] }, 'price-precision of spot:BTCUSDT'],
  ])('refuses options %#', (overrides, message) => {
    expect(() => synthesizeCandles(options(overrides))).toThrow(message);
  });
});
