import type { EpochMs } from '../../domain/index.js';
import type { SimulationConfig } from '../../config/index.js';
import { drivingSeries, type LoadedSeries } from './load-market.js';
import type { SeriesCursor } from '../replay/series-cursor.js';

/**
 * The time range of a run. A candle belongs to it, and only then trades, when it opens at or after `from` and closes at or before `end`.
 *
 * Candles that close by `from` are warm-up. A candle that opened before `from` and closes later is delivered at its close, but does not trade. Timers,
 * funding and interest up to and at `end` happen, on the last known prices. Commands that would arrive at the venue at `end` or later never arrive.
 */
export interface RunSpan {
  /** Undefined: from the first stored candle. */
  readonly from: EpochMs | undefined;
  /** End of the run: `simulation.to`, or the end of the data if that is earlier. */
  readonly end: EpochMs;
}

/**
 * Finds the range of a run. The data ends when the last candle that drives a path is known. A coarser candle that is still open does not extend it.
 */
export function findRunSpan(
  { from, to, dataDelayMs }: Pick<SimulationConfig, 'from' | 'to' | 'dataDelayMs'>,
  series: readonly LoadedSeries[],
): RunSpan {
  const closes = [...drivingSeries(series).values()].map(({ info }) => info.to);
  const dataEnd = Math.max(...closes) + dataDelayMs;
  return { from, end: to === undefined ? dataEnd : Math.min(to, dataEnd) };
}

/**
 * When the strategy begins, before the first candle: with its first warm-up candle; without a warm-up at the start of the run, also if candles are missing
 * then, but not before the first stored candle.
 */
export function findBeginning({ from, end }: RunSpan, cursors: readonly SeriesCursor[]): EpochMs {
  const start = findStart(from, cursors);
  const isWarmingUp = cursors.some((cursor) => cursor.nextCloseTime() <= start);
  const opens = cursors.map((cursor) => cursor.nextOpenTime());
  return Math.min(end, isWarmingUp ? Math.min(...opens) : start);
}

/** The start of a run: `from`, or the open of the first stored candle if that is later. */
export function findStart(
  from: EpochMs | undefined,
  series: readonly Pick<SeriesCursor, 'rows'>[],
): EpochMs {
  return Math.max(from ?? -Infinity, Math.min(...series.map(({ rows }) => rows.openTime(0))));
}
