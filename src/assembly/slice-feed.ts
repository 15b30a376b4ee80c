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
  left = 0;
  row = -1;
  last: EpochMs = Number.NEGATIVE_INFINITY;
  /** Candles of the batch. */
  #size = 0;
  /** Their closes, from this place on. */
  #closes: Float64Array = new Float64Array(0);
  #firstClose = 0;
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

  nextBatch(): boolean {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#isPossible(closeTime)) return false;
    const first = closeTime + this.#dataDelayMs;
    this.#equity.beforeSlice(first);
    const { cursor, lane } = this.#slices.onlySource;
    const { intervalMs } = cursor;
    // Nothing happens at the venue, and a day ends with its last candle at most.
    const until = Math.min(this.#venue.idleUntil, this.#equity.nextDayEnd);
    const most = Math.min(
      Math.floor((until - first) / intervalMs) + 1,
      Math.ceil((this.until - first) / intervalMs),
      this.slicesLeft,
    );
    const { columns, first: row, end } = this.#slices.beginOnly(most);
    const size = end - row;
    this.left = size;
    this.last = first + (size - 1) * intervalMs;
    this.now = first - intervalMs;
    this.#size = size;
    this.#closes = columns.close;
    this.#firstClose = row;
    if (this.#batchMarks !== undefined) {
      const times = { first: closeTime, stepMs: intervalMs, count: size };
      this.#marks.readAhead(this.#batchMarks, times, lane.account.markNumber);
    }
    return true;
  }

  nextCandle(): Candle {
    const { cursor, lane } = this.#slices.onlySource;
    const { account } = lane;
    const place = this.#size - this.left;
    const now = this.now + cursor.intervalMs;
    this.now = now;
    this.row = cursor.row;
    this.left -= 1;
    if (this.#batchMarks !== undefined) account.markNumber = this.#batchMarks[place] as number;
    account.lastNumber = this.#closes[this.#firstClose + place] as number;
    account.lastTime = now;
    return this.#slices.takeOnly();
  }

  endBatch(): void {
    const count = this.#size - this.left;
    const { cursor, lane } = this.#slices.onlySource;
    this.slicesLeft -= count;
    this.taken += count;
    this.#marks.tell(this.now - this.#dataDelayMs, this.#learnMark);
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
    const time = closeTime + this.#dataDelayMs;
    return this.slicesLeft > 0 && time < this.until && this.#venue.isIdleUntil(time);
  }
}
