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

/** Coarsest mark candles that tell a mark price: coarser ones only settle funding (DESIGN R12). */
const COARSEST_MARK_MS = HOUR_MS;

interface Place {
  readonly instrumentId: InstrumentId;
  readonly rows: CandleRows;
  readonly intervalMs: number;
  /** First candle whose close is not known yet. */
  row: number;
  /** When it will be. */
  nextTime: EpochMs;
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
      const nextTime = series.rows.openTime(0) + intervalMs;
      return intervalMs > COARSEST_MARK_MS
        ? []
        : [{ instrumentId, rows: series.rows, intervalMs, row: 0, nextTime }];
    });
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#places.length === 0;
  }

  /** Marks that were not known before and are at `time`, in the order of the config; undefined when there are none. */
  take(time: EpochMs): readonly PriceSample[] | undefined {
    let samples: PriceSample[] | undefined;
    for (const place of this.#places) {
      if (place.nextTime > time) continue;
      const sample = { instrumentId: place.instrumentId, price: goOn(place, time) };
      // A list that grows would cost more than its sample, and most runs have one contract.
      if (samples === undefined) samples = [sample];
      else samples.push(sample);
    }
    return samples;
  }

  /** Does what {@link take} does, and tells each mark by itself. */
  tell(time: EpochMs, learn: (instrumentId: InstrumentId, price: number) => void): void {
    for (const place of this.#places)
      if (place.nextTime <= time) learn(place.instrumentId, goOn(place, time));
  }

  /**
   * Reads the marks of the only contract as they will be known at `count` times from `first` on, `before` as long as none is new. Nothing is
   * taken: {@link tell} goes on to the times that have come.
   */
  readAhead(
    marks: Float64Array,
    times: { readonly first: EpochMs; readonly stepMs: number; readonly count: number },
    before: number,
  ): void {
    const { rows, intervalMs, row: begin } = present(this.#places[0], 'marks of a contract');
    const end = rows.length;
    let row = begin;
    let block = rows.blockAt(row);
    let mark = before;
    for (let index = 0; index < times.count; index += 1) {
      const lastOpen = times.first + index * times.stepMs - intervalMs;
      for (; row < end; row += 1) {
        if (row >= block.end) block = rows.blockAt(row);
        const at = row - block.first;
        if ((block.columns.openTime[at] as number) > lastOpen) break;
        mark = block.columns.close[at] as number;
      }
      marks[index] = mark;
    }
  }
}

/** Moves on to the last mark candle that has ended by `time`, which at least one more has. Returns its close. */
function goOn(place: Place, time: EpochMs): number {
  const { rows, intervalMs } = place;
  // Mostly one has ended.
  place.row += 1;
  if (rows.openTime(place.row) + intervalMs <= time)
    place.row = rows.rowAtFrom(place.row, time - intervalMs, intervalMs) + 1;
  place.nextTime = rows.openTime(place.row) + intervalMs;
  return present(rows.close(place.row - 1), 'a mark candle');
}
