import { DAY_MS, fixedToNumber, type EpochMs, type Fixed } from '../domain/index.js';
import {
  CloseTally,
  type CandleEquity,
  type LevelCloses,
  type RunRecord,
} from '../report/index.js';
import type { Portfolio, StreamLane } from '../runtime/index.js';
import type { StoredRows } from '../strategy/index.js';
import { CloseLog } from './close-log.js';

const CLOSES_AT_ONCE = 512;

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
  /** Closes that are still to be told, all at once. */
  readonly #closes: CandleEquity = {
    time: new Float64Array(CLOSES_AT_ONCE),
    value: new Float64Array(CLOSES_AT_ONCE),
  };
  #count = 0;
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
    if (this.#count === CLOSES_AT_ONCE) this.#flush();
    this.#closes.time[this.#count] = time;
    this.#closes.value[this.#count] = this.#portfolio.numbers.equity();
    this.#count += 1;
    this.#noteHolding(1);
    if (time === this.#nextDayEnd) this.#recordDay(time);
  }

  /**
   * Does what {@link onSlice} would have done with each candle of a batch, in which nothing was booked and no day has ended but with the last.
   */
  onBatch(batch: CandleBatch): void {
    const { rows, last, intervalMs } = batch;
    const count = rows.end - rows.first;
    if (this.#portfolio.numbers.isPriced) this.#addPriced(batch, count);
    else this.#addLevel({ count, last, stepMs: intervalMs });
    this.#noteHolding(count);
    if (last === this.#nextDayEnd) this.#recordDay(last);
  }

  #addLevel(closes: LevelCloses): void {
    this.#flush();
    const equity = this.#portfolio.numbers.equity();
    this.#tally.addLevel(equity, closes);
    this.#log?.addLevel(equity, closes);
  }

  #addPriced(batch: CandleBatch, count: number): void {
    if (this.#count + count > CLOSES_AT_ONCE) this.#flush();
    const { time, value } = this.#closes;
    const begin = this.#count;
    const end = begin + count;
    for (let index = begin; index < end; index += 1)
      time[index] = batch.last - (end - 1 - index) * batch.intervalMs;
    this.#sampleInto(value, begin, batch);
    this.#count = end;
  }

  /** Equity at each close of a batch: what is held stays, and prices are set as they were. */
  #sampleInto(values: Float64Array, begin: number, { account, rows, marks }: CandleBatch): void {
    const { columns, first, end } = rows;
    const { close } = columns;
    const shift = begin - first;
    const held = this.#portfolio.numbers.onlyPricedBy(account);
    if (held !== undefined) {
      const { unpriced, quantity } = held;
      for (let row = first; row < end; row += 1)
        values[row + shift] = unpriced + quantity * (close[row] as number);
      return;
    }
    for (let row = first; row < end; row += 1) {
      account.lastNumber = close[row] as number;
      if (marks !== undefined) account.markNumber = marks[row - first] as number;
      values[row + shift] = this.#portfolio.numbers.equity();
    }
  }

  #noteHolding(closes: number): void {
    this.#hasCloses = true;
    if (this.#portfolio.isExposed) this.#heldCloses += closes;
  }

  #flush(): void {
    if (this.#count === 0) return;
    this.#tally.add(this.#closes, this.#count);
    this.#log?.add(this.#closes, this.#count);
    this.#count = 0;
  }

  finish(to: EpochMs): Pick<RunRecord, 'dayEquity' | 'closes' | 'heldCloses' | 'candleEquity'> {
    this.#flush();
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
