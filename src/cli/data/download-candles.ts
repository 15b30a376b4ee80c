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

export interface DownloadOptions {
  readonly archive: Archive;
  /** Market data whose klines are asked for with start and end, whether the venue honors them or not. */
  readonly marketData: MarketDataSource;
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** First open time wanted. @defaultValue the oldest the venue gives without being asked for a time */
  readonly from?: EpochMs | undefined;
  /** Open time to stop at, exclusive. @defaultValue what is final now */
  readonly to?: EpochMs | undefined;
  /** The venue's clock. */
  readonly now: EpochMs;
  readonly volumeUnit: VolumeUnit;
  /** Where the rows come from, for the metadata. */
  readonly source: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: DownloadProgress) => void;
}

export interface DownloadProgress {
  /** Everything before this open time is done. */
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
  /** Oldest open time the venue gives, where it gives none from a time on. */
  readonly reach: EpochMs | undefined;
}

/** Most klines an answer holds. Source: interface, parameter bounds. */
const MAX_KLINES = 300;
/** A candle whose end is this long ago does not change any more. */
const FINAL_AFTER_MS = 2 * SECOND_MS;

/**
 * Downloads what is missing of a range into the archive, in pages, oldest first. Candles that are stored stay as they are; what was
 * fetched before an interruption or a failure is stored, so that another run goes on from there.
 *
 * The interface's klines know no start time. Newer servers honor `startTime` and `endTime`; whether this one does shows in its first answer to
 * them. Where it does not, only the newest klines can be had.
 * @throws {DataError} `E_DATA_EMPTY` when the venue gives nothing, `E_DATA_CONFLICT` when one answer has two final candles of one time. The errors of archive and market data. The signal's reason.
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
      `the venue gives no candles of ${instrumentId} ${interval}`,
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
    // Also on the way out of a failure: what was fetched is not fetched again.
    await download.store();
  }
  const { calls, added } = download;
  return { from, to, calls, added, reach: isReached ? undefined : oldest };
}

interface Newest {
  /** Oldest open time among the newest klines. */
  readonly oldest: EpochMs;
  /** Klines the venue gives in one answer, as it showed. */
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

  /** Keeps what is missing of the klines that came without asking for a time. */
  async takeNewest(candles: readonly PolledCandle[], range: MissingRange): Promise<void> {
    for (const missing of await this.#missing(range)) await this.#take(candles, missing);
  }

  /** Fetches what is missing of a range. False when the venue does not give candles from a time on. */
  async fetch(range: MissingRange): Promise<boolean> {
    const { interval, signal } = this.#options;
    const spanMs = this.#newest.pageSize * nominalIntervalMs(interval);
    for (const missing of await this.#missing(range)) {
      for (let at = missing.from; at < missing.to;) {
        signal.throwIfAborted();
        const page = { from: at, to: Math.min(at + spanMs, missing.to) };
        const candles = await this.#ask(interval, page);
        const [first] = candles;
        // The newest klines again, whatever was asked for.
        if (first !== undefined && first.openTime >= this.#newest.oldest) return false;
        const taken = await this.#take(candles, page);
        at = taken > 0 ? page.to : await this.#skipEmpty(page.to, missing.to, first);
        this.#report(at, range.to);
      }
    }
    return true;
  }

  /** Holds of the candles what lies in the range and is final; says how much lay in it. */
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
   * The next time that may have candles. A venue that honors the start alone shows it; else daily candles cross the years before a
   * listing in few steps.
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
    // What a write that was cut short has left is taken by the merge: until then nothing of it is known.
    const stored = await orNothing(archive.read(instrumentId, interval, range), ['E_DATA_TORN']);
    return stored === undefined ? [range] : missingRanges(stored.openTime, interval, range);
  }

  #disputeError({ instrumentId, interval, openTime }: PolledCandle): DataError {
    return new DataError(
      'E_DATA_CONFLICT',
      `the venue gives two candles of ${instrumentId} ${interval} at ${formatUtc(openTime)} in one answer, with other values; nothing of that answer was stored`,
    );
  }

  #report(at: EpochMs, to: EpochMs): void {
    this.#options.onProgress({ at, to, calls: this.#calls, candles: this.#candles });
  }
}

/** The error of a venue that does not go back far enough. */
export function reachError({ from }: DownloadReport, reach: EpochMs): DataError {
  return new DataError(
    'E_DATA_REACH',
    `the venue has no candles of ${formatUtc(from)}, none before ${formatUtc(reach)}: it ignores startTime and endTime and ` +
      `gives its newest klines only; older ones must come from files (data import)`,
  );
}
