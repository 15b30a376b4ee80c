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
import { copyColumns } from './columns.js';
import { describeSpan } from './gaps.js';
import { hashColumns } from './hash-columns.js';
import { openArchive } from './open-archive.js';
import { openColumns } from './open-series.js';
import { rowsWithin, type HeldSeries } from './held-series.js';
import { describeSeries, type SeriesInfo } from './series.js';

/**
 * Opens an archive for a run: candles of an interval that is not stored are made, while they are read, of the longest finer ones that are,
 * with the values that `data resample` would store; their {@link SeriesInfo.madeFrom} says so. What is stored is read as it is, and
 * lists name only that. A made series is in memory whole.
 *
 * @throws {DataError} from its methods as `openArchive`; `E_DATA_MISSING` when no finer candles are stored either.
 */
export function openRunArchive(directory: string): Archive {
  return withMadeSeries(openArchive(directory));
}

/** An archive with what {@link openRunArchive} adds to a stored one. */
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

/** What a result says of the series that were made for it, one line each. */
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
  /** What it was made of. */
  readonly finer: Pick<SeriesInfo, 'from' | 'to'>;
}

/** The part of a range in which candles are made of finer ones from their begin to their end: the first and the last may be of fewer. */
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
  /** By the values that they were made of. */
  readonly #made = new Map<string, Promise<MadeSeries>>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** What is stored, or what `use` says of the series made in its place. */
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

  /** The fewest candles to read; any chain of intervals gives the same ones. */
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
    // A failure is not kept: the archive may be mended.
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

/** What the metadata would be if it were stored; the file is that of the finer candles. */
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
