import { DAY_MS, fixedToNumber, type EpochMs, type Fixed } from '../../domain/index.js';
import { CloseTally, type RegularCloses, type RunRecord } from '../../report/index.js';
import type { Portfolio, StreamRoute } from '../../engine/index.js';
import { CloseLog } from './close-log.js';

/** Candles of one series that have passed one after the other. */
export interface PassedCandles extends RegularCloses {
  /** The mark that was known with each of them, from 0 on; undefined where the instrument has none. */
  readonly marks: Float64Array | undefined;
}

/**
 * Samples equity: float64 at each slice, exact at UTC day ends. Of the slices it keeps what they say together, and on request each of them,
 * exactly.
 */
export class EquityRecorder {
  readonly #portfolio: Portfolio;
  readonly #log: CloseLog | undefined;
  #tally = new CloseTally({ time: 0, value: 0 });
  #heldCloses = 0;
  #from: EpochMs = Number.NaN;
  #nextDayEnd = Number.POSITIVE_INFINITY;
  readonly #dayTimes: EpochMs[] = [];
  readonly #dayEquity: Fixed[] = [];

  constructor(portfolio: Portfolio, { keepsCloses }: { readonly keepsCloses: boolean }) {
    this.#portfolio = portfolio;
    this.#log = keepsCloses ? new CloseLog() : undefined;
  }

  get isRecording(): boolean {
    return this.#nextDayEnd !== Number.POSITIVE_INFINITY;
  }

  start(time: EpochMs, initialEquity: Fixed): void {
    this.#from = time;
    this.#tally = new CloseTally({ time, value: fixedToNumber(initialEquity) });
    this.#nextDayEnd = (Math.floor(time / DAY_MS) + 1) * DAY_MS;
  }

  /** Before an instant at which something can change: day ends that no candle closed at keep the equity known before it. */
  beforeInstant(time: EpochMs): void {
    while (this.#nextDayEnd < time) this.#recordDay(this.#nextDayEnd);
  }

  /** Until then no day ends. */
  get nextDayEnd(): EpochMs {
    return this.#nextDayEnd;
  }

  onSlice(time: EpochMs): void {
    this.#add(time);
    this.#noteHolding(1);
    if (time === this.#nextDayEnd) this.#recordDay(time);
  }

  #add(time: EpochMs): void {
    this.#tally.add(time, this.#portfolio.numbers.equity());
    this.#log?.add(time, this.#portfolio.equity());
  }

  /**
   * Does what {@link onSlice} would have done with each of the candles, which `account` knows by now: nothing was booked meanwhile, and no day has
   * ended but with the last.
   */
  onBatch(account: StreamRoute['account'], passed: PassedCandles): void {
    const { count, time, stepMs } = passed;
    const equity = this.#portfolio.numbers.onlyPricedBy(account);
    if (equity === undefined || this.#log !== undefined) this.#addEach(account, passed);
    else this.#tally.addPriced(equity, passed);
    this.#noteHolding(count);
    const last = time + (count - 1) * stepMs;
    if (last === this.#nextDayEnd) this.#recordDay(last);
  }

  /** Where equity follows several prices, or each is kept: what is held stays, and prices are set as they were. */
  #addEach(
    account: StreamRoute['account'],
    { closes, firstClose, count, marks, time, stepMs }: PassedCandles,
  ): void {
    for (let index = 0; index < count; index += 1) {
      account.lastNumber = closes[firstClose + index] as number;
      if (marks !== undefined) account.markNumber = marks[index] as number;
      this.#add(time + index * stepMs);
    }
  }

  #noteHolding(closes: number): void {
    if (this.#portfolio.isExposed) this.#heldCloses += closes;
  }

  /** What the figures of the run follow from, as far as it has gone. */
  get state(): readonly unknown[] {
    return [this.#tally.state, this.#dayEquity];
  }

  finish(to: EpochMs): Pick<RunRecord, 'dayEquity' | 'closes' | 'heldCloses' | 'candleEquity'> {
    // What was booked after the last sample counts at the end.
    if (this.#dayTimes.at(-1) === to)
      this.#dayEquity[this.#dayEquity.length - 1] = this.#portfolio.equity();
    else if (to > this.#from) this.#recordDay(to);
    return {
      dayEquity: { time: this.#dayTimes, equity: this.#dayEquity },
      closes: this.#tally.figuresBy(to),
      heldCloses: this.#heldCloses,
      candleEquity: this.#log?.closes,
    };
  }

  #recordDay(time: EpochMs): void {
    this.#dayTimes.push(time);
    this.#dayEquity.push(this.#portfolio.equity());
    this.#nextDayEnd += DAY_MS;
  }
}
