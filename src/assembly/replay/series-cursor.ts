import {
  closeTimeOf,
  fixedIntervalMs,
  nominalIntervalMs,
  type Candle,
  type CandleBlock,
  type CandleRows,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { IndicatorSeries } from '../../strategy/index.js';

/** Walks one stored series candle by candle. */
export class SeriesCursor {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly rows: CandleRows;
  /** Length of a candle; of months, which differ, a nominal one. */
  readonly intervalMs: number;
  readonly #lengthMs: number | undefined;
  /** Rows in memory around the next candle; others may have taken their place. */
  #block: CandleBlock;
  /** The candles of all rows, to be taken in place of fresh ones; undefined where they are made. */
  candles: readonly Candle[] | undefined;
  /** Row of the next candle. */
  row = 0;
  /** Rows from here on are not delivered. */
  readonly end: number;
  /** The rows that were found last to follow one another without a gap. */
  #regularFirst = 0;
  #regularEnd = 0;

  /** Candles that close after `until` are not delivered. */
  constructor(
    series: {
      readonly instrumentId: InstrumentId;
      readonly interval: Interval;
      readonly rows: CandleRows;
    },
    until: EpochMs = Number.POSITIVE_INFINITY,
  ) {
    this.instrumentId = series.instrumentId;
    this.interval = series.interval;
    this.rows = series.rows;
    this.intervalMs = nominalIntervalMs(series.interval);
    this.#lengthMs = fixedIntervalMs(series.interval);
    this.#block = series.rows.blockAt(0);
    this.end = until === Number.POSITIVE_INFINITY ? series.rows.length : this.closedBy(until);
  }

  /** When the next candle closes; Infinity at the end. */
  nextCloseTime(): EpochMs {
    return this.row < this.end ? this.closeTimeAt(this.row) : Number.POSITIVE_INFINITY;
  }

  /** When the next candle opens; Infinity at the end. */
  nextOpenTime(): EpochMs {
    return this.row < this.end ? this.rows.openTime(this.row) : Number.POSITIVE_INFINITY;
  }

  /** Open of the candle that is open at an instant, else of the next one; undefined where there is none. */
  openAt(time: EpochMs): number | undefined {
    return this.rows.open(Math.max(this.row, this.closedBy(time)));
  }

  closeTimeAt(row: number): EpochMs {
    const openTime = this.rows.openTime(row);
    return this.#lengthMs === undefined
      ? closeTimeOf(openTime, this.interval)
      : openTime + this.#lengthMs;
  }

  /** Number of candles that have closed by `time`. */
  closedBy(time: EpochMs): number {
    if (this.#lengthMs !== undefined) return this.rows.rowAt(time - this.#lengthMs) + 1;
    const last = this.rows.rowAt(time);
    return last >= 0 && this.closeTimeAt(last) > time ? last : last + 1;
  }

  /** Whether candles are missing before the next one. */
  isAfterGap(): boolean {
    if (this.row > this.#regularFirst && this.row < this.#regularEnd) return false;
    return this.row > 0 && this.rows.openTime(this.row) > this.closeTimeAt(this.row - 1);
  }

  /** The rows in memory around the next one. To be read at once. */
  get block(): CandleBlock {
    return this.#blockAt(this.row);
  }

  /** How many of the next candles are in memory and follow one another without a gap; at most so many. */
  rowsAhead(most: number): number {
    const { row } = this;
    const count = Math.min(most, this.#blockAt(row).end - row, this.end - row);
    const lengthMs = this.#lengthMs;
    if (lengthMs === undefined || count <= 1) return Math.min(count, 1);
    this.#regularFirst = row;
    this.#regularEnd = this.rows.regularEnd(row, lengthMs);
    return Math.min(count, this.#regularEnd - row);
  }

  /**
   * The rows from the next one to the last of the run, where there is one and all rows of the series are in memory for good; undefined otherwise. A
   * block that holds no more than the run's rows does not do: another may take its memory.
   */
  rest(): Pick<IndicatorSeries, 'columns' | 'first' | 'end'> | undefined {
    const { first, end, columns } = this.#blockAt(this.row);
    const isWhole = first === 0 && end >= this.rows.length;
    return isWhole && this.row < this.end ? { columns, first: this.row, end: this.end } : undefined;
  }

  /** Returns the next candle as {@link candleOf}, and moves on. */
  take(): Candle {
    const { row } = this;
    this.row = row + 1;
    return this.candleOf(row);
  }

  /** Returns the candle of a row: a fresh object, unless there are {@link candles}. */
  candleOf(row: number): Candle {
    return this.candles === undefined ? this.candleAt(row) : (this.candles[row] as Candle);
  }

  /** Makes the candle of a row, as a fresh object. */
  candleAt(row: number): Candle {
    const { first, columns } = this.#blockAt(row);
    const index = row - first;
    const openTime = columns.openTime[index] as number;
    return {
      instrumentId: this.instrumentId,
      interval: this.interval,
      openTime,
      closeTime:
        this.#lengthMs === undefined
          ? closeTimeOf(openTime, this.interval)
          : openTime + this.#lengthMs,
      open: columns.open[index] as number,
      high: columns.high[index] as number,
      low: columns.low[index] as number,
      close: columns.close[index] as number,
      volume: columns.volume[index] as number,
    };
  }

  #blockAt(row: number): CandleBlock {
    const block = this.#block;
    if (row >= block.first && row < block.end) return block;
    this.#block = this.rows.blockAt(row);
    return this.#block;
  }
}
