/** The archive of the memory benchmark: symbols whose candles are the reference walk over and over, so that making them takes no time. */
import { openArchive } from '../../src/archive/index.js';
import {
  createInstrumentId,
  type CandleColumns,
  type InstrumentId,
} from '../../src/domain/index.js';
import { createReferenceCandles } from './reference-work.js';

const MINUTES_PER_YEAR = 365 * 24 * 60;

/** So many symbols, each of so many years. */
export interface Extent {
  readonly symbols: number;
  readonly years: number;
}

export function symbolsOf({ symbols }: Extent): readonly InstrumentId[] {
  return Array.from({ length: symbols }, (_, index) =>
    createInstrumentId('spot', `C${String(index)}USDT`),
  );
}

export async function storeExtent(folder: string, extent: Extent): Promise<void> {
  const columns = createReferenceCandles(extent.years * MINUTES_PER_YEAR);
  const archive = openArchive(folder);
  for (const [index, instrumentId] of symbolsOf(extent).entries()) {
    await archive.merge(
      { instrumentId, interval: '1min', columns: scaled(columns, 1 + index / 4) },
      { source: 'reference walk', volumeUnit: 'base' },
    );
  }
}

/** Other prices, so that no two symbols are alike. */
function scaled(columns: CandleColumns, factor: number): CandleColumns {
  const times = (prices: Float64Array): Float64Array =>
    prices.map((price) => Math.round(price * factor * 100) / 100);
  return {
    ...columns,
    open: times(columns.open),
    high: times(columns.high),
    low: times(columns.low),
    close: times(columns.close),
  };
}
