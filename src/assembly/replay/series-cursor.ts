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
  /** Length of a candle; a nominal length for months. */
  readonly intervalMs: number;
  readonly #lengthMs: number | undefined;
  /** Rows in memory around the next candle. They may have been replaced by others. */
  #block: CandleBlock;
  /** Candles of all rows, which replace fresh objects; undefined if candles are made. */
  candles: readonly Candle[] | undefined;
  /** Row of the next candle. */
  row = 0;
  /** The row after the last one that is delivered. */
  readonly end: number;
  /** Known rows that follow one another without a gap. */
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

  /** Close time of the next candle; Infinity at the end. */
  nextCloseTime(): EpochMs {
    return this.row < this.end ? this.closeTimeAt(this.row) : Number.POSITIVE_INFINITY;
  }

  /** Open time of the next candle; Infinity at the end. */
  nextOpenTime(): EpochMs {
    return this.row < this.end ? this.rows.openTime(this.row) : Number.POSITIVE_INFINITY;
  }

  /** Open of the candle that is open at an instant, otherwise of the next one; undefined if there is none. */
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

  /** The rows in memory around the next one. Read them at once. */
  get block(): CandleBlock {
    return this.#blockAt(this.row);
  }

  /** Number of next candles that are in memory and follow one another without a gap, at most `most`. */
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
   * The rows from the next one to the last of the run, if there are any and all rows of the series stay in memory; undefined otherwise. A block with only
   * the run's rows is not enough, because other rows may replace it.
   */
  rest(): Pick<IndicatorSeries, 'columns' | 'first' | 'end'> | undefined {
    const { first, end, columns } = this.#blockAt(this.row);
    const isWhole = first === 0 && end >= this.rows.length;
    return isWhole && this.row < this.end ? { columns, first: this.row, end: this.end } : undefined;
  }

  /** Returns the next candle as {@link candleOf}, and moves to the one after it. */
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
