import type { Candle, EpochMs, InstrumentId } from '../domain/index.js';
import type { Engine, SliceSupply, StreamLane } from '../runtime/index.js';
import type { SimulatedVenue } from '../simulator/index.js';
import type { EquityRecorder } from './equity-recorder.js';
import type { MarkCursor } from './mark-cursor.js';
import type { SliceReader } from './slice-reader.js';

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
  readonly #venue: SimulatedVenue;
  readonly #slices: SliceReader;
  readonly #marks: MarkCursor;
  readonly #equity: EquityRecorder;
  readonly #dataDelayMs: number;
  readonly #learnMark: (instrumentId: InstrumentId, price: number) => void;
  /** How many more may be made. */
  slicesLeft = 0;
  /** Candles made. */
  taken = 0;
  now: EpochMs = Number.NEGATIVE_INFINITY;
  until: EpochMs = Number.POSITIVE_INFINITY;

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
  }

  get only(): StreamLane | undefined {
    return this.#slices.onlyLane;
  }

  nextSlice(): boolean {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#begin(closeTime)) return false;
    this.#slices.takeInto(this, closeTime);
    this.taken += this.candles.length;
    this.#marks.tell(closeTime, this.#learnMark);
    return true;
  }

  nextCandle(): Candle | undefined {
    const closeTime = this.#slices.nextCloseTime();
    if (!this.#begin(closeTime)) return undefined;
    this.taken += 1;
    const candle = this.#slices.takeOnly();
    this.#marks.tell(closeTime, this.#learnMark);
    return candle;
  }

  #begin(closeTime: EpochMs): boolean {
    const time = closeTime + this.#dataDelayMs;
    if (this.slicesLeft === 0 || time >= this.until || !this.#venue.isIdleUntil(time)) return false;
    this.slicesLeft -= 1;
    this.now = time;
    this.#equity.beforeSlice(time);
    return true;
  }
}
