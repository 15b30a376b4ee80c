import { present, type Candle, type EpochMs, type InstrumentId } from '../../domain/index.js';
import type { CandleBatch, Engine, CandleSupply, StreamRoute } from '../../engine/index.js';
import type { EquityRecorder, PassedCandles } from './equity-recorder.js';
import type { MarkCursor } from './mark-cursor.js';
import type { ReplayHorizon } from './replay-horizon.js';
import type { SeriesCursor } from './series-cursor.js';
import { ROWS_OF_BATCH, type SliceReader } from './slice-reader.js';

export interface CandleFeedOptions {
  readonly engine: Engine;
  readonly horizon: ReplayHorizon;
  readonly slices: SliceReader;
  readonly marks: MarkCursor;
  readonly equity: EquityRecorder;
  readonly dataDelayMs: number;
}

const NO_CLOSES = new Float64Array(0);

/**
 * The batch under way, and what has passed of it when it has ended. Used again for each, with times that are numbers from the start: they are
 * changed in place, where each batch would take new objects for them.
 */
class FeedBatch implements CandleBatch, PassedCandles {
  first = 0;
  count = 0;
  time: EpochMs = Number.NaN;
  readonly stepMs: number;
  closes: Float64Array = NO_CLOSES;
  firstClose = 0;
  readonly marks: Float64Array | undefined;
  readonly source: SeriesCursor;

  constructor(source: SeriesCursor, marks: Float64Array | undefined) {
    this.source = source;
    this.stepMs = source.intervalMs;
    this.marks = marks;
  }
}

/** Makes slices without events, as long as nothing can happen at the venue before they close. */
export class CandleFeed implements CandleSupply {
  readonly candles: Candle[] = [];
  readonly routes: StreamRoute[] = [];
  readonly #dataDelayMs: number;
  readonly #horizon: ReplayHorizon;
  readonly #slices: SliceReader;
  readonly #marks: MarkCursor;
  readonly #equity: EquityRecorder;
  readonly #learnMark: (instrumentId: InstrumentId, price: number) => void;
  /** How many more may be made. */
  slicesLeft = 0;
  /** Candles made. */
  taken = 0;
  now: EpochMs = Number.NEGATIVE_INFINITY;
  until: EpochMs = Number.POSITIVE_INFINITY;
  /** Of the only series; made when it is asked for. */
  #batch: FeedBatch | undefined;

  constructor(options: CandleFeedOptions) {
    const { engine } = options;
    this.#horizon = options.horizon;
    this.#slices = options.slices;
    this.#marks = options.marks;
    this.#equity = options.equity;
    this.#dataDelayMs = options.dataDelayMs;
    this.#learnMark = (instrumentId, price) => {
      engine.learnMark(instrumentId, price);
    };
  }

  get only(): StreamRoute | undefined {
    return this.#slices.only?.route;
  }

  nextSlice(): boolean {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#isPossible(closeTime)) return false;
    this.slicesLeft -= 1;
    this.now = closeTime + this.#dataDelayMs;
    this.#equity.beforeInstant(this.now);
    this.#slices.takeInto(this, closeTime);
    this.taken += this.candles.length;
    this.#marks.tell(closeTime, this.#learnMark);
    return true;
  }

  nextBatch(): CandleBatch | undefined {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#isPossible(closeTime)) return undefined;
    const time = closeTime + this.#dataDelayMs;
    this.#equity.beforeInstant(time);
    const { cursor, route } = this.#slices.onlySource;
    const batch = (this.#batch ??= this.#createBatch(cursor));
    const { marks, stepMs } = batch;
    // Nothing happens by then, and a day ends with its last candle at most.
    const until = Math.min(this.#horizon.idleUntil, this.#equity.nextDayEnd);
    const most = Math.min(
      Math.floor((until - time) / stepMs) + 1,
      Math.ceil((this.until - time) / stepMs),
      this.slicesLeft,
    );
    const count = this.#slices.beginOnly(most);
    if (marks !== undefined)
      this.#marks.readAhead(marks, { first: closeTime, stepMs, count }, route.account.markNumber);
    const { row, block } = cursor;
    batch.first = row;
    batch.count = count;
    batch.time = time;
    batch.closes = block.columns.close;
    batch.firstClose = row - block.first;
    return batch;
  }

  #createBatch(cursor: SeriesCursor): FeedBatch {
    return new FeedBatch(cursor, this.#marks.isEmpty ? undefined : new Float64Array(ROWS_OF_BATCH));
  }

  endBatch(passed: number): void {
    const { cursor, route } = this.#slices.onlySource;
    const batch = present(this.#batch, 'a batch');
    batch.count = passed;
    cursor.row += passed;
    this.now = batch.time + (passed - 1) * batch.stepMs;
    this.slicesLeft -= passed;
    this.taken += passed;
    this.#marks.tell(this.now - this.#dataDelayMs, this.#learnMark);
    this.#equity.onBatch(route.account, batch);
  }

  #isPossible(closeTime: EpochMs): boolean {
    const time = closeTime + this.#dataDelayMs;
    return this.slicesLeft > 0 && time < this.until && this.#horizon.isIdleUntil(time);
  }
}
