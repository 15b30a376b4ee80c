import {
  closeTimeOf,
  MINUTE_MS,
  type CandleColumns,
  type EpochMs,
  type Interval,
} from '../../domain/index.js';
import { allocateColumns, sliceColumns } from '../columns/columns.js';
import { powerOf10 } from './price-path.js';

/** A minute of whole ticks and quantity steps. */
export interface MinuteCandle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

interface CandleWriterOptions {
  readonly interval: Interval;
  /** Open time of the first candle. */
  readonly from: EpochMs;
  /** End of the last candle, exclusive. */
  readonly to: EpochMs;
  readonly pricePrecision: number;
  readonly quantityPrecision: number;
}

/** Puts minutes together to candles of an interval. */
export class CandleWriter {
  readonly #options: CandleWriterOptions;
  readonly #columns: CandleColumns;
  readonly #ticksPerUnit: number;
  readonly #stepsPerUnit: number;
  #row = -1;
  #nextOpen: EpochMs;
  #volumeSteps = 0;

  constructor(options: CandleWriterOptions) {
    this.#options = options;
    this.#columns = allocateColumns(Math.ceil((options.to - options.from) / MINUTE_MS));
    this.#ticksPerUnit = powerOf10(options.pricePrecision);
    this.#stepsPerUnit = powerOf10(options.quantityPrecision);
    this.#nextOpen = options.from;
  }

  /** Takes the minute that opens at `time`; minutes before the first candle are passed over. */
  add(time: EpochMs, minute: MinuteCandle): void {
    if (time < this.#options.from) return;
    if (time >= this.#nextOpen) this.#start(time, minute);
    this.#extend(minute);
  }

  /** The candles made so far. */
  get columns(): CandleColumns {
    return sliceColumns(this.#columns, 0, this.#row + 1);
  }

  #start(time: EpochMs, minute: MinuteCandle): void {
    const { openTime, open, high, low } = this.#columns;
    this.#row += 1;
    this.#nextOpen = closeTimeOf(time, this.#options.interval);
    this.#volumeSteps = 0;
    openTime[this.#row] = time;
    open[this.#row] = minute.open / this.#ticksPerUnit;
    high[this.#row] = minute.high / this.#ticksPerUnit;
    low[this.#row] = minute.low / this.#ticksPerUnit;
  }

  #extend(minute: MinuteCandle): void {
    const { high, low, close, volume } = this.#columns;
    const row = this.#row;
    high[row] = Math.max(high[row] ?? 0, minute.high / this.#ticksPerUnit);
    low[row] = Math.min(low[row] ?? 0, minute.low / this.#ticksPerUnit);
    close[row] = minute.close / this.#ticksPerUnit;
    // Whole steps are added, and divided once: sums of decimals would leave the grid.
    this.#volumeSteps += minute.volume;
    volume[row] = this.#volumeSteps / this.#stepsPerUnit;
  }
}
