import { basename, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { CandleFileFormat, ImportReport, VolumeUnit } from '../../archive/index.js';
import { UsageError, type Interval, type ProductKind } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { checkOutput } from '../write-output.js';
import { addFileOptions, type FileFlags } from './file-options.js';
import { formatCount, seriesJson, seriesLine } from './format.js';
import { giveResult } from './give-result.js';
import {
  archiveOption,
  instrumentOf,
  intervalOption,
  jsonOption,
  productOption,
  symbolOption,
} from './options.js';

interface ImportFlags extends FileFlags {
  readonly product: ProductKind;
  readonly symbol: string;
  readonly interval: Interval;
  readonly archive: string;
  readonly volumeUnit?: VolumeUnit;
  readonly replace?: true;
  readonly skipBad?: true;
  readonly json?: string;
}

const VOLUME_UNITS = ['base', 'quote', 'contracts'] as const satisfies readonly VolumeUnit[];

const DETAILS = `
The content says what a file is, not its name: CSV, gzipped or not; Feather (version 2)
and Parquet as pandas writes them. CSV needs a header with time, open, high, low, close
and volume under usual names, or none in the dump of twelve columns. Times are seconds,
milliseconds, microseconds or nanoseconds since 1970, or ISO 8601 with a zone.

Rows are put in order of time, and repetitions of equal rows are dropped. A row that
cannot be read or that no candle can have ends the import, with its number, and nothing
is stored; with --skip-bad such rows are counted and left out. A candle that is stored
with other values is an error; with --replace it is overwritten. The volume is stored as
it is; --volume-unit says what it counts.

Example:
  evenkeel data import BTCUSD-1m.csv.gz --product spot --symbol BTCUSD --interval 1min
`;

/** Adds `data import`: the candles of a file into an archive. */
export function addImportVerb(data: Command, context: CliContext): void {
  const verb = data
    .command('import')
    .summary('read candles from CSV, Feather or Parquet')
    .description('Reads the candles of a file and stores them.')
    .argument('<file>', 'CSV (also gzipped), Feather or Parquet')
    .addOption(productOption().makeOptionMandatory())
    .addOption(symbolOption().makeOptionMandatory())
    .addOption(intervalOption().makeOptionMandatory())
    .addOption(archiveOption())
    .addOption(
      new Option(
        '--volume-unit <unit>',
        'what the volume counts (default: base; futures have none)',
      ).choices([...VOLUME_UNITS]),
    );
  addFileOptions(verb)
    .option('--skip-bad', 'leave out bad rows and count them')
    .option('--replace', 'overwrite stored candles that have other values')
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((file: string, flags: ImportFlags) => runImport(file, flags, context));
}

async function runImport(file: string, flags: ImportFlags, context: CliContext): Promise<void> {
  const instrumentId = instrumentOf(flags.product, flags.symbol);
  const volumeUnit = flags.volumeUnit ?? defaultVolumeUnit(flags.product);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const { importCandles, openArchive } = await import('../../archive/index.js');
  const progress = new ProgressLine(context.stderr);
  try {
    const report = await importCandles(openArchive(resolve(context.cwd, flags.archive)), {
      path: resolve(context.cwd, file),
      instrumentId,
      interval: flags.interval,
      volumeUnit,
      columns: flags.columns,
      assumeUtc: flags.utc,
      skipBad: flags.skipBad,
      replace: flags.replace,
      signal: context.signal,
      onProgress: (rows) => {
        progress.show(`reading ${basename(file)}: ${formatCount(rows)} rows`);
      },
    });
    progress.clear();
    await giveResult(
      context,
      { text: reportText(basename(file), report), json: reportJson(basename(file), report) },
      flags.json,
    );
  } finally {
    progress.clear();
  }
}

function defaultVolumeUnit(product: ProductKind): VolumeUnit {
  if (product !== 'futures') return 'base';
  throw new UsageError(
    'E_USAGE',
    `expected --volume-unit ${VOLUME_UNITS.join(', ')} for futures, whose files count volume differently, received none`,
  );
}

const FORMAT_NAMES: Readonly<Record<CandleFileFormat, string>> = {
  csv: 'CSV',
  'csv.gz': 'gzipped CSV',
  feather: 'Feather',
  parquet: 'Parquet',
};

function reportText(file: string, report: ImportReport): string {
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
    `  ${seriesLine(report.info)}`,
    '',
  ].join('\n');
}

function reportJson(file: string, report: ImportReport): Readonly<Record<string, unknown>> {
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
    stored: seriesJson(report.info),
  };
}
