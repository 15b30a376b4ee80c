import type {
  CandleColumns,
  CandleRows,
  CandleSeries,
  DatedRules,
  DatedTiers,
  EpochMs,
  FundingColumns,
  InstrumentId,
  Interval,
} from '../domain/index.js';
import type { ArchiveEntry, SeriesEntry } from './archive-entry.js';
import type { OpenFile } from './files/data-file.js';
import type { RecordsInfo } from './stored/records.js';
import type { FundingInfo } from './stored/series.js';
import type { SeriesInfo, VolumeUnit } from './stored/series.js';

export interface ReadRange {
  /** Start of the range, inclusive; compared with the open time of a candle. @defaultValue the first stored row */
  readonly from?: EpochMs | undefined;
  /** End of the range, exclusive. @defaultValue after the last stored row */
  readonly to?: EpochMs | undefined;
}

export interface ArchiveReadOptions extends ReadRange {
  /** Whether the file's SHA-256 is compared first, about 25 ns per stored row. @defaultValue false: only if the file changed after its metadata, and only once */
  readonly verify?: boolean | undefined;
  /** Whether to leave out made candles at the ends that finer candles cover only in part. Stored candles are read as they are. @defaultValue false */
  readonly isWhole?: boolean | undefined;
}

export interface OpenOptions {
  /** Time at which to stop, exclusive. @defaultValue after the last stored row */
  readonly to?: EpochMs | undefined;
  /** A series of at most this many stored rows is read whole, which is fastest. @defaultValue 65,536: 3 MB */
  readonly wholeRows?: number | undefined;
  /** Rows per block of a longer series. Three blocks are in memory. @defaultValue 8,192: 400 kB */
  readonly blockRows?: number | undefined;
}

/** An open stored series. Perhaps only a part of its rows is in memory at a time. Close it after use. */
export interface OpenSeries {
  readonly info: SeriesInfo;
  /** Rows with the promises of `read`. Access to a damaged row throws the errors of `read`. */
  readonly rows: CandleRows;
  /** SHA-256 of the values of these rows, see `hashColumns`. */
  hash(): string;
  /** Do not access the rows after this call. */
  close(): Promise<void>;
}

export interface MergeRecordsOptions {
  /** Where the rows come from, for the metadata: names of files, never a path. */
  readonly source: string | readonly string[];
  /** Whether rows stored with other values are overwritten. @defaultValue false: they are an error */
  readonly replace?: boolean | undefined;
  /**
   * When the files are written: `changed` leaves the files and their sources as they are if no row is added or replaced, `never` only
   * reports what a merge would do.
   * @defaultValue always
   */
  readonly write?: 'always' | 'changed' | 'never' | undefined;
  /** Interrupts the write; what is stored stays as it was. */
  readonly signal?: AbortSignal | undefined;
}

export interface MergeOptions extends MergeRecordsOptions {
  readonly volumeUnit: VolumeUnit;
}

/** What a merge did, and what is stored after it. */
export interface MergeReportOf<Info> {
  readonly info: Info;
  /** Rows that were not stored before. */
  readonly added: number;
  /** Rows that were stored already, with equal values. */
  readonly duplicates: number;
  /** Rows that were stored with other values, which are overwritten. */
  readonly replaced: number;
}

export type MergeReport = MergeReportOf<SeriesInfo>;
export type FundingMergeReport = MergeReportOf<FundingInfo>;
export type RecordsMergeReport = MergeReportOf<RecordsInfo>;

/** Stored candles, mark prices, funding rates, instrument rules and leverage tiers under one folder. */
export interface Archive {
  readonly directory: string;

  /**
   * Lists the series of candles by product, symbol and length of interval. Only names and metadata are read; temporary files are ignored.
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
    options?: ArchiveReadOptions,
  ): Promise<CandleColumns>;

  /**
   * Opens candles from the first stored one. Rows are read when they are needed: memory does not grow with their number. A later merge
   * into the series is not visible.
   *
   * @throws {DataError} as `read`; for a damaged row only when it is accessed.
   */
  open(instrumentId: InstrumentId, interval: Interval, options?: OpenOptions): Promise<OpenSeries>;

  /**
   * Adds candles to a series, or starts it. The old state or the new one is on the disk, never a mixture. One writer at a time: of two
   * merges into one series at once, the later one may drop what the earlier added.
   *
   * @throws {DataError} `E_DATA_EMPTY` without rows, `E_DATA_DEFECT` when a row breaks the promise of `read`, `E_DATA_CONFLICT`
   * when a stored candle has other values and `replace` is not set, `E_DATA_UNIT` when the stored volume has another unit,
   * `E_DATA_ORIGIN` when only the stored or only the new rows are random,
   * `E_DATA_WRITE` when the disk is full or the place cannot be written.
   */
  merge(series: CandleSeries, options: MergeOptions): Promise<MergeReport>;

  /**
   * Lists everything: candles, mark prices, funding rates, rules and tiers, by product, symbol and kind. Only names and metadata are
   * read.
   *
   * @throws {DataError} `E_DATA_ARCHIVE` when the folder does not exist or cannot be read.
   */
  holdings(): Promise<readonly ArchiveEntry[]>;

  /** Says in which intervals mark prices of an instrument are stored, finest first. */
  markIntervals(instrumentId: InstrumentId): Promise<readonly Interval[]>;

  /**
   * Reads mark prices, which have the layout of candles and volume 0; undefined when none are stored, without rows when none lie in
   * the range.
   *
   * @throws {DataError} as `read`, but absent data is no error.
   */
  marks(
    instrumentId: InstrumentId,
    interval: Interval,
    options?: ArchiveReadOptions,
  ): Promise<CandleColumns | undefined>;

  /**
   * Opens mark prices, as `open` opens candles; undefined when none are stored or none lie in the range.
   *
   * @throws {DataError} as `open`, but absent data is no error.
   */
  openMarks(
    instrumentId: InstrumentId,
    interval: Interval,
    options?: OpenOptions,
  ): Promise<OpenSeries | undefined>;

  /**
   * Adds mark prices, as `merge` adds candles.
   *
   * @throws {DataError} as `merge`; `E_DATA_DEFECT` when a volume is not 0.
   */
  mergeMarks(series: CandleSeries, options: MergeRecordsOptions): Promise<MergeReport>;

  /**
   * Reads settled funding rates in strictly rising order of time, on the minute; undefined when none are stored, without rows when
   * none lie in the range.
   *
   * @throws {DataError} `E_DATA_METADATA`, `E_DATA_TORN`, `E_DATA_CORRUPT`, `E_DATA_DEFECT`, `E_DATA_READ`, as `read`.
   */
  funding(instrumentId: InstrumentId, range?: ReadRange): Promise<FundingColumns | undefined>;

  /**
   * Adds funding rates; their stamps snap to the nearest minute (DESIGN R11).
   *
   * @throws {DataError} `E_DATA_EMPTY` without rows, `E_DATA_DEFECT` when times do not rise or a rate is not between -1 and 1, `E_DATA_CONFLICT`
   * when a stored rate differs and `replace` is not set, `E_DATA_WRITE`.
   */
  mergeFunding(
    instrumentId: InstrumentId,
    columns: FundingColumns,
    options: MergeRecordsOptions,
  ): Promise<FundingMergeReport>;

  /**
   * Reads the venue's rules of an instrument, oldest first; empty when none are stored.
   *
   * @throws {DataError} `E_DATA_METADATA` naming file and key, `E_DATA_CORRUPT`, `E_DATA_READ`.
   */
  rules(instrumentId: InstrumentId): Promise<readonly DatedRules[]>;

  /**
   * Adds dated rules; one record per time.
   *
   * @throws {DataError} `E_DATA_RECORD` when the records contradict themselves or each other, `E_DATA_CONFLICT` when another record is
   * stored for the same time and `replace` is not set, `E_DATA_WRITE`.
   */
  mergeRules(
    instrumentId: InstrumentId,
    entries: readonly DatedRules[],
    options: MergeRecordsOptions,
  ): Promise<RecordsMergeReport>;

  /** Reads the leverage tiers of a contract, oldest first; empty when none are stored. Errors as `rules`. */
  tiers(instrumentId: InstrumentId): Promise<readonly DatedTiers[]>;

  /** Adds dated tiers, as `mergeRules` adds rules. */
  mergeTiers(
    instrumentId: InstrumentId,
    entries: readonly DatedTiers[],
    options: MergeRecordsOptions,
  ): Promise<RecordsMergeReport>;
}

export interface ArchiveOptions {
  /** Opens files. @defaultValue the operating system's */
  readonly open?: OpenFile | undefined;
}
