import { DAY_MS, fixedToNumber, type EpochMs, type Fixed } from '../domain/index.js';
import { CloseTally, type RunRecord } from '../report/index.js';
import type { Portfolio, StreamLane } from '../runtime/index.js';
import type { StoredRows } from '../strategy/index.js';
import { CloseLog } from './close-log.js';

/** Candles of one series that have passed one after the other. */
export interface CandleBatch {
  /** What the bot knows of their instrument. */
  readonly account: StreamLane['account'];
  readonly rows: StoredRows;
  /** The mark that was known with each of them, from 0 on; undefined where the instrument has none. */
  readonly marks: Float64Array | undefined;
  /** When the last of them was known. */
  readonly last: EpochMs;
  readonly intervalMs: number;
}

/** Samples equity: float64 at each slice, exact at UTC day ends. Of the slices it keeps what they say together, and each on request. */
export class EquityRecorder {
  readonly #portfolio: Portfolio;
  readonly #log: CloseLog | undefined;
  #tally = new CloseTally({ time: 0, value: 0 });
  #heldCloses = 0;
  #hasCloses = false;
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
    this.#tally = new CloseTally({ time, value: fixedToNumber(initialEquity) });
    this.#nextDayEnd = (Math.floor(time / DAY_MS) + 1) * DAY_MS;
  }

  /** Before a slice is processed: day ends that no candle closed at keep the equity known before it. */
  beforeSlice(time: EpochMs): void {
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
    const equity = this.#portfolio.numbers.equity();
    this.#tally.add(time, equity);
    this.#log?.add(time, equity);
  }

  /**
   * Does what {@link onSlice} would have done with each candle of a batch, in which nothing was booked and no day has ended but with the last.
   */
  onBatch(batch: CandleBatch): void {
    const { account, rows, last, intervalMs: stepMs } = batch;
    const { columns, first, end } = rows;
    const terms = this.#portfolio.numbers.onlyPricedBy(account);
    if (terms === undefined) this.#addEach(batch);
    else {
      const { unpriced, quantity } = terms;
      const closes = { unpriced, quantity, prices: columns.close, first, end, last, stepMs };
      this.#tally.addPriced(closes);
      this.#log?.addPriced(closes);
    }
    this.#noteHolding(end - first);
    if (last === this.#nextDayEnd) this.#recordDay(last);
  }

  /** Where equity follows several prices: what is held stays, and prices are set as they were. */
  #addEach({ account, rows, marks, last, intervalMs }: CandleBatch): void {
    const { columns, first, end } = rows;
    for (let row = first; row < end; row += 1) {
      account.lastNumber = columns.close[row] as number;
      if (marks !== undefined) account.markNumber = marks[row - first] as number;
      this.#add(last - (end - 1 - row) * intervalMs);
    }
  }

  #noteHolding(closes: number): void {
    this.#hasCloses = true;
    if (this.#portfolio.isExposed) this.#heldCloses += closes;
  }

  finish(to: EpochMs): Pick<RunRecord, 'dayEquity' | 'closes' | 'heldCloses' | 'candleEquity'> {
    if (this.#hasCloses) {
      // What was booked after the last sample counts at the end.
      if (this.#dayTimes.at(-1) === to)
        this.#dayEquity[this.#dayEquity.length - 1] = this.#portfolio.equity();
      else this.#recordDay(to);
    }
    return {
      dayEquity: { time: this.#dayTimes, equity: this.#dayEquity },
      closes: this.#tally.figures,
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
