import type { EpochMs, Interval, ProductKind } from '../domain/index.js';
import type { VolumeUnit } from './series.js';

/** A file of rows that a source publishes, with a file of its SHA-256 beside it. */
export interface Dump {
  /** Path beneath the base of the source, without a slash before it. */
  readonly path: string;
  readonly checksumPath: string;
  /** Start of what it holds. */
  readonly from: EpochMs;
  /** End of what it holds, exclusive. */
  readonly to: EpochMs;
}

/** What files may hold. */
export type DumpKind = 'candles' | 'mark' | 'funding';

/** Whose rows are meant, as the source writes the symbol. */
export type DumpSeries = { readonly symbol: string } & (
  { readonly kind: 'candles' | 'mark'; readonly interval: Interval } | { readonly kind: 'funding' }
);

/** Who publishes rows as files of months and days. Pure: what it says of a file is where it would be. */
export interface DataSource {
  readonly name: string;
  /** Where the files are, unless it is said. */
  readonly url: string;
  /** Product that its rows are of. */
  readonly product: ProductKind;
  /** What the volume of its candles counts. */
  readonly volumeUnit: VolumeUnit;
  /** What it publishes; candles at least. */
  readonly kinds: readonly DumpKind[];
  /** Intervals of candles and mark prices that it publishes. */
  readonly intervals: readonly Interval[];
  /** How it writes symbols. */
  readonly symbols: RegExp;
  /** One of them, for messages. */
  readonly example: string;
  /** The file of the month that begins at an instant. */
  monthly(series: DumpSeries, from: EpochMs): Dump;
  /** The file of the day that begins at an instant; undefined where such rows come in months only. */
  daily(series: DumpSeries, from: EpochMs): Dump | undefined;
}
