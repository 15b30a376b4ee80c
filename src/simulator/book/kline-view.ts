import {
  canResample,
  closeTimeOf,
  DomainError,
  fixedFromNumber,
  fixedToNumber,
  floorToInterval,
  present,
  resampleCandles,
  type CandleColumns,
  type EpochMs,
  type Fixed,
  type Interval,
} from '../../domain/index.js';
import type { PolledCandle } from '../../venue/index.js';
import { lastRowAt, type CandleSoFar, type PublishedCandles } from './published-candles.js';

/** Asks for the newest `limit` candles that open within the span, both ends included. */
export interface KlineQuery {
  readonly limit: number;
  readonly startTime?: EpochMs | undefined;
  readonly endTime?: EpochMs | undefined;
}

/** The part of the open coarse candle whose fine candles have closed. */
interface ClosedPart {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  readonly high: number;
  readonly low: number;
  readonly volume: Fixed;
}

/**
 * Candles of one interval, resampled from the finer stored candles by the rules of {@link resampleCandles}. All of them are computed at the first
 * query and again when stored candles were added. The time of a query decides which of them are closed. The open candle holds only what has happened
 * so far.
 */
export class KlineView {
  readonly #candles: PublishedCandles;
  readonly #interval: Interval;
  #columns: CandleColumns | undefined;
  /** Number of stored rows that {@link #columns} was made from. */
  #rows = 0;
  #closed: ClosedPart | undefined;

  /** @throws {DomainError} `E_RESAMPLE_INTERVAL` when the stored candles cannot make this interval. */
  constructor(candles: PublishedCandles, interval: Interval) {
    const stored = candles.source.interval;
    if (!canResample(stored, interval)) {
      throw new DomainError(
        'E_RESAMPLE_INTERVAL',
        `expected an interval that consists of whole candles of ${stored}, received ${interval}`,
      );
    }
    this.#candles = candles;
    this.#interval = interval;
  }

  /**
   * The requested candles, oldest first. `closed` is true from the candle's end on. If the first part of a candle opens at `time` and has not opened
   * yet, the candle is flat at the last close, without volume. A venue shows a candle without trades in the same way.
   */
  at(time: EpochMs, query: KlineQuery, hasOpened = true): readonly PolledCandle[] {
    const { limit, startTime = Number.NEGATIVE_INFINITY, endTime = time } = query;
    const { openTime } = this.#made();
    const rows: PolledCandle[] = [];
    // Row of the last stored candle that has opened. A candle whose first part has not opened yet is not known.
    const seen = this.#candles.rowSeenAt(time, hasOpened);
    const latest = this.#candles.stored.openTime(seen);
    if (!hasOpened && endTime >= time && startTime <= time && this.#isBegun(time))
      rows.push(this.#untraded(seen, time));
    let row = lastRowAt(openTime, Math.min(latest, endTime));
    for (; row >= 0 && rows.length < limit; row -= 1) {
      if ((openTime[row] ?? Number.NaN) < startTime) break;
      rows.push(this.#candleAt(row, time, seen));
    }
    return rows.reverse();
  }

  #candleAt(row: number, time: EpochMs, seen: number): PolledCandle {
    const { openTime, open, high, low, close, volume } = this.#made();
    const opened = present(openTime[row], 'a candle');
    const closed = closeTimeOf(opened, this.#interval) <= time;
    if (!closed) return this.#polled(this.#forming(opened, time, seen), false);
    return this.#polled(
      {
        openTime: opened,
        open: present(open[row], 'a candle'),
        high: present(high[row], 'a candle'),
        low: present(low[row], 'a candle'),
        close: present(close[row], 'a candle'),
        volume: fixedFromNumber(present(volume[row], 'a candle')),
      },
      true,
    );
  }

  /** Whether a candle of this interval and a stored candle both begin at `time`. */
  #isBegun(time: EpochMs): boolean {
    const { stored } = this.#candles;
    const isStored = stored.openTime(stored.rowAt(time)) === time;
    return isStored && floorToInterval(time, this.#interval) === time;
  }

  #untraded(seen: number, openTime: EpochMs): PolledCandle {
    const close = present(this.#candles.source.rows.close(seen), 'a candle');
    const flat = { openTime, open: close, high: close, low: close, close, volume: 0n };
    return this.#polled(flat, false);
  }

  #polled(
    { openTime, open, high, low, close, volume }: CandleSoFar,
    closed: boolean,
  ): PolledCandle {
    return {
      instrumentId: this.#candles.source.instrument.id,
      interval: this.#interval,
      openTime,
      closeTime: closeTimeOf(openTime, this.#interval),
      open,
      high,
      low,
      close,
      volume: fixedToNumber(volume),
      closed,
    };
  }

  /** The candle that opened at `openTime` and is still open at `time`, so far. `row` is the latest stored candle in it. */
  #forming(openTime: EpochMs, time: EpochMs, row: number): CandleSoFar {
    const candles = this.#candles;
    const current = candles.soFar(row, time);
    const part = this.#closedPart(openTime, row);
    if (part.first === row) return { ...current, openTime };
    return {
      openTime,
      open: present(candles.source.rows.open(part.first), 'a candle'),
      high: Math.max(part.high, current.high),
      low: Math.min(part.low, current.low),
      close: current.close,
      volume: part.volume + current.volume,
    };
  }

  /** Sums up the rows before `row`. Continues from the last call if possible. */
  #closedPart(openTime: EpochMs, row: number): ClosedPart {
    const candles = this.#candles;
    const { rows } = candles.source;
    const first = rows.rowAt(openTime - 1) + 1;
    const known = this.#closed;
    let part: ClosedPart =
      known?.first === first && known.end <= row
        ? known
        : { first, end: first, high: -Infinity, low: Infinity, volume: 0n };
    let { high, low, volume } = part;
    for (let index = part.end; index < row; index += 1) {
      high = Math.max(high, rows.high(index) ?? Number.NaN);
      low = Math.min(low, rows.low(index) ?? Number.NaN);
      volume += candles.volumeOf(index);
    }
    part = { first, end: row, high, low, volume };
    this.#closed = part;
    return part;
  }

  #made(): CandleColumns {
    const { source } = this.#candles;
    const rows = source.rows.length;
    if (this.#columns === undefined || this.#rows !== rows) {
      this.#rows = rows;
      const { instrument, volumeUnit } = source;
      const stored = instrument.kind === 'futures' ? 'contracts' : 'base';
      const whole = source.rows.whole();
      const columns = volumeUnit === stored ? whole : this.#inQuantity(whole);
      this.#columns =
        source.interval === this.#interval
          ? columns
          : resampleCandles(columns, source.interval, this.#interval).columns;
    }
    return this.#columns;
  }

  /** Converts volumes to the unit of order quantities. */
  #inQuantity(columns: CandleColumns): CandleColumns {
    const volume = columns.volume.map((_, row) => fixedToNumber(this.#candles.volumeOf(row)));
    return { ...columns, volume };
  }
}
