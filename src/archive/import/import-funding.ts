import { DataError, type FundingColumns, type InstrumentId } from '../../domain/index.js';
import type { Archive } from '../archive.js';
import {
  allocateFunding,
  describeInvalidFunding,
  FUNDING_LAYOUT as FUNDING_COLUMNS,
  sliceFunding,
  snapToMinute,
} from '../columns/funding-columns.js';
import { fundingPaths } from '../files/layout.js';
import type { FundingInfo } from '../stored/series.js';
import { sortByTime } from './clean-rows.js';
import { FUNDING_FILE_LAYOUT } from './file-layout.js';
import { importFiles, type FilesReport, type ImportFilesOptions } from './import-files.js';
import type { CandleFile } from './read-candle-file.js';
import { RefusedRowLog } from './refused-rows.js';
import type { CleanFile, RowStore } from './row-store.js';

interface ImportFundingOptions extends ImportFilesOptions {
  readonly instrumentId: InstrumentId;
}

export type FundingImportReport = FilesReport<FundingInfo>;

/**
 * Imports the funding rates of files into an archive, see `importFiles`: a time and a rate as a ratio, in CSV, Feather or Parquet.
 * Stamps snap to the nearest minute (DESIGN R11).
 *
 * @throws {DataError} as `readCandleFiles` and `Archive.mergeFunding`; `E_DATA_ROW` for the first row that cannot be a settlement, unless
 * `skipBad` is set.
 */
export async function importFunding(
  archive: Archive,
  options: ImportFundingOptions,
): Promise<FundingImportReport> {
  const { instrumentId, skipBad = false } = options;
  const store: RowStore<FundingColumns, FundingInfo> = {
    archive,
    pathsIn: (directory) => fundingPaths(directory, instrumentId),
    noun: 'funding rates',
    fileLayout: FUNDING_FILE_LAYOUT,
    layout: FUNDING_COLUMNS,
    clean: (file) => cleanFile(file, skipBad),
    merge: (into, columns, merge) => into.mergeFunding(instrumentId, columns, merge),
  };
  return importFiles(store, options);
}

function cleanFile(file: CandleFile, skipBad: boolean): CleanFile<FundingColumns> {
  const clean = cleanFunding(file, skipBad);
  if (clean.columns.time.length > 0) return clean;
  const reason = (file.unreadable.examples[0] ?? clean.refused.examples[0])?.reason;
  throw new DataError(
    'E_DATA_EMPTY',
    `${file.path} contains no valid funding rate: ${reason ?? 'no rows'}`,
  );
}

/** Sorts rows by time, snaps them, drops repetitions of equal ones and refuses rows that cannot be a settlement. */
function cleanFunding(
  { path, rows: raw }: CandleFile,
  skipBad: boolean,
): CleanFile<FundingColumns> {
  const [times = new Float64Array(), rates = new Float64Array()] = raw.columns;
  const refused = new RefusedRowLog();
  const refuse = (index: number, reason: string): void => {
    const row = raw.numberOf(index);
    if (!skipBad) throw new DataError('E_DATA_ROW', `${path} row ${String(row)}: ${reason}`);
    refused.add(row, reason);
  };
  const { order, unordered } = sortByTime(times);
  const target = allocateFunding(raw.length);
  let rows = 0;
  let duplicates = 0;
  let kept = -1;
  for (let place = 0; place < raw.length; place += 1) {
    const index = order === undefined ? place : (order[place] ?? place);
    const rate = rates[index] ?? Number.NaN;
    const time = snapToMinute(times[index] ?? Number.NaN);
    const defect = describeInvalidFunding(time, rate);
    if (defect !== undefined) refuse(index, defect);
    else if (rows === 0 || target.time[rows - 1] !== time) {
      target.time[rows] = time;
      target.rate[rows] = rate;
      rows += 1;
      kept = index;
    } else if (target.rate[rows - 1] === rate) duplicates += 1;
    else {
      const first = String(raw.numberOf(kept));
      refuse(index, `row ${first} has the same minute and another rate`);
    }
  }
  const columns = sliceFunding(target, 0, rows);
  return { columns, unordered, duplicates, refused: refused.summary };
}
