import { DataError, formatUtc, type CandleColumns } from '../../domain/index.js';
import type { ArchiveReadOptions, ReadRange } from '../archive.js';
import { describeInvalidRow } from '../check/validate.js';
import type { OpenFile } from '../files/data-file.js';
import { seriesPaths } from '../files/layout.js';
import { readInfo } from './series-folder.js';
import { describeSeries, rowNoun, type SeriesInfo, type SeriesKey } from './series.js';
import { StoredCandles } from './stored-candles.js';

/** A series of an archive, and how its files are opened. */
export interface SeriesSource {
  readonly directory: string;
  readonly open: OpenFile;
  readonly key: SeriesKey;
}

/** Reads candles, see `Archive.read`. `known` is their metadata if the caller has read it already. */
export async function readSeries(
  source: SeriesSource,
  options: ArchiveReadOptions,
  known?: SeriesInfo,
): Promise<CandleColumns> {
  const info = known ?? (await readInfo(source.directory, source.key));
  const { arrow: path, metadata } = seriesPaths(source.directory, source.key);
  if (info.rows === 0) throw new DataError('E_DATA_EMPTY', `${path} contains no ${rowNoun(info)}`);
  const { columns, firstRow, invalidRow } = await StoredCandles.use(
    { path, metadata, info, open: source.open, verify: options.verify },
    (stored) => stored.read(options),
  );
  requireRows(info, columns.openTime.length, options);
  if (invalidRow >= 0) {
    throw new DataError(
      'E_DATA_DEFECT',
      `${path} row ${String(firstRow + invalidRow + 1)}: ${describeInvalidRow(columns, invalidRow)}`,
    );
  }
  return columns;
}

/** @throws {DataError} `E_DATA_RANGE` when no row of a series lies in a range, see `Archive.read`. */
export function requireRows(info: SeriesInfo, rows: number, { from, to }: ReadRange): void {
  if (rows > 0) return;
  const start = from === undefined ? 'the start' : formatUtc(from);
  const end = to === undefined ? 'the end' : formatUtc(to);
  throw new DataError(
    'E_DATA_RANGE',
    `${describeSeries(info)} has no ${rowNoun(info)} from ${start} to ${end}: stored are ${formatUtc(info.from)} to ${formatUtc(info.to)}`,
  );
}
