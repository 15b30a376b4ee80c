import { DAY_MS, type EpochMs, type Fixed } from '../domain/index.js';
import type { Portfolio } from '../runtime/index.js';

/** Memory for more samples is taken when they are there. */
const MOST_AT_FIRST = 2 ** 20;

/** Samples equity: float64 at each slice, exact at UTC day ends. */
export class EquityRecorder {
  readonly #portfolio: Portfolio;
  #times: Float64Array;
  #values: Float64Array;
  #count = 0;
  #heldCloses = 0;
  #nextDayEnd = Number.POSITIVE_INFINITY;
  readonly #dayTimes: EpochMs[] = [];
  readonly #dayEquity: Fixed[] = [];

  /** `slices`: how many there may be; a guess too low costs copies. */
  constructor(portfolio: Portfolio, slices: number) {
    this.#portfolio = portfolio;
    const capacity = Math.min(Math.max(slices, 1), MOST_AT_FIRST);
    this.#times = new Float64Array(capacity);
    this.#values = new Float64Array(capacity);
  }

  get isRecording(): boolean {
    return this.#nextDayEnd !== Number.POSITIVE_INFINITY;
  }

  start(from: EpochMs): void {
    this.#nextDayEnd = (Math.floor(from / DAY_MS) + 1) * DAY_MS;
  }

  /** Before a slice is processed: day ends that no candle closed at keep the equity known before it. */
  beforeSlice(time: EpochMs): void {
    while (this.#nextDayEnd < time) this.#recordDay(this.#nextDayEnd);
  }

  onSlice(time: EpochMs): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[this.#count] = time;
    this.#values[this.#count] = this.#portfolio.equityNumber();
    this.#count += 1;
    if (this.#portfolio.isExposed) this.#heldCloses += 1;
    if (time === this.#nextDayEnd) this.#recordDay(time);
  }

  finish(to: EpochMs): {
    readonly dayEquity: { readonly time: readonly EpochMs[]; readonly equity: readonly Fixed[] };
    readonly candleEquity: { readonly time: Float64Array; readonly value: Float64Array };
    readonly heldCloses: number;
  } {
    if (this.#count > 0) {
      // What was booked after the last sample counts at the end.
      if (this.#dayTimes.at(-1) === to)
        this.#dayEquity[this.#dayEquity.length - 1] = this.#portfolio.equity();
      else this.#recordDay(to);
    }
    return {
      dayEquity: { time: this.#dayTimes, equity: this.#dayEquity },
      candleEquity: {
        time: this.#times.subarray(0, this.#count),
        value: this.#values.subarray(0, this.#count),
      },
      heldCloses: this.#heldCloses,
    };
  }

  #recordDay(time: EpochMs): void {
    this.#dayTimes.push(time);
    this.#dayEquity.push(this.#portfolio.equity());
    this.#nextDayEnd += DAY_MS;
  }

  #grow(): void {
    const grow = (values: Float64Array): Float64Array => {
      const larger = new Float64Array(values.length * 2);
      larger.set(values);
      return larger;
    };
    this.#times = grow(this.#times);
    this.#values = grow(this.#values);
  }
}
