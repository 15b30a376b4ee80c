import {
  closeTimeOf,
  fixedIntervalMs,
  type Candle,
  type CandleColumns,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';

/** Walks one stored series candle by candle. */
export class SeriesCursor {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly columns: CandleColumns;
  readonly #lengthMs: number | undefined;
  /** Row of the next candle. */
  row: number;
  /** Rows from here on are not delivered. */
  readonly end: number;

  constructor(series: {
    readonly instrumentId: InstrumentId;
    readonly interval: Interval;
    readonly columns: CandleColumns;
    readonly start: number;
    readonly end: number;
  }) {
    this.instrumentId = series.instrumentId;
    this.interval = series.interval;
    this.columns = series.columns;
    this.row = series.start;
    this.end = series.end;
    this.#lengthMs = fixedIntervalMs(series.interval);
  }

  /** When the next candle closes; Infinity at the end. */
  nextCloseTime(): EpochMs {
    if (this.row >= this.end) return Number.POSITIVE_INFINITY;
    return this.closeTimeAt(this.row);
  }

  /** When the next candle opens; Infinity at the end. */
  nextOpenTime(): EpochMs {
    return this.row < this.end
      ? (this.columns.openTime[this.row] as number)
      : Number.POSITIVE_INFINITY;
  }

  closeTimeAt(row: number): EpochMs {
    const openTime = this.columns.openTime[row] as number;
    return this.#lengthMs === undefined
      ? closeTimeOf(openTime, this.interval)
      : openTime + this.#lengthMs;
  }

  /** Whether candles are missing before the next one. */
  isAfterGap(): boolean {
    return (
      this.row > 0 && (this.columns.openTime[this.row] as number) > this.closeTimeAt(this.row - 1)
    );
  }

  /** Makes the next candle, as a fresh object, and moves on. */
  take(): Candle {
    const { row, columns } = this;
    this.row = row + 1;
    const openTime = columns.openTime[row] as number;
    return {
      instrumentId: this.instrumentId,
      interval: this.interval,
      openTime,
      closeTime:
        this.#lengthMs === undefined
          ? closeTimeOf(openTime, this.interval)
          : openTime + this.#lengthMs,
      open: columns.open[row] as number,
      high: columns.high[row] as number,
      low: columns.low[row] as number,
      close: columns.close[row] as number,
      volume: columns.volume[row] as number,
    };
  }
}
