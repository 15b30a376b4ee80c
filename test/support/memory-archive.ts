import { hashColumns, type Archive, type SeriesInfo } from '../../src/archive/index.js';
import {
  closeTimeOf,
  type CandleColumns,
  type CandleSeries,
  type InstrumentId,
  type Interval,
} from '../../src/domain/index.js';

/** An archive that holds its series in memory and gives them out as they are. */
export function createMemoryArchive(series: readonly CandleSeries[]): Archive {
  const find = (instrumentId: InstrumentId, interval: Interval): CandleSeries => {
    const found = series.find(
      (candidate) => candidate.instrumentId === instrumentId && candidate.interval === interval,
    );
    if (found === undefined) throw new Error(`no ${instrumentId} ${interval} in memory`);
    return found;
  };
  const infos = new Map(series.map((each) => [each, describe(each)]));
  return {
    directory: 'memory',
    list: () => Promise.resolve([]),
    info: (instrumentId, interval) =>
      Promise.resolve(infos.get(find(instrumentId, interval)) as SeriesInfo),
    read: (instrumentId, interval) => Promise.resolve(find(instrumentId, interval).columns),
    merge: () => Promise.reject(new Error('this archive is read only')),
  };
}

function describe({ instrumentId, interval, columns }: CandleSeries): SeriesInfo {
  return {
    kind: 'candles',
    instrumentId,
    interval,
    volumeUnit: 'base',
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

/** The first rows of a series, on memory of their own. */
export function firstRows(columns: CandleColumns, rows: number): CandleColumns {
  return {
    openTime: columns.openTime.slice(0, rows),
    open: columns.open.slice(0, rows),
    high: columns.high.slice(0, rows),
    low: columns.low.slice(0, rows),
    close: columns.close.slice(0, rows),
    volume: columns.volume.slice(0, rows),
  };
}
