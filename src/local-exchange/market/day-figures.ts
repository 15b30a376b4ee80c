import {
  DAY_MS,
  fixedFromNumber,
  type EpochMs,
  type Fixed,
  type ResolvedRules,
} from '../../domain/index.js';
import type { MarketSeries } from './market-series.js';

/** Figures of the 24 hours up to an instant. */
export interface DayFigures {
  readonly open: Fixed;
  readonly high: Fixed;
  readonly low: Fixed;
  readonly volume: Fixed;
}

interface ClosedPart {
  readonly first: number;
  readonly row: number;
  readonly high: number;
  readonly low: number;
  readonly volume: Fixed;
}

/**
 * Sums up the candles of the last 24 hours: those that have closed since then, and the open one so far. Of the closed ones the sum is
 * kept until the next candle opens.
 */
export class DayWindow {
  readonly #series: MarketSeries;
  #closed: ClosedPart | undefined;

  constructor(series: MarketSeries) {
    this.#series = series;
  }

  /** Figures at an instant at or after the first candle's open. */
  at(time: EpochMs, rules: ResolvedRules): DayFigures {
    const series = this.#series;
    const row = series.rowAt(time);
    const closed = this.#closedPart(row, time);
    const current = series.soFar(row, time, rules);
    const { pricePrecision } = rules;
    const open = series.source.columns.open[closed.first] ?? current.open;
    return {
      open: fixedFromNumber(open, pricePrecision),
      high: fixedFromNumber(Math.max(closed.high, current.high), pricePrecision),
      low: fixedFromNumber(Math.min(closed.low, current.low), pricePrecision),
      volume: closed.volume + fixedFromNumber(current.volume),
    };
  }

  /** Candles before `row` that closed within the 24 hours before `row` opened. */
  #closedPart(row: number, time: EpochMs): ClosedPart {
    const series = this.#series;
    const first = Math.min(row, series.rowAt(time - DAY_MS) + 1);
    if (this.#closed?.row === row && this.#closed.first === first) return this.#closed;
    const { high, low } = series.source.columns;
    let [highest, lowest, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0n];
    for (let index = first; index < row; index += 1) {
      highest = Math.max(highest, high[index] ?? highest);
      lowest = Math.min(lowest, low[index] ?? lowest);
      volume += series.volumeOf(index);
    }
    this.#closed = { first, row, high: highest, low: lowest, volume };
    return this.#closed;
  }
}
