import type { Archive } from '../archive/index.js';
import {
  closeTimeOf,
  DataError,
  formatUtc,
  type Candle,
  type CandleColumns,
  type InstrumentId,
  type VenueInterval,
} from '../domain/index.js';
import type { MarketDataSource } from '../venue/index.js';
import { isSameCandle, MOST_CANDLES, withoutState } from './candle-tracker.js';

export interface WarmupOptions {
  readonly source: Pick<MarketDataSource, 'candles'>;
  /** Where older candles are, if anywhere. */
  readonly archive: Pick<Archive, 'read'> | undefined;
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** Closed candles wanted. */
  readonly candles: number;
  /** How many are enough where there are no more. @defaultValue all that are wanted */
  readonly least?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the closed candles that a strategy hears before it may act: from the venue, and where that serves too few, the older ones
 * from the archive, joined where both have the same candle.
 *
 * @throws {DataError} `E_WARMUP_SHORT` when there are not even the least; `E_WARMUP_JOIN` when archive and venue have no candle in common, or
 * differ in one; errors of source and archive.
 */
export async function loadWarmup(options: WarmupOptions): Promise<readonly Candle[]> {
  const { source, archive, instrumentId, interval, candles, signal } = options;
  const { least = candles } = options;
  if (candles === 0) return [];
  // The newest is still open.
  const limit = Math.min(MOST_CANDLES, candles + 1);
  const polled = await source.candles(instrumentId, interval, { limit, signal });
  const venue = polled.filter(({ closed }) => closed).map(withoutState);
  if (venue.length >= candles) return venue.slice(-candles);
  if (archive === undefined && venue.length >= least) return venue;
  const all = [...(await readOlder(options, venue)), ...venue];
  if (all.length < least) throw tooShort(options, all.length);
  return all.slice(-candles);
}

async function readOlder(
  options: WarmupOptions,
  venue: readonly Candle[],
): Promise<readonly Candle[]> {
  const { archive, instrumentId, interval } = options;
  const [first] = venue;
  if (archive === undefined || first === undefined) throw tooShort(options, venue.length);
  const columns = await archive.read(instrumentId, interval);
  const stored = candlesOf(columns, options);
  const byOpen = new Map(venue.map((candle) => [candle.openTime, candle]));
  const common = stored.filter(({ openTime }) => byOpen.has(openTime));
  if (common.length === 0) {
    const last = stored.at(-1)?.openTime;
    throw joinError(
      options,
      `a stored candle at ${formatUtc(first.openTime)} or later, where the venue's begin`,
      `candles to ${last === undefined ? 'none' : formatUtc(last)}`,
    );
  }
  for (const candle of common) {
    const other = byOpen.get(candle.openTime);
    if (other !== undefined && !isSameCandle(candle, other)) {
      throw joinError(
        options,
        `the venue's candle of ${formatUtc(candle.openTime)} (close ${String(other.close)}, volume ${String(other.volume)})`,
        `another (close ${String(candle.close)}, volume ${String(candle.volume)})`,
      );
    }
  }
  return stored.filter(({ openTime }) => openTime < first.openTime);
}

function candlesOf(columns: CandleColumns, options: WarmupOptions): readonly Candle[] {
  const { instrumentId, interval } = options;
  const at = (column: Float64Array, row: number): number => column[row] ?? Number.NaN;
  return Array.from(columns.openTime, (openTime, row) => ({
    instrumentId,
    interval,
    openTime,
    closeTime: closeTimeOf(openTime, interval),
    open: at(columns.open, row),
    high: at(columns.high, row),
    low: at(columns.low, row),
    close: at(columns.close, row),
    volume: at(columns.volume, row),
  }));
}

function tooShort(
  { instrumentId, interval, candles, least = candles }: WarmupOptions,
  found: number,
): DataError {
  return new DataError(
    'E_WARMUP_SHORT',
    `${instrumentId} ${interval}: expected ${String(least)} closed candles to warm up with, received ${String(found)}; import older ones with: evenkeel data import`,
  );
}

function joinError(
  { instrumentId, interval }: WarmupOptions,
  expected: string,
  received: string,
): DataError {
  return new DataError(
    'E_WARMUP_JOIN',
    `${instrumentId} ${interval}: stored and polled candles do not join: expected ${expected}, received ${received}; bring the archive up to date with: evenkeel data download`,
  );
}
