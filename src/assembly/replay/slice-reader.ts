import { missing, type Candle, type EpochMs } from '../../domain/index.js';
import type { StreamRoute } from '../../engine/index.js';
import type { GapRecorder } from './gap-recorder.js';
import type { SeriesCursor } from './series-cursor.js';

/** As many rows as are passed in one batch. */
export const ROWS_OF_BATCH = 256;

export interface SliceReaderOptions {
  /** In the order in which candles of one instant are delivered. */
  readonly cursors: readonly SeriesCursor[];
  readonly routeOf: (cursor: SeriesCursor) => StreamRoute;
  readonly gaps: GapRecorder;
}

/** A series and where its candles go. */
export interface Source {
  readonly cursor: SeriesCursor;
  readonly route: StreamRoute;
}

/** Candles of one slice and where each goes. The lists serve again. */
export interface SliceLists {
  readonly candles: Candle[];
  readonly routes: StreamRoute[];
}

/** Reads the stored candles of a run slice by slice: all that close at one instant. */
export class SliceReader {
  readonly #sources: readonly Source[];
  /** The only series, where there is one: most runs have no other. */
  readonly #only: Source | undefined;
  readonly #gaps: GapRecorder;

  constructor(options: SliceReaderOptions) {
    const { cursors, routeOf } = options;
    this.#sources = cursors.map((cursor) => ({ cursor, route: routeOf(cursor) }));
    this.#only = cursors.length === 1 ? this.#sources[0] : undefined;
    this.#gaps = options.gaps;
  }

  /** When the next candles close; Infinity at the end. */
  nextCloseTime(): EpochMs {
    if (this.#only !== undefined) return this.#only.cursor.nextCloseTime();
    let next = Number.POSITIVE_INFINITY;
    for (const { cursor } of this.#sources) {
      const time = cursor.nextCloseTime();
      if (time < next) next = time;
    }
    return next;
  }

  /** When the finest of the candles that close at `closeTime` opened. */
  openTimeOf(closeTime: EpochMs): EpochMs {
    const closing = this.#sources.filter(({ cursor }) => cursor.nextCloseTime() === closeTime);
    return Math.max(...closing.map(({ cursor }) => cursor.nextOpenTime()));
  }

  /** Takes the candles that close at `closeTime`, the next that any does. */
  take(closeTime: EpochMs): readonly Candle[] {
    // A list that grows would cost more than its candle.
    if (this.#only !== undefined) return [this.#take(this.#only.cursor)];
    return this.#sources
      .filter(({ cursor }) => cursor.nextCloseTime() === closeTime)
      .map(({ cursor }) => this.#take(cursor));
  }

  /** The only series and where its candles go; undefined where there are several. */
  get only(): Source | undefined {
    return this.#only;
  }

  /** @throws {InvariantError} `E_MISSING` where there are several series. */
  get onlySource(): Source {
    return this.#only ?? missing('an only series');
  }

  /**
   * Begins with the next candles of the only series that follow one another without a gap and are in memory. Returns how many there are, at most
   * so many; its cursor is moved on by who takes them.
   */
  beginOnly(most: number): number {
    const { cursor } = this.onlySource;
    if (cursor.isAfterGap()) this.#gaps.note(cursor);
    return cursor.rowsAhead(Math.min(most, ROWS_OF_BATCH));
  }

  /** Does what {@link take} does into lists. */
  takeInto({ candles, routes }: SliceLists, closeTime: EpochMs): void {
    let count = 0;
    for (const source of this.#sources) {
      if (source.cursor.nextCloseTime() !== closeTime) continue;
      candles[count] = this.#take(source.cursor);
      routes[count] = source.route;
      count += 1;
    }
    candles.length = count;
  }

  #take(cursor: SeriesCursor): Candle {
    if (cursor.isAfterGap()) this.#gaps.note(cursor);
    return cursor.take();
  }
}
