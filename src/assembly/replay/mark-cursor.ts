import {
  HOUR_MS,
  nominalIntervalMs,
  present,
  type CandleRows,
  type EpochMs,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { PriceSample } from '../../engine/index.js';
import type { MarketTerms } from '../market/load-terms.js';

/** Longest mark candles that serve as mark prices: longer ones only settle funding (DESIGN R12). */
const COARSEST_MARK_MS = HOUR_MS;

/** A view of marks in their column, from index `firstMark` on. */
export interface MarkView {
  marks: Float64Array | undefined;
  firstMark: number;
}

/** The marks of one contract, as they become known: a mark is the close of a mark candle that has ended. */
export class MarkSeries {
  readonly instrumentId: InstrumentId;
  readonly #rows: CandleRows;
  readonly #intervalMs: number;
  /** First mark candle whose close is not known yet. */
  #row = 0;
  #nextTime: EpochMs;

  constructor(instrumentId: InstrumentId, rows: CandleRows, intervalMs: number) {
    this.instrumentId = instrumentId;
    this.#rows = rows;
    this.#intervalMs = intervalMs;
    this.#nextTime = rows.openTime(0) + intervalMs;
  }

  /** Time at which the next mark is known; Infinity at the end. */
  get nextTime(): EpochMs {
    return this.#nextTime;
  }

  /** Moves on to the last mark candle that has ended by `time`; at least one new one must have. Returns its close. */
  goOn(time: EpochMs): number {
    const rows = this.#rows;
    const intervalMs = this.#intervalMs;
    // Mostly only one has ended.
    this.#row += 1;
    if (rows.openTime(this.#row) + intervalMs <= time)
      this.#row = rows.rowAtFrom(this.#row, time - intervalMs, intervalMs) + 1;
    this.#nextTime = rows.openTime(this.#row) + intervalMs;
    return present(rows.close(this.#row - 1), 'a mark candle');
  }

  /**
   * Shows the marks that become known at the times `first`, `first + stepMs` and so on, directly in their storage: read them at once. Returns how many
   * follow one another without a gap: 0 if the next one does not become known at `first`, or if their step is another.
   */
  showFrom(first: EpochMs, stepMs: number, view: MarkView): number {
    view.marks = undefined;
    if (this.#nextTime !== first || this.#intervalMs !== stepMs) return 0;
    const row = this.#row;
    const block = this.#rows.blockAt(row);
    view.marks = block.columns.close;
    view.firstMark = row - block.first;
    return Math.min(block.end, this.#rows.regularEnd(row, stepMs)) - row;
  }
}

/** Delivers mark prices as they become known. The inside of a mark candle is never delivered: it would show what the candle still hides. */
export class MarkCursor {
  /** In the order of the configuration. */
  readonly series: readonly MarkSeries[];

  constructor(instruments: readonly Instrument[], terms: MarketTerms) {
    this.series = instruments.flatMap(({ id }) => {
      const stored = terms.stored.get(id)?.marks;
      if (stored === undefined) return [];
      const intervalMs = nominalIntervalMs(stored.interval);
      return intervalMs > COARSEST_MARK_MS ? [] : [new MarkSeries(id, stored.rows, intervalMs)];
    });
  }

  /** Takes the marks that have become known by `time`; undefined if there are none. */
  take(time: EpochMs): readonly PriceSample[] | undefined {
    let samples: PriceSample[] | undefined;
    for (const series of this.series) {
      if (series.nextTime > time) continue;
      const sample = { instrumentId: series.instrumentId, price: series.goOn(time) };
      // A growing list would cost more than its sample, and most runs have one contract.
      if (samples === undefined) samples = [sample];
      else samples.push(sample);
    }
    return samples;
  }
}
