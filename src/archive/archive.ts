import type {
  CandleColumns,
  CandleSeries,
  DataError,
  EpochMs,
  InstrumentId,
  Interval,
} from '../domain/index.js';
import type { OpenFile } from './data-file.js';
import type { SeriesInfo, SeriesKey, VolumeUnit } from './series.js';

export interface ReadOptions {
  /** First open time wanted, inclusive. @defaultValue the first stored candle */
  readonly from?: EpochMs | undefined;
  /** Open time at which to stop, exclusive. @defaultValue behind the last stored candle */
  readonly to?: EpochMs | undefined;
  /** Whether the file's SHA-256 is compared first, about 25 ns per stored row. @defaultValue false */
  readonly verify?: boolean | undefined;
}

export interface MergeOptions {
  /** Where the rows come from, for the metadata: a file name, never a path. */
  readonly source: string;
  readonly volumeUnit: VolumeUnit;
  /** Whether rows stored with other values are overwritten. @defaultValue false: they are an error */
  readonly replace?: boolean | undefined;
  /** Interrupts the write; the stored series stays as it was. */
  readonly signal?: AbortSignal | undefined;
}

/** What a merge did. */
export interface MergeReport {
  readonly info: SeriesInfo;
  /** Rows that were not stored before. */
  readonly added: number;
  /** Rows that were stored already, with equal values. */
  readonly duplicates: number;
  /** Rows that were stored with other values, which are overwritten. */
  readonly replaced: number;
}

/** A series found in an archive: usable, or with what is wrong with it. */
export type SeriesEntry =
  | { readonly status: 'usable'; readonly key: SeriesKey; readonly info: SeriesInfo }
  | { readonly status: 'broken'; readonly key: SeriesKey; readonly error: DataError };

/** Stored candles under one folder. */
export interface Archive {
  readonly directory: string;

  /**
   * Lists the series by product, symbol and length of interval. Only names and metadata are read; temporary files are ignored.
   *
   * @throws {DataError} `E_DATA_ARCHIVE` when the folder does not exist or cannot be read.
   */
  list(): Promise<readonly SeriesEntry[]>;

  /**
   * Describes a series.
   *
   * @throws {DataError} `E_DATA_ARCHIVE` without the folder, `E_DATA_MISSING` when it holds no such series (the message says which
   * it holds), `E_DATA_TORN` when the candles are there without metadata, `E_DATA_METADATA` when the metadata cannot be used.
   */
  info(instrumentId: InstrumentId, interval: Interval): Promise<SeriesInfo>;

  /**
   * Reads candles, in strictly rising order of time, each at the start of an interval, with finite numbers, prices above 0, and high
   * and low around open and close; gaps are possible. The columns are the caller's own.
   *
   * @throws {DataError} as `info`; `E_DATA_EMPTY` when the series holds no rows, `E_DATA_RANGE` when none lies in the range (the
   * message says what is stored), `E_DATA_CORRUPT` when the file is damaged or cut short, `E_DATA_TORN` when file and metadata
   * come from different writes, `E_DATA_DEFECT` naming the row (from 1) that breaks the promise above.
   */
  read(
    instrumentId: InstrumentId,
    interval: Interval,
    options?: ReadOptions,
  ): Promise<CandleColumns>;

  /**
   * Adds candles to a series, or starts it. The old state or the new one is on the disk, never a mixture. One writer at a time: of two
   * merges into one series at once, the later one may drop what the earlier added.
   *
   * @throws {DataError} `E_DATA_EMPTY` without rows, `E_DATA_DEFECT` when a row breaks the promise of `read`, `E_DATA_CONFLICT`
   * when a stored candle has other values and `replace` is not set, `E_DATA_UNIT` when the stored volume counts something else,
   * `E_DATA_WRITE` when the disk is full or the place cannot be written.
   */
  merge(series: CandleSeries, options: MergeOptions): Promise<MergeReport>;
}

export interface ArchiveOptions {
  /** Opens files. @defaultValue the operating system's */
  readonly open?: OpenFile | undefined;
}
