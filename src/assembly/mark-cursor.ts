import {
  HOUR_MS,
  nominalIntervalMs,
  type EpochMs,
  type Instrument,
  type InstrumentId,
} from '../domain/index.js';
import type { PriceSample } from '../runtime/index.js';
import type { MarketTerms, SideSeries } from './load-terms.js';

/** Coarsest mark candles that tell a mark price: coarser ones only settle funding (DESIGN R12). */
const COARSEST_MARK_MS = HOUR_MS;

interface Place {
  readonly instrumentId: InstrumentId;
  readonly series: SideSeries;
  readonly intervalMs: number;
  /** First candle whose close is not known yet. */
  row: number;
}

/**
 * Hands out mark prices as they become known: a mark is the close of a mark candle that has ended. What lies inside a mark candle is
 * never told, because it would show what the candle still hides.
 */
export class MarkCursor {
  readonly #places: readonly Place[];

  constructor(instruments: readonly Instrument[], terms: MarketTerms) {
    this.#places = instruments.flatMap(({ id: instrumentId }) => {
      const series = terms.stored.get(instrumentId)?.marks;
      if (series === undefined) return [];
      const intervalMs = nominalIntervalMs(series.interval);
      return intervalMs > COARSEST_MARK_MS ? [] : [{ instrumentId, series, intervalMs, row: 0 }];
    });
  }

  /** Marks that were not known before and are at `time`, in the order of the config; undefined when there are none. */
  take(time: EpochMs): readonly PriceSample[] | undefined {
    let samples: PriceSample[] | undefined;
    for (const place of this.#places) {
      const { series, intervalMs, instrumentId } = place;
      const { openTime, close } = series.columns;
      const before = place.row;
      while ((openTime[place.row] ?? Number.POSITIVE_INFINITY) + intervalMs <= time) place.row += 1;
      const price = close[place.row - 1];
      if (place.row === before || price === undefined) continue;
      const sample = { instrumentId, price };
      // A list that grows would cost more than its sample, and most runs have one contract.
      if (samples === undefined) samples = [sample];
      else samples.push(sample);
    }
    return samples;
  }
}
