import type { Archive, SeriesInfo } from '../../archive/index.js';
import {
  CandleRows,
  closeTimeOf,
  DataError,
  DAY_MS,
  formatUtc,
  nominalIntervalMs,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
  type FundingColumns,
  type FuturesInstrument,
  type InstrumentId,
  type SpotInstrument,
} from '../../domain/index.js';
import type { StoredSeries, MarketSource } from '../../simulator/index.js';
import { onOwnTick } from './own-tick.js';
import { inOwnUnit } from './own-unit.js';

/** An instrument to list, and the instrument whose candles it uses. */
export interface ExchangeListing {
  readonly instrument: SpotInstrument | FuturesInstrument;
  /** Rules it is listed with, by the dates of the data. The earliest also apply before their date. */
  readonly rules: readonly DatedRules[];
  /** The instrument whose candles drive it: itself, or the pair of a contract. */
  readonly candlesOf: InstrumentId;
}

interface LoadedListing extends ExchangeListing {
  readonly series: StoredSeries;
  readonly marks: StoredSeries | undefined;
  readonly funding: FundingColumns | undefined;
  readonly tiers: readonly DatedTiers[];
}

/** An instrument with all the data that drives it. */
export interface ListedSource extends MarketSource {
  readonly instrument: SpotInstrument | FuturesInstrument;
  /** Rules it is listed with, dated. */
  readonly rules: readonly DatedRules[];
  /** Leverage tiers of a contract, oldest first; empty if no tiers are stored. */
  readonly tiers: readonly DatedTiers[];
}

/** Length of the history before trading begins, if the data is long enough. */
const HISTORY_MS = 7 * DAY_MS;

/** The stored candles of the listed instruments, at the times they are stored with. */
export class StoredMarket {
  readonly #listings: readonly LoadedListing[];

  private constructor(listings: readonly LoadedListing[]) {
    this.#listings = listings;
  }

  /**
   * Reads the finest candles of every instrument, and the marks and funding of contracts if they are stored.
   *
   * @throws {DataError} as the archive; `E_DATA_MISSING` for an instrument without candles; `E_DATA_RANGE` when there is no instant at which all
   * instruments have candles.
   */
  static async load(archive: Archive, listings: readonly ExchangeListing[]): Promise<StoredMarket> {
    const stored = await archive.list();
    const infos = stored.flatMap((entry) => (entry.status === 'usable' ? [entry.info] : []));
    const loaded: LoadedListing[] = [];
    for (const listing of listings) loaded.push(await loadListing(archive, infos, listing));
    const market = new StoredMarket(loaded);
    if (market.from >= market.to) {
      const ranges = loaded.map(
        ({ instrument, series: { rows, interval } }) =>
          `${instrument.id} from ${formatUtc(rows.openTime(0))} to ${formatUtc(endOfCandles([{ rows, interval }]))}`,
      );
      throw new DataError(
        'E_DATA_RANGE',
        `expected candles of all instruments with a time in common, received ${ranges.join(', ')}`,
      );
    }
    return market;
  }

  /** From here on every instrument has candles. */
  get from(): EpochMs {
    return Math.max(...this.#listings.map(({ series }) => series.rows.openTime(0)));
  }

  /** Up to here every instrument has candles. */
  get to(): EpochMs {
    return endOfCandles(this.#listings.map(({ series }) => series));
  }

  /** Default start of trading: a week into the data, or a quarter of the data if that is less. Moved back to midnight if that lies within the data. */
  get start(): EpochMs {
    const history = Math.min(HISTORY_MS, (this.to - this.from) / 4);
    const start = this.from + history;
    const midnight = Math.floor(start / DAY_MS) * DAY_MS;
    return midnight > this.from ? midnight : Math.floor(start);
  }

  /**
   * The instruments with the times of their market moved by whole days. Dates of rules and tiers are not moved: a bot reads those in force now from its
   * archive, and refuses a venue with others.
   */
  sources(shiftMs: number): readonly ListedSource[] {
    return this.#listings.map(({ instrument, rules, tiers, series, marks, funding }) => ({
      instrument,
      rules,
      tiers,
      ...shifted(series, shiftMs),
      volumeUnit: instrument.kind === 'futures' ? 'contracts' : 'base',
      pricePrecision: finestPrice(rules),
      mark: marks && shifted(marks, shiftMs),
      funding: funding && {
        stored: { ...funding, time: funding.time.map((time) => time + shiftMs) },
      },
    }));
  }
}

/** The largest number of price decimals in any of the rules. */
function finestPrice(dated: readonly DatedRules[]): number {
  return Math.max(...dated.map(({ rules }) => rules.pricePrecision));
}

/** End of the series that ends first. */
export function endOfCandles(sources: readonly Pick<StoredSeries, 'rows' | 'interval'>[]): EpochMs {
  return Math.min(
    ...sources.map(({ rows, interval }) =>
      rows.length === 0
        ? Number.NEGATIVE_INFINITY
        : closeTimeOf(rows.openTime(rows.length - 1), interval),
    ),
  );
}

/** Whole days in ms by which stored times are moved, so that `start` falls within the last day before now. */
export function shiftToNow(start: EpochMs, now: EpochMs): number {
  return Math.floor((now - start) / DAY_MS) * DAY_MS;
}

function shifted({ interval, rows }: StoredSeries, shiftMs: number): StoredSeries {
  if (shiftMs === 0) return { interval, rows };
  const columns = rows.whole();
  const openTime = columns.openTime.map((time) => time + shiftMs);
  return { interval, rows: CandleRows.of({ ...columns, openTime }) };
}

async function loadListing(
  archive: Archive,
  infos: readonly SeriesInfo[],
  listing: ExchangeListing,
): Promise<LoadedListing> {
  const { instrument, candlesOf } = listing;
  const finest = finestOf(infos, candlesOf);
  if (finest === undefined) {
    throw new DataError(
      'E_DATA_MISSING',
      `no candles of ${candlesOf} are stored in ${archive.directory}`,
    );
  }
  const { interval, volumeUnit } = finest;
  const columns = await archive.read(candlesOf, interval);
  const own = inOwnUnit(columns, volumeUnit, instrument);
  // Candles of a pair are on the pair's tick, which may be finer.
  const onTick = candlesOf === instrument.id ? own : onOwnTick(own, listing.rules);
  const series = { interval, rows: CandleRows.of(onTick) };
  if (instrument.kind !== 'futures') {
    return { ...listing, series, marks: undefined, funding: undefined, tiers: [] };
  }
  return {
    ...listing,
    series,
    // Stored marks belong to the contract's own candles. A contract that uses the candles of its pair has their path as its mark: other marks would
    // come from another market.
    marks: candlesOf === instrument.id ? await loadMarks(archive, candlesOf) : series,
    funding: await archive.funding(instrument.id),
    tiers: await archive.tiers(instrument.id),
  };
}

async function loadMarks(
  archive: Archive,
  instrumentId: InstrumentId,
): Promise<StoredSeries | undefined> {
  const [interval] = await archive.markIntervals(instrumentId);
  if (interval === undefined) return undefined;
  const columns = await archive.marks(instrumentId, interval);
  return columns === undefined || columns.openTime.length === 0
    ? undefined
    : { interval, rows: CandleRows.of(columns) };
}

function finestOf(
  infos: readonly SeriesInfo[],
  instrumentId: InstrumentId,
): SeriesInfo | undefined {
  return infos
    .filter((info) => info.instrumentId === instrumentId && info.kind === 'candles')
    .toSorted((a, b) => nominalIntervalMs(a.interval) - nominalIntervalMs(b.interval))[0];
}
