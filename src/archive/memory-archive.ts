import {
  DataError,
  nominalIntervalMs,
  type CandleSeries,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';
import type { Archive } from './archive.js';
import { copyColumns } from './columns.js';
import { describeSpan } from './gaps.js';
import { hashColumns } from './hash-columns.js';
import { rowsWithin, type HeldSeries } from './held-series.js';
import { openColumns } from './open-series.js';
import { describeSeries, type SeriesInfo, type VolumeUnit } from './series.js';
import { describeInvalidRow, findInvalidRow, findOffGridRow } from './validate.js';

/** A series of candles that is in memory. */
export interface MemorySeries extends CandleSeries {
  /** What the volumes count. @defaultValue 'base' */
  readonly volumeUnit?: VolumeUnit | undefined;
}

const NO_FILE = { bytes: 0, sha256: '', headBytes: 0, headSha256: '' };

/**
 * An archive of candles that are in memory, with the promises of a stored one: it has no mark prices, funding, rules or tiers, and nothing
 * can be added to it. The columns are shared, never copied: do not write to them.
 *
 * @throws {DataError} `E_DATA_EMPTY` for a series without candles, `E_DATA_DEFECT` naming the row (from 1) that no candle can have or
 * that does not open with an interval, `E_DATA_CONFLICT` for a series that is there twice.
 */
export function createMemoryArchive(series: readonly MemorySeries[]): Archive {
  const held = holdSeries(series);
  const find = ({ instrumentId, interval }: Key): Promise<HeldSeries> => {
    const found = held.get(describeSeries({ instrumentId, interval }));
    return found === undefined
      ? Promise.reject(missing({ instrumentId, interval }, [...held.keys()]))
      : Promise.resolve(found);
  };
  const entries = [...held.values()]
    .map(({ info }) => ({ status: 'usable' as const, key: info, info }))
    .sort((a, b) => compareKeys(a.key, b.key));
  return {
    directory: 'memory',
    list: () => Promise.resolve(entries),
    holdings: () => Promise.resolve(entries),
    info: async (instrumentId, interval) => (await find({ instrumentId, interval })).info,
    read: async (instrumentId, interval, range = {}) =>
      copyColumns(rowsWithin(await find({ instrumentId, interval }), range)),
    open: async (instrumentId, interval, how = {}) => {
      const found = await find({ instrumentId, interval });
      return openColumns(found.info, rowsWithin(found, { to: how.to }));
    },
    markIntervals: () => Promise.resolve([]),
    marks: () => Promise.resolve(undefined),
    openMarks: () => Promise.resolve(undefined),
    funding: () => Promise.resolve(undefined),
    rules: () => Promise.resolve([]),
    tiers: () => Promise.resolve([]),
    merge: refuse,
    mergeMarks: refuse,
    mergeFunding: refuse,
    mergeRules: refuse,
    mergeTiers: refuse,
  };
}

interface Key {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
}

function holdSeries(series: readonly MemorySeries[]): ReadonlyMap<string, HeldSeries> {
  const held = new Map<string, HeldSeries>();
  for (const one of series) {
    const name = describeSeries({ instrumentId: one.instrumentId, interval: one.interval });
    if (held.has(name)) throw new DataError('E_DATA_CONFLICT', `candles of ${name}: given twice`);
    checkRows(one, name);
    held.set(name, { info: describe(one), columns: one.columns });
  }
  return held;
}

function checkRows({ columns, interval }: MemorySeries, name: string): void {
  if (columns.openTime.length === 0)
    throw new DataError('E_DATA_EMPTY', `candles of ${name}: there are none`);
  const fail = (row: number, what: string): never => {
    throw new DataError('E_DATA_DEFECT', `candles of ${name}, row ${String(row + 1)}: ${what}`);
  };
  const invalid = findInvalidRow(columns);
  if (invalid >= 0) fail(invalid, describeInvalidRow(columns, invalid));
  const offGrid = findOffGridRow(columns.openTime, interval);
  if (offGrid >= 0)
    fail(
      offGrid,
      `expected the start of a candle of ${interval} in UTC milliseconds, received ${String(columns.openTime[offGrid])}`,
    );
}

function describe({ instrumentId, interval, columns, volumeUnit }: MemorySeries): SeriesInfo {
  return {
    kind: 'candles',
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

function compareKeys(a: Key, b: Key): number {
  if (a.instrumentId !== b.instrumentId) return a.instrumentId < b.instrumentId ? -1 : 1;
  return nominalIntervalMs(a.interval) - nominalIntervalMs(b.interval);
}

function missing(key: Key, names: readonly string[]): DataError {
  return new DataError(
    'E_DATA_MISSING',
    `no candles of ${describeSeries(key)} in memory: it has ${names.length === 0 ? 'none' : names.join(', ')}`,
  );
}

function refuse(): Promise<never> {
  return Promise.reject(new DataError('E_DATA_WRITE', 'candles in memory are not added to'));
}
