import { DataError, type InstrumentId, type Interval } from '../domain/index.js';
import type { RecordKind, RecordsInfo } from './stored/records.js';
import type { FundingInfo } from './stored/series.js';
import { SERIES_KINDS, type SeriesInfo, type SeriesKey, type SeriesKind } from './stored/series.js';

/** Everything that an archive stores. */
export const HOLDING_KINDS = [...SERIES_KINDS, 'funding', 'rules', 'tiers'] as const;
export type HoldingKind = (typeof HOLDING_KINDS)[number];

/** Identifies something stored in an archive. Only candles and mark prices have an interval. */
export type HoldingKey =
  | {
      readonly kind: SeriesKind;
      readonly instrumentId: InstrumentId;
      readonly interval: Interval;
    }
  | {
      readonly kind: 'funding' | RecordKind;
      readonly instrumentId: InstrumentId;
      readonly interval?: undefined;
    };

export type HoldingInfo = SeriesInfo | FundingInfo | RecordsInfo;

/** Something found in an archive: usable, or broken with the error. */
export type ArchiveEntry =
  | { readonly status: 'usable'; readonly key: HoldingKey; readonly info: HoldingInfo }
  | { readonly status: 'broken'; readonly key: HoldingKey; readonly error: DataError };

/** A series found in an archive: usable, or broken with the error. */
export type SeriesEntry =
  | { readonly status: 'usable'; readonly key: SeriesKey; readonly info: SeriesInfo }
  | { readonly status: 'broken'; readonly key: SeriesKey; readonly error: DataError };

/** A holding as an entry of `Archive.list`, which names candles only; none for anything else. */
export function asSeries(holding: ArchiveEntry): readonly SeriesEntry[] {
  const { kind, interval, instrumentId } = holding.key;
  if (kind !== 'candles') return [];
  const key = { instrumentId, interval };
  if (holding.status === 'broken') return [{ status: 'broken', key, error: holding.error }];
  return 'interval' in holding.info ? [{ status: 'usable', key, info: holding.info }] : [];
}

/** Writes a key for people: `spot:BTCUSDT 1h`, `futures:E-BTC-USDT mark 1h`, `futures:E-BTC-USDT funding`. */
export function describeHolding({
  kind,
  instrumentId,
  interval,
}: {
  readonly kind: HoldingKind;
  readonly instrumentId: InstrumentId;
  readonly interval?: Interval | undefined;
}): string {
  if (interval === undefined) return `${instrumentId} ${kind}`;
  return kind === 'mark' ? `${instrumentId} mark ${interval}` : `${instrumentId} ${interval}`;
}

/**
 * A file may vanish between listing and reading.
 *
 * @throws {DataError} `E_DATA_MISSING` if it did.
 */
export function stillStored<T>(
  stored: T | undefined,
  key: Parameters<typeof describeHolding>[0],
): T {
  if (stored !== undefined) return stored;
  throw new DataError('E_DATA_MISSING', `${describeHolding(key)} is no longer in the archive`);
}
