import { lowerBound, type Archive } from '../archive/index.js';
import {
  closeTimeOf,
  DataError,
  nominalIntervalMs,
  type Candle,
  type CandleColumns,
  type EpochMs,
} from '../domain/index.js';
import type { MarketDataSource } from '../venue/index.js';
import { MOST_CANDLES, withoutState } from './candle-tracker.js';
import type { OlderCandles, WarmupOptions } from './load-warmup.js';

type Series = Pick<WarmupOptions, 'instrumentId' | 'interval'>;

/** Codes that mean: the series is not stored, or not completely. */
const NOT_STORED = ['E_DATA_ARCHIVE', 'E_DATA_MISSING', 'E_DATA_EMPTY', 'E_DATA_RANGE'];

/** Candles of the archive. */
export function storedCandles(archive: Pick<Archive, 'read'>, series: Series): OlderCandles {
  return {
    name: 'the archive',
    isOwn: false,
    read: async (before, most) => {
      const columns = await readStored(archive, series);
      if (columns === undefined) return [];
      const end = lowerBound(columns.openTime, before);
      return candlesFrom(columns, Math.max(0, end - most), series);
    },
  };
}

async function readStored(
  archive: Pick<Archive, 'read'>,
  { instrumentId, interval }: Series,
): Promise<CandleColumns | undefined> {
  try {
    // A candle made from the finer candles stored so far is not the venue's candle.
    return await archive.read(instrumentId, interval, { isWhole: true });
  } catch (error: unknown) {
    if (error instanceof DataError && NOT_STORED.includes(error.code)) return undefined;
    throw error;
  }
}

function candlesFrom(
  columns: CandleColumns,
  from: number,
  { instrumentId, interval }: Series,
): readonly Candle[] {
  const at = (column: Float64Array, row: number): number => column[row] ?? Number.NaN;
  return Array.from(columns.openTime.subarray(from), (openTime, index) => ({
    instrumentId,
    interval,
    openTime,
    closeTime: closeTimeOf(openTime, interval),
    open: at(columns.open, from + index),
    high: at(columns.high, from + index),
    low: at(columns.low, from + index),
    close: at(columns.close, from + index),
    volume: at(columns.volume, from + index),
  }));
}

/** Candles that a venue serves by start time, page by page. Only if it honors start times. */
export function pagedCandles(
  source: Pick<MarketDataSource, 'candles' | 'capabilities'>,
  { instrumentId, interval, signal }: Series & Pick<WarmupOptions, 'signal'>,
): OlderCandles {
  return {
    name: 'pages of the venue',
    isOwn: false,
    read: async (before, most) => {
      if (!source.capabilities.klinesHaveStartTime) return [];
      let pages: readonly Candle[] = [];
      let to = closeTimeOf(before, interval);
      // One more candle, at which they join.
      while (pages.length < most + 1) {
        const page = await readPage(to);
        // The venue has no older candles, or ignores the requested time.
        if (page.length === 0 || page.some(({ openTime }) => openTime >= to)) break;
        pages = [...page, ...pages];
        to = page[0]?.openTime ?? to;
      }
      return pages.slice(Math.max(0, pages.length - most - 1));
    },
  };

  async function readPage(to: EpochMs): Promise<readonly Candle[]> {
    const from = to - MOST_CANDLES * nominalIntervalMs(interval);
    const span = { limit: MOST_CANDLES, from, to, signal };
    const candles = await source.candles(instrumentId, interval, span);
    return candles.filter(({ closed }) => closed).map(withoutState);
  }
}
