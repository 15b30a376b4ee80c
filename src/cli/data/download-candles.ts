import type { Archive, VolumeUnit } from '../../archive/index.js';
import {
  DataError,
  DAY_MS,
  formatUtc,
  nominalIntervalMs,
  SECOND_MS,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../../domain/index.js';
import type { MarketDataSource, PolledCandle } from '../../venue/index.js';
import { CandleBuffer } from './candle-buffer.js';
import { orNothing } from './or-nothing.js';
import { missingRanges, type MissingRange } from './missing-ranges.js';

interface DownloadOptions {
  readonly archive: Archive;
  /** Market data whose klines are requested with start and end, whether the venue honors these or not. */
  readonly marketData: MarketDataSource;
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** First open time to download. @defaultValue the oldest that the venue gives in a request without a time */
  readonly from?: EpochMs | undefined;
  /** Open time to stop at, exclusive. @defaultValue the end of the final candles */
  readonly to?: EpochMs | undefined;
  /** The venue's clock. */
  readonly now: EpochMs;
  readonly volumeUnit: VolumeUnit;
  /** Origin of the rows, for the metadata. */
  readonly source: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: DownloadProgress) => void;
}

interface DownloadProgress {
  /** All candles before this open time are done. */
  readonly at: EpochMs;
  readonly to: EpochMs;
  readonly calls: number;
  readonly candles: number;
}

export interface DownloadReport {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Requests for klines. */
  readonly calls: number;
  /** Rows that were not stored before. */
  readonly added: number;
  /** Oldest open time that the venue gives if it ignores start times; undefined if it honors them. */
  readonly reach: EpochMs | undefined;
}

/** Most klines of an answer. Source: interface, parameter bounds. */
const MAX_KLINES = 300;
/** A candle that ended this long ago does not change any more. */
const FINAL_AFTER_MS = 2 * SECOND_MS;

/**
 * Downloads the missing candles of a range into the archive, in pages, oldest first. Stored candles do not change. Candles that were fetched before
 * an interruption or a failure are stored, so that another run continues from there.
 *
 * The interface's klines have no start time. Newer servers honor `startTime` and `endTime`; the first answer shows whether this one does. If it
 * does not, only the newest klines are available.
 * @throws {DataError} `E_DATA_EMPTY` when the venue gives nothing, `E_DATA_CONFLICT` when one answer has two final candles of one time. The errors
 * of archive and market data. The signal's reason.
 */
export async function downloadCandles(options: DownloadOptions): Promise<DownloadReport> {
  const { instrumentId, interval, now, signal } = options;
  const newest = await options.marketData.candles(instrumentId, interval, {
    signal,
    limit: MAX_KLINES,
  });
  const oldest = newest[0]?.openTime;
  if (oldest === undefined) {
    throw new DataError(
      'E_DATA_EMPTY',
      `the venue serves no candles of ${instrumentId} ${interval}`,
    );
  }
  const from = options.from ?? oldest;
  const to = Math.min(options.to ?? Infinity, now);
  const download = new Download(options, { oldest, pageSize: newest.length });
  let isReached = true;
  try {
    isReached = await download.fetch({ from, to: Math.min(to, oldest) });
    await download.takeNewest(newest, { from, to });
  } finally {
    // Also after a failure, so that no candle is fetched twice.
    await download.store();
  }
  const { calls, added } = download;
  return { from, to, calls, added, reach: isReached ? undefined : oldest };
}

interface Newest {
  /** Oldest open time among the newest klines. */
  readonly oldest: EpochMs;
  /** Number of klines in one answer, as the first answer showed. */
  readonly pageSize: number;
}

class Download {
  readonly #options: DownloadOptions;
  readonly #buffer: CandleBuffer;
  readonly #newest: Newest;
  #calls = 1;
  #candles = 0;

  constructor(options: DownloadOptions, newest: Newest) {
    this.#options = options;
    this.#newest = newest;
    this.#buffer = new CandleBuffer(options);
  }

  get calls(): number {
    return this.#calls;
  }

  get added(): number {
    return this.#buffer.added;
  }

  store(): Promise<void> {
    return this.#buffer.flush();
  }

  /** Keeps the missing candles among the klines of the request without a time. */
  async takeNewest(candles: readonly PolledCandle[], range: MissingRange): Promise<void> {
    for (const missing of await this.#missing(range)) await this.#take(candles, missing);
  }

  /** Fetches the missing candles of a range. Returns false if the venue ignores start times. */
  async fetch(range: MissingRange): Promise<boolean> {
    const { interval, signal } = this.#options;
    const spanMs = this.#newest.pageSize * nominalIntervalMs(interval);
    for (const missing of await this.#missing(range)) {
      for (let at = missing.from; at < missing.to;) {
        signal.throwIfAborted();
        const page = { from: at, to: Math.min(at + spanMs, missing.to) };
        const candles = await this.#ask(interval, page);
        const [first] = candles;
        // The venue sent its newest klines again, and so ignores the start time.
        if (first !== undefined && first.openTime >= this.#newest.oldest) return false;
        const taken = await this.#take(candles, page);
        at = taken > 0 ? page.to : await this.#skipEmpty(page.to, missing.to, first);
        this.#report(at, range.to);
      }
    }
    return true;
  }

  /** Keeps the candles that are in the range and final. Returns how many were in the range. */
  async #take(candles: readonly PolledCandle[], { from, to }: MissingRange): Promise<number> {
    const { now } = this.#options;
    const inside = candles.filter(({ openTime }) => openTime >= from && openTime < to);
    const final = inside.filter(
      ({ closed, closeTime }) => closed && closeTime + FINAL_AFTER_MS <= now,
    );
    const disputed = final.find(({ isDisputed }) => isDisputed === true);
    if (disputed !== undefined) throw this.#disputeError(disputed);
    this.#candles += final.length;
    await this.#buffer.add(final);
    return inside.length;
  }

  /**
   * Returns the next time that may have candles. A venue that honors only the start shows it in its answer. Otherwise daily candles are
   * requested, which cross the years before a listing in few steps.
   */
  async #skipEmpty(from: EpochMs, to: EpochMs, shown: PolledCandle | undefined): Promise<EpochMs> {
    if (shown !== undefined) return Math.max(from, shown.openTime);
    if (from >= to || nominalIntervalMs(this.#options.interval) >= DAY_MS) return from;
    const page = { from, to: Math.min(from + this.#newest.pageSize * DAY_MS, to) };
    const [first] = await this.#ask('1day', page);
    return first === undefined ? page.to : Math.max(from, first.openTime);
  }

  async #ask(
    interval: VenueInterval,
    { from, to }: MissingRange,
  ): Promise<readonly PolledCandle[]> {
    const { marketData, instrumentId, signal } = this.#options;
    this.#calls += 1;
    return marketData.candles(instrumentId, interval, { signal, limit: MAX_KLINES, from, to });
  }

  async #missing(range: MissingRange): Promise<readonly MissingRange[]> {
    const { archive, instrumentId, interval } = this.#options;
    // After an interrupted write, nothing of the series can be read until the next merge repairs it.
    const stored = await orNothing(archive.read(instrumentId, interval, range), ['E_DATA_TORN']);
    return stored === undefined ? [range] : missingRanges(stored.openTime, interval, range);
  }

  #disputeError({ instrumentId, interval, openTime }: PolledCandle): DataError {
    return new DataError(
      'E_DATA_CONFLICT',
      `the venue sent two different candles of ${instrumentId} ${interval} at ${formatUtc(openTime)} in one answer; nothing of this answer was stored`,
    );
  }

  #report(at: EpochMs, to: EpochMs): void {
    this.#options.onProgress({ at, to, calls: this.#calls, candles: this.#candles });
  }
}

/** Makes the error for a venue that does not go back far enough. */
export function reachError({ from }: DownloadReport, reach: EpochMs): DataError {
  return new DataError(
    'E_DATA_REACH',
    `expected candles from ${formatUtc(from)}, the venue serves none before ${formatUtc(reach)}: it ignores startTime and endTime and ` +
      `serves only its newest klines; import older ones from files (data import)`,
  );
}
