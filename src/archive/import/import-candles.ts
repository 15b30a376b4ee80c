import {
  DataError,
  fixedIntervalMs,
  INTERVALS,
  nominalIntervalMs,
  type CandleColumns,
  type Interval,
} from '../../domain/index.js';
import type { Archive } from '../archive.js';
import { CANDLE_LAYOUT as CANDLE_COLUMNS } from '../columns/columns.js';
import { seriesPaths } from '../files/layout.js';
import {
  rowNoun,
  type SeriesInfo,
  type SeriesKey,
  type SeriesKind,
  type VolumeUnit,
} from '../stored/series.js';
import { cleanRows } from './clean-rows.js';
import { CANDLE_FILE_LAYOUT, MARK_LAYOUT, type FileLayout } from './file-layout.js';
import { importFiles, type FilesReport, type ImportFilesOptions } from './import-files.js';
import type { CandleFile } from './read-candle-file.js';
import type { CleanFile, RowStore } from './row-store.js';
import { LEAST_MILLISECONDS } from './time-parser.js';

interface ImportMarksOptions extends ImportFilesOptions, Omit<SeriesKey, 'kind'> {}

export interface ImportOptions extends ImportMarksOptions {
  readonly volumeUnit: VolumeUnit;
}

export type ImportReport = FilesReport<SeriesInfo>;

/**
 * Imports the candles of files into an archive, see `importFiles`.
 *
 * @throws {DataError} as `readCandleFiles` and `Archive.merge`; `E_DATA_ROW` for the first row that no candle can have, unless
 * `skipBad` is set; `E_DATA_INTERVAL` when the rows lie so far apart that the interval must be another one.
 */
export async function importCandles(
  archive: Archive,
  options: ImportOptions,
): Promise<ImportReport> {
  const { instrumentId, interval, volumeUnit } = options;
  return importSeries(archive, options, {
    kind: 'candles',
    merge: (into, columns, merge) =>
      into.merge({ instrumentId, interval, columns }, { ...merge, volumeUnit }),
  });
}

/**
 * Imports the mark prices of files into an archive, as {@link importCandles} does candles; a column of volume is passed over.
 *
 * @throws {DataError} as {@link importCandles}.
 */
export async function importMarks(
  archive: Archive,
  options: ImportMarksOptions,
): Promise<ImportReport> {
  const { instrumentId, interval } = options;
  return importSeries(archive, options, {
    kind: 'mark',
    merge: (into, columns, merge) => into.mergeMarks({ instrumentId, interval, columns }, merge),
  });
}

const LAYOUTS: Readonly<Record<SeriesKind, FileLayout>> = {
  candles: CANDLE_FILE_LAYOUT,
  mark: MARK_LAYOUT,
};

async function importSeries(
  archive: Archive,
  options: ImportMarksOptions,
  {
    kind,
    merge,
  }: { readonly kind: SeriesKind } & Pick<RowStore<CandleColumns, SeriesInfo>, 'merge'>,
): Promise<ImportReport> {
  const { instrumentId, interval, skipBad = false } = options;
  const noun = rowNoun({ instrumentId, interval, kind });
  const store: RowStore<CandleColumns, SeriesInfo> = {
    archive,
    pathsIn: (directory) => seriesPaths(directory, { instrumentId, interval, kind }),
    noun,
    fileLayout: LAYOUTS[kind],
    layout: CANDLE_COLUMNS,
    clean: (file) => cleanFile(file, { interval, skipBad, noun }),
    merge,
  };
  return importFiles(store, options);
}

interface CleanFileOptions {
  readonly interval: Interval;
  readonly skipBad: boolean;
  readonly noun: string;
}

function cleanFile(
  { path, rows, unreadable, timeFormat }: CandleFile,
  { interval, skipBad, noun }: CleanFileOptions,
): CleanFile<CandleColumns> {
  const clean = cleanRows(rows, { path, interval, skipBad });
  if (clean.columns.openTime.length === 0) {
    throw new DataError(
      'E_DATA_EMPTY',
      `${path} contains no valid ${noun}: ${unreadable.examples[0]?.reason ?? clean.refused.examples[0]?.reason ?? 'no rows'}`,
    );
  }
  requireSpacing(clean.columns.openTime, { interval, path, noun, timeFormat });
  return clean;
}

/** Fewer candles of a thin market may have such spacing by chance. */
const FEWEST_ROWS = 5;

/** Finds a file of hours imported as minutes, and milliseconds that were read as seconds, which would otherwise be missing candles between any two. */
function requireSpacing(
  openTime: Float64Array,
  {
    interval,
    path,
    noun,
    timeFormat,
  }: Readonly<Record<'path' | 'noun' | 'timeFormat', string>> & { readonly interval: Interval },
): void {
  if (openTime.length < FEWEST_ROWS) return;
  const counts = new Map<number, number>();
  for (let row = 1; row < openTime.length; row += 1) {
    const spacing = (openTime[row] ?? 0) - (openTime[row - 1] ?? 0);
    counts.set(spacing, (counts.get(spacing) ?? 0) + 1);
  }
  const smallest = Math.min(...counts.keys());
  const fitting = INTERVALS.find((candidate) => fixedIntervalMs(candidate) === smallest);
  const isCommon = (counts.get(smallest) ?? 0) > openTime.length / 2;
  if (isCommon && timeFormat === 'seconds' && smallest === 1_000 * nominalIntervalMs(interval))
    throw new DataError(
      'E_DATA_INTERVAL',
      `${path}: expected ${noun} ${interval} apart, received times in seconds that are 1000 times as far apart; a number below ${String(LEAST_MILLISECONDS)} is read as seconds: write such times as ISO 8601`,
    );
  if (fitting === undefined || !isCommon || smallest <= nominalIntervalMs(interval)) return;
  throw new DataError(
    'E_DATA_INTERVAL',
    `${path}: expected ${noun} of ${interval}, received rows at least ${fitting} apart; pass --interval ${fitting}`,
  );
}
