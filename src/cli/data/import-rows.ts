import { basename, resolve } from 'node:path';
import type {
  Archive,
  CandleFileFormat,
  FundingImportReport,
  ImportReport,
  VolumeUnit,
} from '../../archive/index.js';
import type { InstrumentId, Interval } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import type { FileFlags } from './file-options.js';
import { formatCount, holdingJson, holdingLine } from './format.js';
import type { CommandResult } from './give-result.js';
import { binaryReader } from './read-in-thread.js';

/** What `data import` of rows was asked for: candles, mark prices or funding. */
export type RowImport = RowImportCommon &
  (
    | { readonly kind: 'candles'; readonly interval: Interval; readonly volumeUnit: VolumeUnit }
    | { readonly kind: 'mark'; readonly interval: Interval }
    | { readonly kind: 'funding' }
  );

interface RowImportCommon extends FileFlags {
  /** File as the user wrote it. */
  readonly file: string;
  readonly archive: Archive;
  readonly instrumentId: InstrumentId;
  readonly replace: boolean;
  readonly skipBad?: true;
}

type RowReport = ImportReport | FundingImportReport;

/** Imports the rows of a file into an archive. */
export async function importRows(options: RowImport, context: CliContext): Promise<CommandResult> {
  const file = basename(options.file);
  const progress = new ProgressLine(context.stderr);
  try {
    const report = await importFile(options, context, (rows) => {
      progress.show(`reading ${file}: ${formatCount(rows)} rows`);
    });
    return { text: reportText(file, report), json: reportJson(file, report) };
  } finally {
    progress.clear();
  }
}

async function importFile(
  options: RowImport,
  context: CliContext,
  onProgress: (rows: number) => void,
): Promise<RowReport> {
  const { importCandles, importFunding, importMarks } = await import('../../archive/index.js');
  const common = {
    path: resolve(context.cwd, options.file),
    instrumentId: options.instrumentId,
    columns: options.columns,
    assumeUtc: options.utc,
    skipBad: options.skipBad,
    replace: options.replace,
    signal: context.signal,
    onProgress,
    readBinary: binaryReader(context),
  };
  switch (options.kind) {
    case 'candles':
      return importCandles(options.archive, {
        ...common,
        interval: options.interval,
        volumeUnit: options.volumeUnit,
      });
    case 'mark':
      return importMarks(options.archive, { ...common, interval: options.interval });
    case 'funding':
      return importFunding(options.archive, common);
  }
}

const FORMAT_NAMES: Readonly<Record<CandleFileFormat, string>> = {
  csv: 'CSV',
  'csv.gz': 'gzipped CSV',
  feather: 'Feather',
  parquet: 'Parquet',
};

function reportText(file: string, report: RowReport): string {
  const counts = [
    [report.added, 'added'],
    [report.replaced, 'overwritten'],
    [report.duplicates, 'stored already'],
    [report.repeated, 'repeated in the file'],
    [report.refused.count, 'refused'],
  ] as const;
  const did = counts
    .filter(([count, what]) => count > 0 || what === 'added')
    .map(([count, what]) => `${formatCount(count)} ${what}`);
  const refused = report.refused.examples.map(
    ({ row, reason }) => `  row ${String(row)}: ${reason}`,
  );
  return [
    `imported ${file} (${FORMAT_NAMES[report.format]}, times in ${report.timeFormat})`,
    `  ${formatCount(report.rowsRead)} rows: ${did.join(', ')}`,
    ...(report.unordered > 0 ? [`  ${formatCount(report.unordered)} were out of order`] : []),
    ...refused,
    ...(report.refused.count > refused.length ? ['  …'] : []),
    `  ${holdingLine(report.info)}`,
    '',
  ].join('\n');
}

function reportJson(file: string, report: RowReport): Readonly<Record<string, unknown>> {
  return {
    file,
    format: report.format,
    timeFormat: report.timeFormat,
    rowsRead: report.rowsRead,
    added: report.added,
    replaced: report.replaced,
    duplicates: report.duplicates,
    repeated: report.repeated,
    unordered: report.unordered,
    refused: report.refused,
    stored: holdingJson(report.info),
  };
}
