import {
  canResample,
  closeTimeOf,
  DataError,
  nominalIntervalMs,
  resampleCandles,
  type CandleColumns,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';
import type { Archive, ReadRange } from './archive.js';
import { describeSpan } from './check/gaps.js';
import { copyColumns } from './columns/columns.js';
import { hashColumns } from './columns/hash-columns.js';
import { openArchive } from './open-archive.js';
import { rowsWithin, type HeldSeries } from './stored/held-series.js';
import { openColumns } from './stored/open-series.js';
import { describeSeries, type SeriesInfo } from './stored/series.js';

/**
 * Opens an archive for a run. If an interval is not stored, its candles are made on reading from the longest finer interval that is stored,
 * with the values that `data resample` would store; {@link SeriesInfo.madeFrom} names the finer interval. Stored series are read as they
 * are, and lists name only stored series. A made series is in memory whole.
 *
 * @throws {DataError} from its methods as `openArchive`; `E_DATA_MISSING` when no finer candles are stored either.
 */
export function openRunArchive(directory: string): Archive {
  return withMadeSeries(openArchive(directory));
}

/** Adds made series to an archive, see {@link openRunArchive}. */
export function withMadeSeries(stored: Archive): Archive {
  const maker = new SeriesMaker(stored);
  return {
    ...stored,
    info: (instrumentId, interval) =>
      maker.orMade(
        () => stored.info(instrumentId, interval),
        { instrumentId, interval },
        ({ info }) => info,
      ),
    read: (instrumentId, interval, range = {}) =>
      maker.orMade(
        () => stored.read(instrumentId, interval, range),
        { instrumentId, interval, verify: range.verify },
        (made) =>
          copyColumns(rowsWithin(made, range.isWhole === true ? wholeRange(made, range) : range)),
      ),
    open: (instrumentId, interval, how = {}) =>
      maker.orMade(
        () => stored.open(instrumentId, interval, how),
        { instrumentId, interval },
        (made) => openColumns(made.info, rowsWithin(made, { to: how.to })),
      ),
  };
}

/** Notices for a result about its made series, one line each. */
export function noticeMade(series: readonly SeriesInfo[]): readonly string[] {
  return series.flatMap((info) =>
    info.madeFrom === undefined
      ? []
      : [`${describeSeries(info)}: not stored; made of the stored candles of ${info.madeFrom}`],
  );
}

interface WantedSeries {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  /** Whether the files of the finer series are compared with their checksums first. */
  readonly verify?: boolean | undefined;
}

interface MadeSeries extends HeldSeries {
  /** Range of the finer candles from which it was made. */
  readonly finer: Pick<SeriesInfo, 'from' | 'to'>;
}

/** Cuts a range to the candles that the finer ones cover from start to end. The first and the last made candle may be covered only in part. */
function wholeRange(
  { columns: { openTime }, info: { interval }, finer }: MadeSeries,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: ReadRange,
): ReadRange {
  const [first = from] = openTime;
  const last = openTime.at(-1) ?? to;
  return {
    from: Math.max(from, finer.from > first ? closeTimeOf(first, interval) : first),
    to: Math.min(to, finer.to < closeTimeOf(last, interval) ? last : Number.POSITIVE_INFINITY),
  };
}

class SeriesMaker {
  readonly #archive: Archive;
  /** Made series by instrument, both intervals and the hash of the finer candles. */
  readonly #made = new Map<string, Promise<MadeSeries>>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** Returns the result of `read`; if the series is not stored, the result of `use` for the made series. */
  async orMade<T>(
    read: () => Promise<T>,
    wanted: WantedSeries,
    use: (made: MadeSeries) => T,
  ): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DataError) || error.code !== 'E_DATA_MISSING') throw error;
      const finer = await this.#longestFiner(wanted);
      if (finer === undefined) throw error;
      return use(await this.#make(wanted, finer));
    }
  }

  /** The longest finer interval has the fewest candles to read. Every finer interval gives the same candles. */
  async #longestFiner({ instrumentId, interval }: WantedSeries): Promise<Interval | undefined> {
    const entries = await this.#archive.list();
    return entries
      .filter(({ key }) => key.instrumentId === instrumentId)
      .map(({ key }) => key.interval)
      .filter((finer) => finer !== interval && canResample(finer, interval))
      .sort((a, b) => nominalIntervalMs(b) - nominalIntervalMs(a))[0];
  }

  async #make(wanted: WantedSeries, finer: Interval): Promise<MadeSeries> {
    const { instrumentId, interval, verify } = wanted;
    const info = await this.#archive.info(instrumentId, finer);
    const key = [instrumentId, interval, finer, info.columnsSha256].join(' ');
    const known = verify === true ? undefined : this.#made.get(key);
    const made = known ?? this.#resample(wanted, info);
    this.#made.set(key, made);
    // A failure is not cached: the archive may be repaired later.
    return made.catch((error: unknown) => {
      this.#made.delete(key);
      throw error;
    });
  }

  async #resample(
    { instrumentId, interval, verify }: WantedSeries,
    finer: SeriesInfo,
  ): Promise<MadeSeries> {
    const stored = await this.#archive.read(instrumentId, finer.interval, { verify });
    const { columns } = resampleCandles(stored, finer.interval, interval);
    return { info: describeMade(columns, interval, finer), columns, finer };
  }
}

/** The metadata as if the series were stored; `file` is that of the finer candles. */
function describeMade(columns: CandleColumns, interval: Interval, finer: SeriesInfo): SeriesInfo {
  return {
    ...finer,
    interval,
    madeFrom: finer.interval,
    sources: [`resampled ${finer.interval}`],
    rows: columns.openTime.length,
    ...describeSpan(columns.openTime, interval),
    columnsSha256: hashColumns(columns),
  };
}
