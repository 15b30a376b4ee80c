import { basename } from 'node:path';
import {
  DataError,
  fixedIntervalMs,
  INTERVALS,
  nominalIntervalMs,
  type CandleColumns,
  type Interval,
} from '../../domain/index.js';
import type { Archive, MergeRecordsOptions, MergeReport } from '../archive.js';
import { rowNoun, type SeriesKey, type SeriesKind, type VolumeUnit } from '../series.js';
import { cleanRows } from './clean-rows.js';
import { CANDLE_LAYOUT, MARK_LAYOUT, type FileLayout } from './file-layout.js';
import {
  readCandleFile,
  type CandleFile,
  type CandleFileFormat,
  type ReadFileOptions,
} from './read-candle-file.js';
import type { RefusedRows } from './refused-rows.js';

export interface ImportMarksOptions extends ReadFileOptions, Omit<SeriesKey, 'kind'> {
  readonly path: string;
  /** Whether what is stored with other values is overwritten. @defaultValue false */
  readonly replace?: boolean | undefined;
}

export interface ImportOptions extends ImportMarksOptions {
  readonly volumeUnit: VolumeUnit;
}

/** What an import did with a file. Of the rows read, each was added, replaced one, was a duplicate, or was refused. */
export interface FileReport {
  readonly format: CandleFileFormat;
  readonly timeFormat: string;
  /** Rows in the file, the header and blank lines not counted. */
  readonly rowsRead: number;
  /** Rows that came after a later one in the file; they were put in order. */
  readonly unordered: number;
  /** Rows dropped because an equal one came before in the file. */
  readonly repeated: number;
  readonly refused: RefusedRows;
}

export type ImportReport = MergeReport & FileReport;

/**
 * Imports the candles of a file into an archive. Nothing is stored unless the whole file was read.
 *
 * @throws {DataError} as `readCandleFile` and `Archive.merge`; `E_DATA_ROW` for the first row that no candle can have, unless
 * `skipBad` is set; `E_DATA_INTERVAL` when the rows lie so far apart that the interval must be another one.
 */
export async function importCandles(
  archive: Archive,
  options: ImportOptions,
): Promise<ImportReport> {
  const { columns, report } = await readSeriesFile(options, 'candles');
  const { instrumentId, interval, volumeUnit } = options;
  const series = { instrumentId, interval, columns };
  const merged = await archive.merge(series, { ...mergeOptions(options), volumeUnit });
  return { ...merged, ...report };
}

/**
 * Imports the mark prices of a file into an archive, as {@link importCandles} does candles; a column of volume is passed over.
 *
 * @throws {DataError} as {@link importCandles}.
 */
export async function importMarks(
  archive: Archive,
  options: ImportMarksOptions,
): Promise<ImportReport> {
  const { columns, report } = await readSeriesFile(options, 'mark');
  const { instrumentId, interval } = options;
  const series = { instrumentId, interval, columns };
  return { ...(await archive.mergeMarks(series, mergeOptions(options))), ...report };
}

function mergeOptions({ path, replace, signal }: ImportMarksOptions): MergeRecordsOptions {
  return { source: basename(path), replace, signal };
}

const LAYOUTS: Readonly<Record<SeriesKind, FileLayout>> = {
  candles: CANDLE_LAYOUT,
  mark: MARK_LAYOUT,
};

async function readSeriesFile(
  options: ImportMarksOptions,
  kind: SeriesKind,
): Promise<{ readonly columns: CandleColumns; readonly report: FileReport }> {
  const { path, interval } = options;
  const noun = rowNoun({ ...options, kind });
  const file = await readCandleFile(path, options, LAYOUTS[kind]);
  options.signal?.throwIfAborted();
  const clean = cleanRows(file.rows, { path, interval, skipBad: options.skipBad ?? false });
  if (clean.columns.openTime.length === 0) {
    throw new DataError(
      'E_DATA_EMPTY',
      `${path} holds no ${noun} that can be stored: ${file.unreadable.examples[0]?.reason ?? clean.refused.examples[0]?.reason ?? 'no rows'}`,
    );
  }
  requireSpacing(clean.columns.openTime, { interval, path, noun });
  return { columns: clean.columns, report: describeFile(file, clean) };
}

/** What of a report comes from the file and from putting its rows in order. */
export function describeFile(
  file: CandleFile,
  clean: { readonly unordered: number; readonly duplicates: number; readonly refused: RefusedRows },
): FileReport {
  return {
    format: file.format,
    timeFormat: file.timeFormat,
    rowsRead: file.rows.length + file.unreadable.count,
    unordered: clean.unordered,
    repeated: clean.duplicates,
    refused: joinRefused(file.unreadable, clean.refused),
  };
}

/** A handful of candles of a thin market may happen to lie like this. */
const FEWEST_ROWS = 5;

/** Finds a file of hours imported as minutes, which would otherwise be 59 missing candles between any two. */
function requireSpacing(
  openTime: Float64Array,
  {
    interval,
    path,
    noun,
  }: { readonly interval: Interval; readonly path: string; readonly noun: string },
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
  if (fitting === undefined || !isCommon || smallest <= nominalIntervalMs(interval)) return;
  throw new DataError(
    'E_DATA_INTERVAL',
    `${path}: these are no ${noun} of ${interval}: none are closer than ${fitting}, and most of them that far apart; pass --interval ${fitting}`,
  );
}

function joinRefused(first: RefusedRows, second: RefusedRows): RefusedRows {
  const examples = [...first.examples, ...second.examples].sort((a, b) => a.row - b.row);
  return { count: first.count + second.count, examples };
}
