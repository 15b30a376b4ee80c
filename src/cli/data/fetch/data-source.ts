import type { VolumeUnit } from '../../../archive/index.js';
import type { EpochMs, Interval, ProductKind } from '../../../domain/index.js';

/** A file of candles that a source publishes, with a file of its SHA-256 beside it. */
export interface Dump {
  /** Path beneath the base of the source, without a slash before it. */
  readonly path: string;
  readonly checksumPath: string;
  /** Start of what it holds. */
  readonly from: EpochMs;
  /** End of what it holds, exclusive. */
  readonly to: EpochMs;
}

/** Whose candles are meant. */
export interface DumpSeries {
  readonly symbol: string;
  readonly interval: Interval;
}

/** Who publishes candles as files of months and days. Pure: what it says of a file is where it would be. */
export interface DataSource {
  readonly name: string;
  /** Where the files are, unless it is said. */
  readonly url: string;
  /** Product that its candles are of. */
  readonly product: ProductKind;
  readonly volumeUnit: VolumeUnit;
  /** Intervals that it publishes. */
  readonly intervals: readonly Interval[];
  /** How it writes symbols. */
  readonly symbols: RegExp;
  /** The file of the month that begins at an instant. */
  monthly(series: DumpSeries, from: EpochMs): Dump;
  /** The file of the day that begins at an instant. */
  daily(series: DumpSeries, from: EpochMs): Dump;
}
