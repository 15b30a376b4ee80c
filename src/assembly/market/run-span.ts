import type { EpochMs } from '../../domain/index.js';
import type { SimulationConfig } from '../../config/index.js';
import { drivingSeries, type LoadedSeries } from './load-market.js';
import type { SeriesCursor } from '../replay/series-cursor.js';

/**
 * From when to when a run goes. A candle belongs to it when it opens at or after `from` and closes at or before `end`: no other trades.
 *
 * What closed by `from` is warm-up; a candle that opened before `from` and closes later is delivered at its close, and does not trade.
 * Timers, funding and interest up to and at `end` happen, on the last known prices. What would arrive at the venue at `end` or later never does.
 */
export interface RunSpan {
  /** Undefined: from the first stored candle on. */
  readonly from: EpochMs | undefined;
  /** When the run ends: at `simulation.to`, or where the data ends, when it does earlier. */
  readonly end: EpochMs;
}

/**
 * Finds when a run ends. The data ends when the last candle that drives a path is known: a coarser one that is not over yet does not make it
 * longer.
 */
export function findRunSpan(
  { from, to, dataDelayMs }: Pick<SimulationConfig, 'from' | 'to' | 'dataDelayMs'>,
  series: readonly LoadedSeries[],
): RunSpan {
  const closes = [...drivingSeries(series).values()].map(({ info }) => info.to);
  const dataEnd = Math.max(...closes) + dataDelayMs;
  return { from, end: to === undefined ? dataEnd : Math.min(to, dataEnd) };
}

/** When the strategy begins, before the first candle is taken: with the first that warms it up; without one where the run does. */
export function findBeginning(
  { from = Number.NEGATIVE_INFINITY, end }: RunSpan,
  cursors: readonly SeriesCursor[],
): EpochMs {
  const opens = Math.min(end, ...cursors.map((cursor) => cursor.nextOpenTime()));
  const isWarmingUp = cursors.some((cursor) => cursor.nextCloseTime() <= from);
  return isWarmingUp ? opens : Math.max(opens, Math.min(from, end));
}
