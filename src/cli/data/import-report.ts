import type {
  CandleFileFormat,
  FileReport,
  FundingImportReport,
  ImportReport,
} from '../../archive/index.js';
import { formatCount, formatNoun, holdingJson, holdingLine } from './format.js';

/** Result of an import of rows. */
export type RowReport = ImportReport | FundingImportReport;

const FORMAT_NAMES: Readonly<Record<CandleFileFormat, string>> = {
  csv: 'CSV',
  'csv.gz': 'gzipped CSV',
  'csv.zip': 'zipped CSV',
  feather: 'Feather',
  parquet: 'Parquet',
};

/** Most refused rows that are shown for all files together; the JSON has those of each file. */
const MOST_SHOWN = 10;

/** Describes an import for people. */
export function importText(report: RowReport): string {
  const { files } = report;
  const [first] = files;
  const isOne = files.length === 1;
  const sum = (count: (file: FileReport) => number): number =>
    files.reduce((total, file) => total + count(file), 0);
  const refusedCount = sum(({ refused }) => refused.count);
  const unordered = sum((file) => file.unordered);
  const counts = [
    [report.added, 'added'],
    [report.replaced, 'overwritten'],
    [report.duplicates, 'stored already'],
    [sum((file) => file.repeated), isOne ? 'repeated in the file' : 'repeated in a file'],
    [report.repeatedAcross, 'repeated in another file'],
    [refusedCount, 'refused'],
  ] as const;
  const did = counts
    .filter(([count, what]) => count > 0 || what === 'added')
    .map(([count, what]) => `${formatCount(count)} ${what}`);
  const examples = files.flatMap(({ name, refused }) =>
    refused.examples.map(
      ({ row, reason }) => `  ${isOne ? '' : `${name} `}row ${String(row)}: ${reason}`,
    ),
  );
  const shown = examples.slice(0, MOST_SHOWN);
  const named = isOne ? (first?.name ?? '') : `${formatCount(files.length)} files`;
  const continued = `${formatNoun(report.continued, 'file')} stored before the interruption`;
  return [
    `imported ${named} (${listed(files, ({ format }) => FORMAT_NAMES[format])}, times in ${listed(files, ({ timeFormat }) => timeFormat)})`,
    ...(report.continued > 0 ? [`  ${continued}, not read again`] : []),
    `  ${formatNoun(
      sum((file) => file.rowsRead),
      'row',
    )}: ${did.join(', ')}`,
    ...(unordered > 0 ? [`  ${formatNoun(unordered, 'was', 'were')} out of order`] : []),
    ...shown,
    ...(refusedCount > shown.length ? ['  …'] : []),
    `  ${holdingLine(report.info)}`,
    '',
  ].join('\n');
}

function listed(files: readonly FileReport[], nameOf: (file: FileReport) => string): string {
  return [...new Set(files.map(nameOf))].join(' and ');
}

/** Describes an import for programs: the report of one file, or a list for several. */
export function importJson(report: RowReport): Readonly<Record<string, unknown>> {
  const { added, replaced, duplicates, repeatedAcross, continued, files } = report;
  const merged = { added, replaced, duplicates };
  const stored = holdingJson(report.info);
  const [first] = files;
  if (files.length === 1 && first !== undefined && continued === 0) {
    return { ...fileJson(first), ...merged, stored };
  }
  return { files: files.map(fileJson), continued, ...merged, repeatedAcross, stored };
}

function fileJson({ name, ...report }: FileReport): Readonly<Record<string, unknown>> {
  return { file: name, ...report };
}
