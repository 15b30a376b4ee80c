import {
  lowerBound,
  openColumns,
  requireRows,
  sliceColumns,
  type Archive,
  type SeriesInfo,
} from '../../archive/index.js';
import {
  endOfMarks,
  readFundingUntil,
  type BacktestConfig,
} from '../../assembly/backtest/index.js';
import {
  InvariantError,
  nominalIntervalMs,
  type CandleColumns,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';

/** A series in memory, with its description from the archive. */
export interface SnapshotSeries {
  readonly info: SeriesInfo;
  readonly columns: CandleColumns;
}

/**
 * Data that the runs of one configuration read from an archive, in memory. It is plain data whose columns are SharedArrayBuffers, so threads share it without
 * a copy.
 */
export interface MarketSnapshot {
  readonly directory: string;
  readonly series: readonly SnapshotSeries[];
  readonly marks: readonly SnapshotSeries[];
  readonly funding: ReadonlyMap<InstrumentId, FundingColumns>;
  readonly rules: ReadonlyMap<InstrumentId, readonly DatedRules[]>;
  readonly tiers: ReadonlyMap<InstrumentId, readonly DatedTiers[]>;
}

/**
 * Reads all data that the configuration replays, up to its end.
 *
 * @throws {DataError} as the archive.
 */
export async function takeSnapshot(
  config: BacktestConfig,
  archive: Archive,
): Promise<MarketSnapshot> {
  const { to } = config.simulation;
  const snapshot = {
    directory: archive.directory,
    series: [] as SnapshotSeries[],
    marks: [] as SnapshotSeries[],
    funding: new Map<InstrumentId, FundingColumns>(),
    rules: new Map<InstrumentId, readonly DatedRules[]>(),
    tiers: new Map<InstrumentId, readonly DatedTiers[]>(),
  };
  for (const { instrumentId, kind, intervals } of config.instruments) {
    snapshot.rules.set(instrumentId, await archive.rules(instrumentId));
    for (const interval of await readIntervals(config, archive, { instrumentId, intervals })) {
      const info = await archive.info(instrumentId, interval);
      const columns = shareCandles(await archive.read(instrumentId, interval, { to }));
      snapshot.series.push({ info, columns });
    }
    if (kind !== 'futures') continue;
    snapshot.tiers.set(instrumentId, await archive.tiers(instrumentId));
    const funding = await readFundingUntil(archive, instrumentId, to);
    if (funding !== undefined)
      snapshot.funding.set(instrumentId, { time: share(funding.time), rate: share(funding.rate) });
    for (const interval of await archive.markIntervals(instrumentId)) {
      const marks = await readMarks(archive, { instrumentId, interval, to });
      if (marks !== undefined) snapshot.marks.push(marks);
    }
  }
  return snapshot;
}

/** The configured intervals. With the path `finer`, also the finest stored interval below them. */
async function readIntervals(
  { simulation }: BacktestConfig,
  archive: Archive,
  {
    instrumentId,
    intervals,
  }: Pick<BacktestConfig['instruments'][number], 'instrumentId' | 'intervals'>,
): Promise<readonly Interval[]> {
  if (simulation.path !== 'finer') return intervals;
  const finestMs = Math.min(...intervals.map(nominalIntervalMs));
  const [finer] = (await archive.list())
    .filter(({ key }) => key.instrumentId === instrumentId)
    .map(({ key }) => key.interval)
    .filter((interval) => nominalIntervalMs(interval) < finestMs)
    .sort((a, b) => nominalIntervalMs(a) - nominalIntervalMs(b));
  return finer === undefined ? intervals : [...intervals, finer];
}

async function readMarks(
  archive: Archive,
  { instrumentId, interval, to }: ReadMarks,
): Promise<SnapshotSeries | undefined> {
  const range = { to: endOfMarks(to) };
  const opened = await archive.openMarks(instrumentId, interval, range);
  if (opened === undefined) return undefined;
  const { info } = opened;
  await opened.close();
  const columns = await archive.marks(instrumentId, interval, range);
  return columns && { info, columns: shareCandles(columns) };
}

interface ReadMarks {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly to: EpochMs | undefined;
}

function shareCandles(columns: CandleColumns): CandleColumns {
  return {
    openTime: share(columns.openTime),
    open: share(columns.open),
    high: share(columns.high),
    low: share(columns.low),
    close: share(columns.close),
    volume: share(columns.volume),
  };
}

function share(column: Float64Array): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer(column.byteLength));
  shared.set(column);
  return shared;
}

/**
 * Opens a snapshot as an archive, for the configuration of the snapshot and for parts of its range: an opened series ends at the requested time. The columns
 * belong to the snapshot and must not be written to.
 */
export function openSnapshot(snapshot: MarketSnapshot): Archive {
  const { series, marks } = snapshot;
  const find = (instrumentId: InstrumentId, interval: Interval): Promise<SnapshotSeries> => {
    const found = series.find(
      ({ info }) => info.instrumentId === instrumentId && info.interval === interval,
    );
    return found === undefined ? outside(`${instrumentId} ${interval}`) : Promise.resolve(found);
  };
  const markOf = (instrumentId: InstrumentId, interval: Interval): SnapshotSeries | undefined =>
    marks.find(({ info }) => info.instrumentId === instrumentId && info.interval === interval);
  const refuse = (): Promise<never> => outside('a place to write to');
  return {
    directory: snapshot.directory,
    list: () =>
      Promise.resolve(series.map(({ info }) => ({ status: 'usable' as const, key: info, info }))),
    info: async (instrumentId, interval) => (await find(instrumentId, interval)).info,
    read: async (instrumentId, interval) => (await find(instrumentId, interval)).columns,
    open: async (instrumentId, interval, how = {}) => {
      const { info, columns } = await find(instrumentId, interval);
      const rows = columnsUntil(columns, how.to);
      requireRows(info, rows.openTime.length, { to: how.to });
      return openColumns(info, rows);
    },
    merge: refuse,
    holdings: () => outside('a list of holdings'),
    markIntervals: (instrumentId) =>
      Promise.resolve(
        marks
          .filter(({ info }) => info.instrumentId === instrumentId)
          .map(({ info }) => info.interval),
      ),
    marks: (instrumentId, interval) => Promise.resolve(markOf(instrumentId, interval)?.columns),
    openMarks: (instrumentId, interval, how = {}) => {
      const held = markOf(instrumentId, interval);
      const rows = held && columnsUntil(held.columns, how.to);
      return Promise.resolve(
        held && rows && rows.openTime.length > 0 ? openColumns(held.info, rows) : undefined,
      );
    },
    mergeMarks: refuse,
    funding: (instrumentId) => Promise.resolve(snapshot.funding.get(instrumentId)),
    mergeFunding: refuse,
    rules: (instrumentId) => Promise.resolve(snapshot.rules.get(instrumentId) ?? []),
    mergeRules: refuse,
    tiers: (instrumentId) => Promise.resolve(snapshot.tiers.get(instrumentId) ?? []),
    mergeTiers: refuse,
  };
}

/** Rows that open before a time, on the same memory. If all rows do, the same columns. */
function columnsUntil(columns: CandleColumns, to: EpochMs = Infinity): CandleColumns {
  const rows = lowerBound(columns.openTime, to);
  return rows === columns.openTime.length ? columns : sliceColumns(columns, 0, rows);
}

function outside(what: string): Promise<never> {
  return Promise.reject(
    new InvariantError('E_MISSING', `${what} is not in the snapshot of the archive`),
  );
}
