import {
  MINUTE_MS,
  type CandleColumns,
  type CandleSeries,
  type FundingColumns,
} from '../../../src/domain/index.js';

export const FUNDING_MS = 13 * MINUTE_MS;
const OFFSETS = [0, 1, -1, 3, -2, 0, -5, 8];

/** A mark for each candle of the finest interval of an instrument, a few ticks away from it. */
export function marksOf(series: readonly CandleSeries[], missing: number): readonly CandleSeries[] {
  const finest = series.filter(({ interval }) => interval === '1min');
  return finest.map(({ instrumentId, interval, columns }) => {
    const rows = [...columns.openTime.keys()].filter(
      (row) => missing === 0 || row % missing !== missing - 1,
    );
    const offset = (row: number): number => (OFFSETS[row % OFFSETS.length] ?? 0) / 100;
    const read = (column: Float64Array): Float64Array =>
      Float64Array.from(
        rows,
        (row) => Math.round(((column[row] ?? 0) + offset(row)) * 1_000) / 1_000,
      );
    return {
      instrumentId,
      interval,
      columns: {
        openTime: Float64Array.from(rows, (row) => columns.openTime[row] ?? 0),
        open: read(columns.open),
        high: read(columns.high),
        low: read(columns.low),
        close: read(columns.close),
        volume: new Float64Array(rows.length),
      },
    };
  });
}

/** Rates that go up and down, settled every 13 minutes. */
export function fundingOf({ openTime }: CandleColumns): FundingColumns {
  const first = Math.ceil((openTime[0] ?? 0) / FUNDING_MS) * FUNDING_MS;
  const count = Math.floor(((openTime.at(-1) ?? 0) - first) / FUNDING_MS) + 1;
  const length = Math.max(0, count);
  return {
    time: Float64Array.from({ length }, (_, row) => first + row * FUNDING_MS),
    rate: Float64Array.from({ length }, (_, row) => ((row % 5) - 2) / 1_000),
  };
}
