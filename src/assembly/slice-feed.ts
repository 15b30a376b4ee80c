import type { Candle, EpochMs, InstrumentId } from '../domain/index.js';
import type { Engine, SliceSupply, StreamLane } from '../runtime/index.js';
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
  readonly dataDelayMs: number;
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
  left = 0;
  last: EpochMs = Number.NEGATIVE_INFINITY;
  /** Candles of the batch. */
  #size = 0;
  /** Marks as they were known with each candle of the batch, where there are any. */
  readonly #batchMarks: Float64Array | undefined;

  constructor(options: SliceFeedOptions) {
    const { engine } = options;
    this.#venue = options.venue;
    this.#slices = options.slices;
    this.#marks = options.marks;
    this.#equity = options.equity;
    this.dataDelayMs = options.dataDelayMs;
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
    this.now = closeTime + this.dataDelayMs;
    this.#equity.beforeSlice(this.now);
    this.#slices.takeInto(this, closeTime);
    this.taken += this.candles.length;
    this.#marks.tell(closeTime, this.#learnMark);
    return true;
  }

  nextBatch(): boolean {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#isPossible(closeTime)) return false;
    const first = closeTime + this.dataDelayMs;
    this.#equity.beforeSlice(first);
    const { intervalMs } = this.#slices.onlySource.cursor;
    // Nothing happens at the venue, and a day ends with its last candle at most.
    const end = Math.min(this.#venue.idleUntil, this.#equity.nextDayEnd);
    const most = Math.min(
      Math.floor((end - first) / intervalMs) + 1,
      Math.ceil((this.until - first) / intervalMs),
      this.slicesLeft,
    );
    this.#size = this.#slices.beginOnly(most);
    this.left = this.#size;
    this.last = first + (this.#size - 1) * intervalMs;
    if (this.#batchMarks !== undefined) {
      const { markNumber } = this.#slices.onlySource.lane.account;
      const times = { first: closeTime, stepMs: intervalMs, count: this.#size };
      this.#marks.readAhead(this.#batchMarks, times, markNumber);
    }
    return true;
  }

  nextCandle(): Candle {
    const marks = this.#batchMarks;
    if (marks !== undefined)
      this.#slices.onlySource.lane.account.markNumber = marks[this.#size - this.left] as number;
    this.left -= 1;
    return this.#slices.takeOnly();
  }

  endBatch(): void {
    const count = this.#size - this.left;
    const { cursor, lane } = this.#slices.onlySource;
    this.slicesLeft -= count;
    this.taken += count;
    this.now = this.last - this.left * cursor.intervalMs;
    this.#marks.tell(this.now - this.dataDelayMs, this.#learnMark);
    this.left = 0;
    this.#equity.onBatch({
      account: lane.account,
      rows: cursor.rowsTaken(count),
      marks: this.#batchMarks,
      last: this.now,
      intervalMs: cursor.intervalMs,
    });
  }

  #isPossible(closeTime: EpochMs): boolean {
    const time = closeTime + this.dataDelayMs;
    return this.slicesLeft > 0 && time < this.until && this.#venue.isIdleUntil(time);
  }
}
