import type { InstrumentId } from '../instruments/instrument.js';
import type { EpochMs } from '../time.js';
import type { Interval } from './interval.js';

/**
 * One closed candle of `[openTime, closeTime)`. Prices in quote per base, all float64 as stored. The volume keeps the unit in which it was
 * stored, the archive's `volumeUnit`: base, quote or contracts.
 *
 * It may be acted on at `closeTime`, not before.
 * @example `{ instrumentId: 'spot:BTCUSDT', interval: '1h', openTime: 1735689600000, closeTime: 1735693200000, open: 93576, high: 94509.42, low: 93489.03, close: 94401.14, volume: 755.99 }`
 */
export interface Candle {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/**
 * Whether the numbers can be those of a candle: prices above 0, open and close from low to high, and no volume below 0. A strategy would trade on others, and a
 * price of 0 would be a fall to nothing.
 */
export function isPossibleCandle({
  open,
  high,
  low,
  close,
  volume,
}: Pick<Candle, 'open' | 'high' | 'low' | 'close' | 'volume'>): boolean {
  const isInside = low <= open && open <= high && low <= close && close <= high;
  // Comparisons with NaN are false.
  return low > 0 && isInside && high < Infinity && volume >= 0 && volume < Infinity;
}

/** Whether two candles of one series are of one time and have the same numbers. */
export function isSameCandle(a: Candle, b: Candle): boolean {
  return (
    a.openTime === b.openTime &&
    a.open === b.open &&
    a.high === b.high &&
    a.low === b.low &&
    a.close === b.close &&
    a.volume === b.volume
  );
}

/**
 * Candles of one instrument and interval as columns of equal length, in rising order of `openTime`. `openTime` holds UTC
 * milliseconds. The arrays are shared, never copied: do not write to them.
 */
export interface CandleColumns {
  readonly openTime: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Lays candles that are in rising order of time into columns. */
export function columnsOfCandles(
  candles: readonly Pick<Candle, keyof CandleColumns>[],
): CandleColumns {
  const column = (name: keyof CandleColumns): Float64Array =>
    Float64Array.from(candles, (candle) => candle[name]);
  return {
    openTime: column('openTime'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

/** A stored or polled series: which one, and its columns. */
export interface CandleSeries {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly columns: CandleColumns;
}
