import { present, type Candle, type EpochMs, type InstrumentId } from '../domain/index.js';
import type { CandleBatch, Engine, SliceSupply, StreamLane } from '../runtime/index.js';
import type { SimulatedVenue } from '../simulator/index.js';
import type { EquityRecorder } from './equity-recorder.js';
import type { MarkCursor } from './mark-cursor.js';
import { ROWS_ANNOUNCED, type SliceReader } from './slice-reader.js';

export interface SliceFeedOptions {
  readonly engine: Engine;
  readonly venue: SimulatedVenue;
  readonly slices: SliceReader;
  readonly marks: MarkCursor;
  readonly equity: EquityRecorder;
  readonly dataDelayMs: number;
}

/** Makes slices without events, as long as nothing can happen at the venue before they close. */
export class SliceFeed implements SliceSupply {
  readonly candles: Candle[] = [];
  readonly lanes: StreamLane[] = [];
  readonly #dataDelayMs: number;
  readonly #venue: SimulatedVenue;
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
  #batch: CandleBatch | undefined;
  /** Marks as they were known with each candle of the batch, where there are any. */
  readonly #batchMarks: Float64Array | undefined;

  constructor(options: SliceFeedOptions) {
    const { engine } = options;
    this.#venue = options.venue;
    this.#slices = options.slices;
    this.#marks = options.marks;
    this.#equity = options.equity;
    this.#dataDelayMs = options.dataDelayMs;
    this.#learnMark = (instrumentId, price) => {
      engine.learnMark(instrumentId, price);
    };
    this.#batchMarks = options.marks.isEmpty ? undefined : new Float64Array(ROWS_ANNOUNCED);
  }

  get only(): StreamLane | undefined {
    return this.#slices.only?.lane;
  }

  nextSlice(): boolean {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#isPossible(closeTime)) return false;
    this.slicesLeft -= 1;
    this.now = closeTime + this.#dataDelayMs;
    this.#equity.beforeSlice(this.now);
    this.#slices.takeInto(this, closeTime);
    this.taken += this.candles.length;
    this.#marks.tell(closeTime, this.#learnMark);
    return true;
  }

  nextBatch(): CandleBatch | undefined {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#isPossible(closeTime)) return undefined;
    const time = closeTime + this.#dataDelayMs;
    this.#equity.beforeSlice(time);
    const { cursor, lane } = this.#slices.onlySource;
    const { intervalMs: stepMs } = cursor;
    // Nothing happens at the venue, and a day ends with its last candle at most.
    const until = Math.min(this.#venue.idleUntil, this.#equity.nextDayEnd);
    const most = Math.min(
      Math.floor((until - time) / stepMs) + 1,
      Math.ceil((this.until - time) / stepMs),
      this.slicesLeft,
    );
    const { columns, first: firstClose, end } = this.#slices.beginOnly(most);
    const count = end - firstClose;
    const marks = this.#batchMarks;
    if (marks !== undefined)
      this.#marks.readAhead(marks, { first: closeTime, stepMs, count }, lane.account.markNumber);
    this.#batch = {
      first: cursor.row,
      count,
      time,
      stepMs,
      closes: columns.close,
      firstClose,
      marks,
      source: cursor,
    };
    return this.#batch;
  }

  endBatch(passed: number): void {
    const { time, stepMs, marks } = present(this.#batch, 'a batch');
    const { cursor, lane } = this.#slices.onlySource;
    this.now = time + (passed - 1) * stepMs;
    this.slicesLeft -= passed;
    this.taken += passed;
    this.#marks.tell(this.now - this.#dataDelayMs, this.#learnMark);
    this.#equity.onBatch({
      account: lane.account,
      rows: cursor.skip(passed),
      marks,
      last: this.now,
      intervalMs: stepMs,
    });
  }

  #isPossible(closeTime: EpochMs): boolean {
    const time = closeTime + this.#dataDelayMs;
    return this.slicesLeft > 0 && time < this.until && this.#venue.isIdleUntil(time);
  }
}
