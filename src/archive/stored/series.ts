import type { EpochMs, InstrumentId, Interval } from '../../domain/index.js';

/** What one unit of a stored volume is: the base asset, the quote asset, or a contract of a future. */
export const VOLUME_UNITS = ['base', 'quote', 'contracts'] as const;
export type VolumeUnit = (typeof VOLUME_UNITS)[number];

/** Prices of a series in the layout of candles: of trades, or the venue's mark price, whose volume is 0. */
export const SERIES_KINDS = ['candles', 'mark'] as const;
export type SeriesKind = (typeof SERIES_KINDS)[number];

/** What messages call the rows of a series. */
const SERIES_NOUNS: Readonly<Record<SeriesKind, string>> = {
  candles: 'candles',
  mark: 'mark prices',
};

/** Identifies a stored series. */
export interface SeriesKey {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  /** @defaultValue `candles` */
  readonly kind?: SeriesKind | undefined;
}

/** What an archive knows of a stored series without opening its columns. */
export interface SeriesInfo extends SeriesKey {
  readonly kind: SeriesKind;
  readonly volumeUnit: VolumeUnit;
  /** Where the rows came from, in the order in which they were added: file names, or the seed of the generator. */
  readonly sources: readonly string[];
  readonly rows: number;
  /** Open time of the first candle. */
  readonly from: EpochMs;
  /** Close time of the last candle, which is exclusive. */
  readonly to: EpochMs;
  /** Places where neighboring candles are more than one interval apart. */
  readonly gaps: number;
  /** Candles absent in all gaps together. */
  readonly missing: number;
  /** Identity of the values, see `hashColumns`: equal values give equal hashes, whatever wrote the file. */
  readonly columnsSha256: string;
  /** Interval of the stored candles from which this series was made on reading. @defaultValue the series itself is stored */
  readonly madeFrom?: Interval | undefined;
  readonly file: StoredFile;
}

/** Size and hashes of the Arrow file. They reveal a file that was replaced, damaged or cut short. */
export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Bytes before the first column: the schema and the layout of the batch. */
  readonly headBytes: number;
  readonly headSha256: string;
}

/** What an archive knows of stored funding rates without opening their columns. */
export interface FundingInfo {
  readonly kind: 'funding';
  readonly instrumentId: InstrumentId;
  /** Where the rows came from, as in {@link SeriesInfo.sources}. */
  readonly sources: readonly string[];
  readonly rows: number;
  /** First settlement. */
  readonly from: EpochMs;
  /** Last settlement. */
  readonly to: EpochMs;
  /** SHA-256 of the values, see `hashFunding`. */
  readonly columnsSha256: string;
  readonly file: StoredFile;
}

/** Writes a key for people: `spot:BTCUSDT 1h`, `futures:E-BTC-USDT mark 1h`. */
export function describeSeries({ instrumentId, interval, kind }: SeriesKey): string {
  return kind === 'mark' ? `${instrumentId} mark ${interval}` : `${instrumentId} ${interval}`;
}

/** Word for the rows of a series in messages. */
export function rowNoun({ kind = 'candles' }: SeriesKey): string {
  return SERIES_NOUNS[kind];
}

/** Whether two keys mean the same series. */
export function isSameSeries(a: SeriesKey, b: SeriesKey): boolean {
  return (
    a.instrumentId === b.instrumentId &&
    a.interval === b.interval &&
    (a.kind ?? 'candles') === (b.kind ?? 'candles')
  );
}
