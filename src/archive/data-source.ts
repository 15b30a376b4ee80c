import type { EpochMs, Interval, ProductKind } from '../domain/index.js';
import type { VolumeUnit } from './stored/series.js';

/** A file of rows that a source publishes, with a file of its SHA-256 beside it. */
export interface Dump {
  /** Path beneath the base of the source, without a slash before it. */
  readonly path: string;
  readonly checksumPath: string;
  /** Start of the period that the file covers. */
  readonly from: EpochMs;
  /** End of the period that the file covers, exclusive. */
  readonly to: EpochMs;
}

/** Kinds of rows that a source may publish. */
export type DumpKind = 'candles' | 'mark' | 'funding';

/** A series of a source. The symbol is as the source writes it. */
export type DumpSeries = { readonly symbol: string } & (
  { readonly kind: 'candles' | 'mark'; readonly interval: Interval } | { readonly kind: 'funding' }
);

/** A publisher of rows in monthly and daily files. Pure: it computes where a file would be, and does not check that the file exists. */
export interface DataSource {
  readonly name: string;
  /** Base URL of the files. A flag or an environment variable may name another one. */
  readonly url: string;
  /** Product of the instruments in its files. */
  readonly product: ProductKind;
  /** Unit of the volume of its candles. */
  readonly volumeUnit: VolumeUnit;
  /** Kinds that it publishes; candles at least. */
  readonly kinds: readonly DumpKind[];
  /** Intervals of candles and mark prices that it publishes. */
  readonly intervals: readonly Interval[];
  /** Pattern of its symbols. */
  readonly symbols: RegExp;
  /** An example symbol, for messages. */
  readonly example: string;
  /** The file of the month that begins at an instant. */
  monthly(series: DumpSeries, from: EpochMs): Dump;
  /** The file of the day that begins at an instant; undefined if such rows come in monthly files only. */
  daily(series: DumpSeries, from: EpochMs): Dump | undefined;
}
