import {
  DataError,
  nominalIntervalMs,
  PRODUCT_KINDS,
  splitInstrumentId,
  type CandleSeries,
  type FundingColumns,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';
import { asSeries, HOLDING_KINDS, type ArchiveEntry, type HoldingKey } from './archive-entry.js';
import type { Archive } from './archive.js';
import { describeSpan } from './check/gaps.js';
import { describeInvalidRow, findInvalidRow, findOffGridRow } from './check/validate.js';
import { copyColumns } from './columns/columns.js';
import { hashFunding } from './columns/funding-columns.js';
import { hashColumns } from './columns/hash-columns.js';
import { rowsOrNone, rowsWithin, type HeldSeries } from './stored/held-series.js';
import { requireNoVolume } from './stored/marks.js';
import { openColumns } from './stored/open-series.js';
import {
  describeSeries,
  rowNoun,
  type FundingInfo,
  type SeriesInfo,
  type SeriesKey,
  type VolumeUnit,
} from './stored/series.js';
import { fundingWithin, requireFunding } from './stored/stored-funding.js';

/** A series of candles, or of mark prices, that is in memory. */
export interface MemorySeries extends CandleSeries {
  /** @defaultValue 'candles' */
  readonly kind?: 'candles' | 'mark' | undefined;
  /** What the volumes count. @defaultValue 'base' */
  readonly volumeUnit?: VolumeUnit | undefined;
}

/** Later times are microseconds or nanoseconds. */
const LATEST_TIME = Date.UTC(9_999, 11, 31);

const NO_FILE = { bytes: 0, sha256: '', headBytes: 0, headSha256: '' };

/** Settled funding rates by contract. */
type MemoryFunding = ReadonlyMap<InstrumentId, FundingColumns>;

/**
 * An archive of candles, mark prices and funding rates that are in memory, with the promises of a stored one: it has no rules or tiers, and nothing
 * can be added to it. The columns are shared, never copied: do not write to them.
 *
 * @throws {DataError} `E_DATA_EMPTY` for a series or funding without rows, `E_DATA_DEFECT` naming the row (from 1) that is invalid
 * or does not open at the start of an interval, `E_DATA_CONFLICT` for a series that is given twice.
 */
export function createMemoryArchive(
  series: readonly MemorySeries[],
  funding: MemoryFunding = new Map(),
): Archive {
  const held = holdSeries(series);
  for (const [instrumentId, columns] of funding) requireFunding(instrumentId, columns);
  const candles = [...held.values()].filter((one) => !isMark(one));
  const find = (key: SeriesKey): Promise<HeldSeries> => {
    const found = held.get(describeSeries(key));
    const names = candles.map(({ info }) => describeSeries(info));
    return found === undefined ? Promise.reject(missing(key, names)) : Promise.resolve(found);
  };
  const holdings = [
    ...[...held.values()].map(({ info }) => usable(info)),
    ...[...funding].map(([instrumentId, columns]) =>
      usable(describeFunding(instrumentId, columns)),
    ),
  ].sort((a, b) => compareKeys(a.key, b.key));
  return {
    directory: 'memory',
    list: () => Promise.resolve(holdings.flatMap(asSeries)),
    holdings: () => Promise.resolve(holdings),
    info: async (instrumentId, interval) => (await find({ instrumentId, interval })).info,
    read: async (instrumentId, interval, range = {}) =>
      copyColumns(rowsWithin(await find({ instrumentId, interval }), range)),
    open: async (instrumentId, interval, how = {}) => {
      const found = await find({ instrumentId, interval });
      return openColumns(found.info, rowsWithin(found, { to: how.to }));
    },
    ...markReaders(held),
    funding: (instrumentId, range = {}) => {
      const columns = funding.get(instrumentId);
      return Promise.resolve(columns && fundingWithin(columns, range));
    },
    rules: () => Promise.resolve([]),
    tiers: () => Promise.resolve([]),
    merge: refuse,
    mergeMarks: refuse,
    mergeFunding: refuse,
    mergeRules: refuse,
    mergeTiers: refuse,
  };
}

function isMark({ info }: HeldSeries): boolean {
  return info.kind === 'mark';
}

/** Reads the mark prices among the series. */
function markReaders(
  held: ReadonlyMap<string, HeldSeries>,
): Pick<Archive, 'markIntervals' | 'marks' | 'openMarks'> {
  const marks = [...held.values()].filter(isMark);
  const findMarks = (instrumentId: InstrumentId, interval: Interval): HeldSeries | undefined =>
    held.get(describeSeries({ instrumentId, interval, kind: 'mark' }));
  return {
    markIntervals: (instrumentId) =>
      Promise.resolve(
        marks
          .filter(({ info }) => info.instrumentId === instrumentId)
          .map(({ info }) => info)
          .sort(compareKeys)
          .map(({ interval }) => interval),
      ),
    marks: (instrumentId, interval, range = {}) => {
      const found = findMarks(instrumentId, interval);
      return Promise.resolve(found && copyColumns(rowsOrNone(found, range)));
    },
    openMarks: (instrumentId, interval, how = {}) => {
      const found = findMarks(instrumentId, interval);
      const rows = found && rowsOrNone(found, { to: how.to });
      const hasRows = rows !== undefined && rows.openTime.length > 0;
      return Promise.resolve(found && hasRows ? openColumns(found.info, rows) : undefined);
    },
  };
}

function holdSeries(series: readonly MemorySeries[]): ReadonlyMap<string, HeldSeries> {
  const held = new Map<string, HeldSeries>();
  for (const one of series) {
    const name = describeSeries(one);
    if (held.has(name))
      throw new DataError('E_DATA_CONFLICT', `${rowNoun(one)} of ${name}: given twice`);
    checkRows(one, name);
    if (one.kind === 'mark') requireNoVolume(one.columns, one);
    held.set(name, { info: describe(one), columns: one.columns });
  }
  return held;
}

function checkRows(series: MemorySeries, name: string): void {
  const { columns, interval } = series;
  const noun = rowNoun(series);
  if (columns.openTime.length === 0) throw new DataError('E_DATA_EMPTY', `no ${noun} of ${name}`);
  const fail = (row: number, what: string): never => {
    throw new DataError('E_DATA_DEFECT', `${noun} of ${name}, row ${String(row + 1)}: ${what}`);
  };
  const invalid = findInvalidRow(columns);
  if (invalid >= 0) fail(invalid, describeInvalidRow(columns, invalid));
  const far = columns.openTime.findIndex((time) => time > LATEST_TIME);
  if (far >= 0)
    fail(
      far,
      `expected a time in UTC milliseconds before the year 10000, received ${String(columns.openTime[far])}`,
    );
  const offGrid = findOffGridRow(columns.openTime, interval);
  if (offGrid >= 0)
    fail(
      offGrid,
      `expected the start of a candle of ${interval} in UTC milliseconds, received ${String(columns.openTime[offGrid])}`,
    );
}

function describe(series: MemorySeries): SeriesInfo {
  const { instrumentId, interval, columns, kind = 'candles', volumeUnit } = series;
  return {
    kind,
    instrumentId,
    interval,
    volumeUnit: volumeUnit ?? 'base',
    sources: ['memory'],
    rows: columns.openTime.length,
    ...describeSpan(columns.openTime, interval),
    columnsSha256: hashColumns(columns),
    file: NO_FILE,
  };
}

function describeFunding(instrumentId: InstrumentId, columns: FundingColumns): FundingInfo {
  return {
    kind: 'funding',
    instrumentId,
    sources: ['memory'],
    rows: columns.time.length,
    from: columns.time[0] ?? Number.NaN,
    to: columns.time.at(-1) ?? Number.NaN,
    columnsSha256: hashFunding(columns),
    file: NO_FILE,
  };
}

function usable(info: SeriesInfo | FundingInfo): ArchiveEntry {
  const { instrumentId } = info;
  const key: HoldingKey =
    info.kind === 'funding'
      ? { kind: info.kind, instrumentId }
      : { kind: info.kind, instrumentId, interval: info.interval };
  return { status: 'usable', key, info };
}

/** The order of `Archive.holdings`: by product, symbol, kind and length of interval. */
function compareKeys(a: HoldingKey, b: HoldingKey): number {
  const [one, other] = [splitInstrumentId(a.instrumentId), splitInstrumentId(b.instrumentId)];
  return (
    PRODUCT_KINDS.indexOf(one.kind) - PRODUCT_KINDS.indexOf(other.kind) ||
    Number(one.symbol > other.symbol) - Number(one.symbol < other.symbol) ||
    HOLDING_KINDS.indexOf(a.kind) - HOLDING_KINDS.indexOf(b.kind) ||
    lengthOf(a) - lengthOf(b)
  );
}

function lengthOf({ interval }: HoldingKey): number {
  return interval === undefined ? 0 : nominalIntervalMs(interval);
}

function missing(key: SeriesKey, names: readonly string[]): DataError {
  return new DataError(
    'E_DATA_MISSING',
    `no candles of ${describeSeries(key)} in memory: it has ${names.length === 0 ? 'none' : names.join(', ')}`,
  );
}

function refuse(): Promise<never> {
  return Promise.reject(new DataError('E_DATA_WRITE', 'candles in memory cannot be added to'));
}
