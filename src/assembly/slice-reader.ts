import type { Candle, EpochMs } from '../domain/index.js';
import type { GapRecorder } from './gap-recorder.js';
import type { SeriesCursor } from './series-cursor.js';

export interface SliceReaderOptions {
  /** In the order in which candles of one instant are delivered. */
  readonly cursors: readonly SeriesCursor[];
  readonly gaps: GapRecorder;
  /** Whether a strategy that writes to a candle fails; freezing costs a third of the speed. */
  readonly freezeCandles: boolean;
}

/** Reads the stored candles of a run slice by slice: all that close at one instant. */
export class SliceReader {
  readonly #cursors: readonly SeriesCursor[];
  /** The only series, where there is one: most runs have no other. */
  readonly #only: SeriesCursor | undefined;
  readonly #gaps: GapRecorder;
  readonly #freezes: boolean;

  constructor({ cursors, gaps, freezeCandles }: SliceReaderOptions) {
    this.#cursors = cursors;
    this.#only = cursors.length === 1 ? cursors[0] : undefined;
    this.#gaps = gaps;
    this.#freezes = freezeCandles;
  }

  /** When the next candles close; Infinity at the end. */
  nextCloseTime(): EpochMs {
    if (this.#only !== undefined) return this.#only.nextCloseTime();
    let next = Number.POSITIVE_INFINITY;
    for (const cursor of this.#cursors) {
      const time = cursor.nextCloseTime();
      if (time < next) next = time;
    }
    return next;
  }

  /** When the finest of the candles that close at `closeTime` opened. */
  openTimeOf(closeTime: EpochMs): EpochMs {
    const closing = this.#cursors.filter((cursor) => cursor.nextCloseTime() === closeTime);
    return Math.max(...closing.map((cursor) => cursor.nextOpenTime()));
  }

  /** Takes the candles that close at `closeTime`, the next that any does. */
  take(closeTime: EpochMs): readonly Candle[] {
    // A list that grows would cost more than its candle.
    if (this.#only !== undefined) return [this.#take(this.#only)];
    return this.#cursors
      .filter((cursor) => cursor.nextCloseTime() === closeTime)
      .map((cursor) => this.#take(cursor));
  }

  /** Does what {@link take} does into a list that serves again. Returns how many there are. */
  takeInto(candles: Candle[], closeTime: EpochMs): number {
    if (this.#only !== undefined) {
      candles[0] = this.#take(this.#only);
      return 1;
    }
    let count = 0;
    for (const cursor of this.#cursors) {
      if (cursor.nextCloseTime() !== closeTime) continue;
      candles[count] = this.#take(cursor);
      count += 1;
    }
    candles.length = count;
    return count;
  }

  #take(cursor: SeriesCursor): Candle {
    if (cursor.isAfterGap()) this.#gaps.note(cursor);
    const candle = cursor.take();
    return this.#freezes ? Object.freeze(candle) : candle;
  }
}
