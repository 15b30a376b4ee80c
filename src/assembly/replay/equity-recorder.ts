import { DAY_MS, fixedToNumber, type EpochMs, type Fixed } from '../../domain/index.js';
import { CloseTally, type RegularCloses, type RunRecord } from '../../report/index.js';
import type { BatchStream, Portfolio } from '../../engine/index.js';
import { CloseLog } from './close-log.js';

/** Slices that have passed one after the other. If equity follows one price, the recorder sets `prices` and `first` to it. */
export interface PassedCandles extends RegularCloses {
  readonly streams: readonly BatchStream[];
  prices: Float64Array;
  first: number;
}

/**
 * Samples equity: float64 at each slice, exact at UTC day ends. It keeps statistics of the slices, and on request the exact equity at each of them.
 */
export class EquityRecorder {
  #portfolio: Portfolio;
  readonly #log: CloseLog | undefined;
  #tally = new CloseTally({ time: 0, value: 0 });
  #heldCloses = 0;
  #from: EpochMs = Number.NaN;
  isRecording = false;
  /** The next end of a day; Infinity before the recording. */
  nextDayEnd = Number.POSITIVE_INFINITY;
  readonly #dayTimes: EpochMs[] = [];
  readonly #dayEquity: Fixed[] = [];

  constructor(portfolio: Portfolio, { keepsCloses }: { readonly keepsCloses: boolean }) {
    this.#portfolio = portfolio;
    this.#log = keepsCloses ? new CloseLog() : undefined;
  }

  start(time: EpochMs, initialEquity: Fixed): void {
    this.isRecording = true;
    this.#from = time;
    this.#tally = new CloseTally({ time, value: fixedToNumber(initialEquity) });
    this.nextDayEnd = (Math.floor(time / DAY_MS) + 1) * DAY_MS;
  }

  /** Continues with the portfolio of an engine that has taken over. */
  follow(portfolio: Portfolio): void {
    this.#portfolio = portfolio;
  }

  /** Samples equity at a close of candles of which only the time is known. */
  sample(time: EpochMs): void {
    this.#addNow(time);
    if (this.#portfolio.isExposed) this.#heldCloses += 1;
    if (time === this.nextDayEnd) this.#recordDay(time);
  }

  /** Must be called before an instant at which something can change: days that ended since without a close keep the equity from before the instant. */
  beforeInstant(time: EpochMs): void {
    while (this.nextDayEnd < time) this.#recordDay(this.nextDayEnd);
  }

  /** Samples equity at each slice of a batch. Nothing was booked meanwhile, and a day can only have ended with the last slice. */
  onBatch(batch: PassedCandles): void {
    const { streams, count, time, stepMs } = batch;
    const [only] = streams;
    const isLine =
      only !== undefined &&
      streams.length === 1 &&
      this.#log === undefined &&
      this.#addLine(only, batch);
    if (!isLine) this.#addEach(batch);
    if (this.#portfolio.isExposed) this.#heldCloses += count;
    const last = time + (count - 1) * stepMs;
    if (last === this.nextDayEnd) this.#recordDay(last);
  }

  /** Samples all slices at once if equity follows a single price. Returns whether it does. */
  #addLine(
    { route, closes, firstClose, marks, firstMark }: BatchStream,
    batch: PassedCandles,
  ): boolean {
    const equity = this.#portfolio.numbers.onlyPricedBy(route.account);
    if (equity === undefined) return false;
    if (equity.isByMark) {
      if (marks === undefined || Number.isNaN(marks[firstMark])) return false;
      batch.prices = marks;
      batch.first = firstMark;
    } else {
      batch.prices = closes;
      batch.first = firstClose;
    }
    this.#tally.addPriced(equity, batch);
    return true;
  }

  /** Samples each slice: equity follows several prices, or each value is kept. Positions stay, and prices are set as at the slice. */
  #addEach({ streams, count, time, stepMs }: PassedCandles): void {
    for (let index = 0; index < count; index += 1) {
      // With one slice the prices are already set.
      if (count > 1)
        for (let place = 0; place < streams.length; place += 1)
          showPrices(streams[place] as BatchStream, index);
      this.#addNow(time + index * stepMs);
    }
  }

  #addNow(time: EpochMs): void {
    this.#tally.add(time, this.#portfolio.numbers.equity());
    this.#log?.add(time, this.#portfolio.equity());
  }

  /** The state that the figures of the run follow from, so far. */
  get state(): readonly unknown[] {
    return [this.#tally.state, this.#dayEquity];
  }

  finish(to: EpochMs): Pick<RunRecord, 'dayEquity' | 'closes' | 'heldCloses' | 'candleEquity'> {
    // Bookings after the last sample count at the end.
    if (this.#dayTimes.at(-1) === to)
      this.#dayEquity[this.#dayEquity.length - 1] = this.#portfolio.equity();
    else if (to > this.#from) this.#recordDay(to);
    return {
      dayEquity: { time: this.#dayTimes, equity: this.#dayEquity },
      closes: this.#tally.figuresBy({ time: to, equity: this.#portfolio.numbers.equity() }),
      heldCloses: this.#heldCloses,
      candleEquity: this.#log?.closes,
    };
  }

  #recordDay(time: EpochMs): void {
    this.#dayTimes.push(time);
    this.#dayEquity.push(this.#portfolio.equity());
    this.nextDayEnd += DAY_MS;
  }
}

function showPrices(stream: BatchStream, index: number): void {
  const { route, closes, firstClose, marks, firstMark } = stream;
  const { account } = route;
  account.lastNumber = closes[firstClose + index] as number;
  if (marks !== undefined) account.markNumber = marks[firstMark + index] as number;
}
