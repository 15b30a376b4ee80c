import { DataError, type CandleColumns } from '../domain/index.js';
import type { ReadOptions } from './archive.js';
import { allocateColumns } from './columns.js';
import { isThere } from './data-file.js';
import { seriesPaths } from './layout.js';
import { readSeries, type SeriesSource } from './read-series.js';
import { describeSeries, type SeriesKey } from './series.js';

/** Reads mark prices, see `Archive.marks`. */
export async function readMarks(
  source: SeriesSource,
  options: ReadOptions,
): Promise<CandleColumns | undefined> {
  const { arrow, metadata } = seriesPaths(source.directory, source.key);
  if (!(await isThere(metadata)) && !(await isThere(arrow))) return undefined;
  try {
    return await readSeries(source, options);
  } catch (error) {
    if (error instanceof DataError && error.code === 'E_DATA_RANGE') return allocateColumns(0);
    throw error;
  }
}

/** @throws {DataError} `E_DATA_DEFECT` naming the first row (from 1) with a volume: nothing is traded at a mark price. */
export function requireNoVolume({ volume }: CandleColumns, key: SeriesKey): void {
  const row = volume.findIndex((amount) => amount !== 0);
  if (row < 0) return;
  throw new DataError(
    'E_DATA_DEFECT',
    `row ${String(row + 1)} of ${describeSeries(key)}: expected volume 0, which mark prices have, received ${String(volume[row])}`,
  );
}
