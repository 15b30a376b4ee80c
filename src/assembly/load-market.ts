import type { Archive, SeriesInfo } from '../archive/index.js';
import { findGaps } from '../archive/index.js';
import {
  DataGapError,
  formatUtc,
  nominalIntervalMs,
  type CandleColumns,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';
import type { BacktestConfig } from './bot-config.js';

/** One stored series of a run. */
export interface LoadedSeries {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly columns: CandleColumns;
  readonly info: SeriesInfo;
  /** Place in the configuration: decides the order within a slice. */
  readonly configIndex: number;
}

/**
 * Reads every series the configuration names, up to its end; what lies before its start serves the warm-up.
 *
 * @throws {DataError} as the archive; {DataGapError} `E_DATA_GAP` when candles are missing for longer than `maxGap`.
 */
export async function loadMarket(
  config: BacktestConfig,
  archive: Archive,
): Promise<readonly LoadedSeries[]> {
  const { to, maxGapMs } = config.simulation;
  const wanted = config.instruments.flatMap(({ instrumentId, intervals }) =>
    intervals.map((interval) => ({ instrumentId, interval })),
  );
  const loaded: LoadedSeries[] = [];
  for (const [configIndex, { instrumentId, interval }] of wanted.entries()) {
    const info = await archive.info(instrumentId, interval);
    const columns = await archive.read(instrumentId, interval, { to });
    if (maxGapMs !== undefined)
      refuseLongGaps(columns, { instrumentId, interval }, config, maxGapMs);
    loaded.push({ instrumentId, interval, columns, info, configIndex });
  }
  return loaded;
}

function refuseLongGaps(
  columns: CandleColumns,
  series: { readonly instrumentId: InstrumentId; readonly interval: Interval },
  config: BacktestConfig,
  maxGapMs: number,
): void {
  const start = config.simulation.from ?? Number.NEGATIVE_INFINITY;
  for (const gap of findGaps(columns.openTime, series.interval)) {
    if (gap.to <= start || gap.to - gap.from <= maxGapMs) continue;
    throw new DataGapError(
      'E_DATA_GAP',
      `${series.instrumentId} ${series.interval}, row ${String(gap.afterRow)}: expected no gap longer than ${String(maxGapMs)} ms (simulation.maxGap), received ${String(gap.to - gap.from)} ms from ${formatUtc(gap.from)} to ${formatUtc(gap.to)}`,
      { from: gap.from, to: gap.to },
    );
  }
}

/** The finest series of each instrument: they drive its path (DESIGN R2). */
export function drivingSeries(
  series: readonly LoadedSeries[],
): ReadonlyMap<InstrumentId, LoadedSeries> {
  const driving = new Map<InstrumentId, LoadedSeries>();
  for (const candidate of series) {
    const finest = driving.get(candidate.instrumentId);
    if (
      finest === undefined ||
      nominalIntervalMs(candidate.interval) < nominalIntervalMs(finest.interval)
    ) {
      driving.set(candidate.instrumentId, candidate);
    }
  }
  return driving;
}

/** Number of candles of a series that have closed by `time`. */
export function closedBy(
  columns: CandleColumns,
  time: EpochMs,
  closeTimeAt: (row: number) => EpochMs,
): number {
  let low = 0;
  let high = columns.openTime.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (closeTimeAt(middle) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
