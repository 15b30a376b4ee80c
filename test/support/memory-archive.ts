import {
  hashColumns,
  openColumns,
  type Archive,
  type OpenSeries,
  type SeriesInfo,
  type VolumeUnit,
} from '../../src/archive/index.js';
import {
  CandleRows,
  closeTimeOf,
  DataError,
  nominalIntervalMs,
  type CandleColumns,
  type CandleSeries,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
  type Interval,
} from '../../src/domain/index.js';

/** Data of a memory archive other than candles. */
export interface MemoryHoldings {
  readonly marks?: readonly CandleSeries[];
  readonly funding?: ReadonlyMap<InstrumentId, FundingColumns>;
  readonly rules?: ReadonlyMap<InstrumentId, readonly DatedRules[]>;
  readonly tiers?: ReadonlyMap<InstrumentId, readonly DatedTiers[]>;
  /** Unit of the volumes, or of those of each instrument. @defaultValue `base` */
  readonly volumeUnit?: VolumeUnit | ((instrumentId: InstrumentId) => VolumeUnit);
  /** Rows of a block of an opened series. Three blocks are kept. @defaultValue all rows in one block */
  readonly blockRows?: number | undefined;
}

/** An archive that holds its series in memory. A read of a range cuts off later rows, as a stored archive does. */
export function createMemoryArchive(
  series: readonly CandleSeries[],
  held: MemoryHoldings = {},
): Archive {
  const isReadOnly = (): Promise<never> => Promise.reject(new Error('this archive is read only'));
  const marks = held.marks ?? [];
  const find = (instrumentId: InstrumentId, interval: Interval): CandleSeries => {
    const found = series.find(
      (candidate) => candidate.instrumentId === instrumentId && candidate.interval === interval,
    );
    if (found === undefined) throw new Error(`no ${instrumentId} ${interval} in memory`);
    return found;
  };
  const { volumeUnit = 'base' } = held;
  const unitOf = typeof volumeUnit === 'string' ? () => volumeUnit : volumeUnit;
  const infos = new Map(series.map((each) => [each, describe(each, unitOf(each.instrumentId))]));
  const markInfos = new Map(marks.map((each) => [each, describe(each, 'base')]));
  return {
    directory: 'memory',
    list: () =>
      Promise.resolve(
        [...infos].map(([{ instrumentId, interval }, info]) => ({
          status: 'usable' as const,
          key: { instrumentId, interval },
          info,
        })),
      ),
    info: (instrumentId, interval) =>
      Promise.resolve(infos.get(find(instrumentId, interval)) as SeriesInfo),
    read: (instrumentId, interval, range) =>
      inRange(rowsBefore(find(instrumentId, interval).columns, range?.to)),
    open: async (instrumentId, interval, range) => {
      const found = find(instrumentId, interval);
      const columns = await inRange(rowsBefore(found.columns, range?.to));
      return openSeries(columns, infos.get(found) as SeriesInfo, held.blockRows);
    },
    merge: isReadOnly,
    holdings: () => Promise.resolve([]),
    markIntervals: (instrumentId) =>
      Promise.resolve(
        marks
          .filter((each) => each.instrumentId === instrumentId)
          .map(({ interval }) => interval)
          .sort((a, b) => nominalIntervalMs(a) - nominalIntervalMs(b)),
      ),
    marks: (instrumentId, interval, range) => {
      const found = marks.find(
        (each) => each.instrumentId === instrumentId && each.interval === interval,
      );
      return Promise.resolve(found && rowsBefore(found.columns, range?.to));
    },
    openMarks: (instrumentId, interval, range) => {
      const found = marks.find(
        (each) => each.instrumentId === instrumentId && each.interval === interval,
      );
      const info = found && markInfos.get(found);
      const columns = found && rowsBefore(found.columns, range?.to);
      return Promise.resolve(
        info && columns && columns.openTime.length > 0
          ? openSeries(columns, info, held.blockRows)
          : undefined,
      );
    },
    mergeMarks: isReadOnly,
    funding: (instrumentId) => Promise.resolve(held.funding?.get(instrumentId)),
    mergeFunding: isReadOnly,
    rules: (instrumentId) => Promise.resolve(held.rules?.get(instrumentId) ?? []),
    mergeRules: isReadOnly,
    tiers: (instrumentId) => Promise.resolve(held.tiers?.get(instrumentId) ?? []),
    mergeTiers: isReadOnly,
  };
}

function openSeries(
  columns: CandleColumns,
  info: SeriesInfo,
  blockRows: number | undefined,
): OpenSeries {
  const opened = openColumns(info, columns);
  return blockRows === undefined ? opened : { ...opened, rows: pagedRows(columns, blockRows) };
}

/** Rows that are copied into blocks on demand, like those of a file. Released blocks are filled with NaN, so that a late read is noticed. */
export function pagedRows(columns: CandleColumns, blockRows: number, blocks = 3): CandleRows {
  return CandleRows.paged(
    {
      length: columns.openTime.length,
      read: (first, end, reuse) => {
        for (const values of Object.values(reuse ?? {}) as Float64Array[]) values.fill(Number.NaN);
        return copyRows(columns, first, end);
      },
      readColumn: (name, first, target) => {
        target.set(columns[name].subarray(first, first + target.length));
      },
      openTimeOf: (row) => columns.openTime[row] ?? Number.NaN,
    },
    { blockRows, blocks },
  );
}

function describe(
  { instrumentId, interval, columns }: CandleSeries,
  volumeUnit: VolumeUnit,
): SeriesInfo {
  return {
    kind: 'candles',
    instrumentId,
    interval,
    volumeUnit,
    sources: ['memory'],
    rows: columns.openTime.length,
    from: columns.openTime[0] ?? 0,
    to: closeTimeOf(columns.openTime.at(-1) ?? 0, interval),
    gaps: 0,
    missing: 0,
    columnsSha256: hashColumns(columns),
    file: { bytes: 0, sha256: '', headBytes: 0, headSha256: '' },
  };
}

/** The rows that open before a time. If no row comes later, the same columns without a copy. */
function rowsBefore(columns: CandleColumns, to: EpochMs | undefined): CandleColumns {
  const { length } = columns.openTime;
  const count = to === undefined ? length : CandleRows.of(columns).rowBefore(to) + 1;
  return count === length ? columns : firstRows(columns, count);
}

function inRange(columns: CandleColumns): Promise<CandleColumns> {
  return columns.openTime.length > 0
    ? Promise.resolve(columns)
    : Promise.reject(new DataError('E_DATA_RANGE', 'expected candles in the range'));
}

/** A copy of the first rows of a series. */
export function firstRows(columns: CandleColumns, rows: number): CandleColumns {
  return copyRows(columns, 0, rows);
}

function copyRows(columns: CandleColumns, first: number, end: number): CandleColumns {
  return {
    openTime: columns.openTime.slice(first, end),
    open: columns.open.slice(first, end),
    high: columns.high.slice(first, end),
    low: columns.low.slice(first, end),
    close: columns.close.slice(first, end),
    volume: columns.volume.slice(first, end),
  };
}
