import { DataError, type CandleColumns } from '../../domain/index.js';
import type { OpenOptions, OpenSeries, ArchiveReadOptions } from '../archive.js';
import { allocateColumns } from '../columns/columns.js';
import { isThere } from '../files/data-file.js';
import { seriesPaths } from '../files/layout.js';
import { openSeries } from './open-series.js';
import { readSeries, type SeriesSource } from './read-series.js';
import { describeSeries, type SeriesKey } from './series.js';

/** Reads mark prices, see `Archive.marks`. */
export async function readMarks(
  source: SeriesSource,
  options: ArchiveReadOptions,
): Promise<CandleColumns | undefined> {
  if (!(await isStored(source))) return undefined;
  try {
    return await readSeries(source, options);
  } catch (error) {
    if (isOutOfRange(error)) return allocateColumns(0);
    throw error;
  }
}

/** Opens mark prices, see `Archive.openMarks`. */
export async function openMarks(
  source: SeriesSource,
  options: OpenOptions,
): Promise<OpenSeries | undefined> {
  if (!(await isStored(source))) return undefined;
  try {
    return await openSeries(source, options);
  } catch (error) {
    if (isOutOfRange(error)) return undefined;
    throw error;
  }
}

async function isStored({ directory, key }: SeriesSource): Promise<boolean> {
  const { arrow, metadata } = seriesPaths(directory, key);
  return (await isThere(metadata)) || (await isThere(arrow));
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof DataError && error.code === 'E_DATA_RANGE';
}

/** @throws {DataError} `E_DATA_DEFECT` naming the first row (from 1) with a volume: nothing is traded at a mark price. */
export function requireNoVolume({ volume }: CandleColumns, key: SeriesKey): void {
  const row = volume.findIndex((amount) => amount !== 0);
  if (row < 0) return;
  throw new DataError(
    'E_DATA_DEFECT',
    `row ${String(row + 1)} of ${describeSeries(key)}: expected volume 0 for mark prices, received ${String(volume[row])}`,
  );
}
