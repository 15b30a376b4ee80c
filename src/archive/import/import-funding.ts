import { basename } from 'node:path';
import { DataError, type FundingColumns, type InstrumentId } from '../../domain/index.js';
import type { Archive, FundingMergeReport } from '../archive.js';
import {
  allocateFunding,
  describeInvalidFunding,
  sliceFunding,
  snapToMinute,
} from '../funding-columns.js';
import { sortByTime } from './clean-rows.js';
import { FUNDING_LAYOUT } from './file-layout.js';
import { describeFile, type FileReport } from './import-candles.js';
import type { RawRows } from './raw-rows.js';
import { readCandleFile, type ReadFileOptions } from './read-candle-file.js';
import { RefusedRowLog, type RefusedRows } from './refused-rows.js';

export interface ImportFundingOptions extends ReadFileOptions {
  readonly path: string;
  readonly instrumentId: InstrumentId;
  /** Whether rates stored with other values are overwritten. @defaultValue false */
  readonly replace?: boolean | undefined;
}

export type FundingImportReport = FundingMergeReport & FileReport;

/**
 * Imports the funding rates of a file into an archive: a time and a rate as a ratio, in CSV, Feather or Parquet. Stamps snap to the
 * nearest minute (DESIGN R11). Nothing is stored unless the whole file was read.
 *
 * @throws {DataError} as `readCandleFile` and `Archive.mergeFunding`; `E_DATA_ROW` for the first row that cannot be a settlement, unless
 * `skipBad` is set.
 */
export async function importFunding(
  archive: Archive,
  options: ImportFundingOptions,
): Promise<FundingImportReport> {
  const { path, instrumentId, replace, signal } = options;
  const file = await readCandleFile(path, options, FUNDING_LAYOUT);
  signal?.throwIfAborted();
  const clean = cleanFunding(file.rows, { path, skipBad: options.skipBad ?? false });
  if (clean.columns.time.length === 0) {
    const reason = (file.unreadable.examples[0] ?? clean.refused.examples[0])?.reason;
    throw new DataError(
      'E_DATA_EMPTY',
      `${path} holds no funding rate that can be stored: ${reason ?? 'no rows'}`,
    );
  }
  const merge = { source: basename(path), replace, signal };
  const merged = await archive.mergeFunding(instrumentId, clean.columns, merge);
  return { ...merged, ...describeFile(file, clean) };
}

interface CleanFunding {
  readonly columns: FundingColumns;
  readonly unordered: number;
  readonly duplicates: number;
  readonly refused: RefusedRows;
}

/** Sorts rows by time, snaps them, drops repetitions of equal ones and refuses what cannot be a settlement. */
function cleanFunding(
  raw: RawRows,
  { path, skipBad }: { readonly path: string; readonly skipBad: boolean },
): CleanFunding {
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
