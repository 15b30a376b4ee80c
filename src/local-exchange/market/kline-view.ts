import {
  canResample,
  closeTimeOf,
  resampleCandles,
  sumVolumes,
  type Candle,
  type CandleColumns,
  type EpochMs,
  type InstrumentId,
  type ResolvedRules,
  type VenueInterval,
} from '../../domain/index.js';
import type { CandleQuery } from '../exchange-market.js';
import type { CandleSoFar, MarketSeries } from './market-series.js';

/**
 * Candles of every interval, made of the driving ones. Those of an interval are made once, when they are first asked for; which of them
 * have closed is a matter of the instant, and the open one is made of what has happened of it.
 */
export class KlineView {
  readonly #instrumentId: InstrumentId;
  readonly #series: MarketSeries;
  readonly #made = new Map<VenueInterval, CandleColumns>();

  constructor(instrumentId: InstrumentId, series: MarketSeries) {
    this.#instrumentId = instrumentId;
    this.#series = series;
  }

  /** In rising time; none where the interval is shorter than what is stored. */
  at(
    interval: VenueInterval,
    time: EpochMs,
    rules: ResolvedRules,
    {
      limit,
      startTime = Number.NEGATIVE_INFINITY,
      endTime = Number.POSITIVE_INFINITY,
    }: CandleQuery,
  ): readonly Candle[] {
    if (!canResample(this.#series.source.interval, interval)) return [];
    const columns = this.#columnsOf(interval);
    const until = Math.min(time, endTime);
    const rows: Candle[] = [];
    for (let row = lastRowBy(columns.openTime, until); row >= 0 && rows.length < limit; row -= 1) {
      const openTime = columns.openTime[row] ?? Number.NaN;
      if (openTime < startTime) break;
      const isClosed = closeTimeOf(openTime, interval) <= time;
      const shape = isClosed ? rowOf(columns, row) : this.#soFar(openTime, time, rules);
      rows.push(this.#candle(interval, shape));
    }
    return rows.reverse();
  }

  #columnsOf(interval: VenueInterval): CandleColumns {
    const { interval: from, columns } = this.#series.source;
    if (interval === from) return columns;
    const known = this.#made.get(interval);
    if (known !== undefined) return known;
    const made = resampleCandles(columns, from, interval).columns;
    this.#made.set(interval, made);
    return made;
  }

  /** The candle that opened at `openTime`, of what has happened by `time`. */
  #soFar(openTime: EpochMs, time: EpochMs, rules: ResolvedRules): CandleSoFar {
    const series = this.#series;
    const last = series.rowAt(time);
    const current = series.soFar(last, time, rules);
    let first = last;
    while (first > 0 && series.openTimeOf(first - 1) >= openTime) first -= 1;
    const { columns } = series.source;
    let { high, low } = current;
    for (let row = first; row < last; row += 1) {
      high = Math.max(high, columns.high[row] ?? high);
      low = Math.min(low, columns.low[row] ?? low);
    }
    // As the candle's own volume will be made, once it has closed.
    const parts = Float64Array.of(...columns.volume.subarray(first, last), current.volume);
    const volume = sumVolumes(parts, 0, parts.length);
    const open = columns.open[first] ?? current.open;
    return { openTime, open, high, low, close: current.close, volume };
  }

  #candle(interval: VenueInterval, shape: CandleSoFar): Candle {
    const { openTime } = shape;
    return {
      instrumentId: this.#instrumentId,
      interval,
      closeTime: closeTimeOf(openTime, interval),
      ...shape,
    };
  }
}

function lastRowBy(times: Float64Array, until: EpochMs): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Infinity) <= until) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function rowOf(columns: CandleColumns, row: number): CandleSoFar {
  return {
    openTime: columns.openTime[row] ?? 0,
    open: columns.open[row] ?? 0,
    high: columns.high[row] ?? 0,
    low: columns.low[row] ?? 0,
    close: columns.close[row] ?? 0,
    volume: columns.volume[row] ?? 0,
  };
}
