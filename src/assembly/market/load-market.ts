import type { SeriesInfo } from '../../archive/index.js';
import {
  DataGapError,
  formatUtc,
  nominalIntervalMs,
  type CandleRows,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { SeriesCursor } from '../replay/series-cursor.js';
import type { SeriesFiles } from './series-files.js';

/** A stored series of a run. */
export interface LoadedSeries {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly rows: CandleRows;
  readonly info: SeriesInfo;
  /** Place in the configuration; it decides the order within a slice. */
  readonly configIndex: number;
}

/**
 * Opens every series of the configuration, up to the end of the range. Candles before the start serve the warm-up.
 *
 * @throws {DataError} as the archive; {DataGapError} `E_DATA_GAP` when candles are missing for longer than `maxGap`.
 */
export async function loadMarket(
  config: BacktestConfig,
  files: SeriesFiles,
): Promise<readonly LoadedSeries[]> {
  const { to, maxGapMs } = config.simulation;
  const wanted = config.instruments.flatMap(({ instrumentId, intervals }) =>
    intervals.map((interval) => ({ instrumentId, interval })),
  );
  const loaded: LoadedSeries[] = [];
  for (const [configIndex, { instrumentId, interval }] of wanted.entries()) {
    const { info, rows } = await files.open(instrumentId, interval, to);
    const series = { instrumentId, interval, rows, info, configIndex };
    if (maxGapMs !== undefined && info.gaps > 0) refuseLongGaps(series, config, maxGapMs);
    loaded.push(series);
  }
  return loaded;
}

function refuseLongGaps(series: LoadedSeries, config: BacktestConfig, maxGapMs: number): void {
  const start = config.simulation.from ?? Number.NEGATIVE_INFINITY;
  const { instrumentId, interval, rows } = series;
  const cursor = new SeriesCursor(series);
  for (cursor.row = 1; cursor.row < cursor.end; cursor.row += 1) {
    if (!cursor.isAfterGap()) continue;
    const { row } = cursor;
    const [from, to] = [cursor.closeTimeAt(row - 1), rows.openTime(row)];
    if (to <= start || to - from <= maxGapMs) continue;
    throw new DataGapError(
      'E_DATA_GAP',
      `${instrumentId} ${interval}, row ${String(row)}: expected no gap longer than ${String(maxGapMs)} ms (simulation.maxGap), received ${String(to - from)} ms from ${formatUtc(from)} to ${formatUtc(to)}`,
      { from, to },
    );
  }
}

/** Finds the finest series of each instrument, which drives its path (DESIGN R2). */
export function drivingSeries<Series extends Pick<LoadedSeries, 'instrumentId' | 'interval'>>(
  series: readonly Series[],
): ReadonlyMap<InstrumentId, Series> {
  const driving = new Map<InstrumentId, Series>();
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
