import { extname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ExportFormat } from '../../archive/index.js';
import {
  formatUtc,
  UsageError,
  type EpochMs,
  type Interval,
  type ProductKind,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { formatNoun } from './format.js';
import { giveResult } from './give-result.js';
import {
  archiveOption,
  instrumentOf,
  intervalOption,
  jsonOption,
  productOption,
  symbolOption,
  timeOption,
} from './options.js';

interface ExportFlags {
  readonly product: ProductKind;
  readonly symbol: string;
  readonly interval: Interval;
  readonly archive: string;
  readonly from?: EpochMs;
  readonly to?: EpochMs;
  readonly format?: ExportFormat;
  readonly json?: string;
}

const FORMATS = ['csv', 'feather', 'parquet'] as const satisfies readonly ExportFormat[];
const FORMAT_BY_EXTENSION: Readonly<Record<string, ExportFormat>> = {
  '.csv': 'csv',
  '.feather': 'feather',
  '.arrow': 'feather',
  '.parquet': 'parquet',
};

const DETAILS = `
CSV has the header time_ms,open,high,low,close,volume with times in UTC milliseconds;
Feather (version 2, uncompressed) and Parquet have open_time as a timestamp in UTC. An
existing file is overwritten, once the new one is whole.

Example:
  evenkeel data export btc.parquet --product spot --symbol BTCUSDT --interval 1h --from 2025-01-01
`;

/** Adds `data export`: stored candles into a file for other programs. */
export function addExportVerb(data: Command, context: CliContext): void {
  data
    .command('export')
    .summary('write candles as CSV, Feather or Parquet')
    .description('Writes stored candles to a file.')
    .argument('<file>', 'where to write; its ending says the format')
    .addOption(productOption().makeOptionMandatory())
    .addOption(symbolOption().makeOptionMandatory())
    .addOption(intervalOption().makeOptionMandatory())
    .addOption(archiveOption())
    .addOption(timeOption('from', 'first open time'))
    .addOption(timeOption('to', 'open time to stop at, exclusive'))
    .addOption(
      new Option('--format <format>', 'where the ending of the file does not say it').choices([
        ...FORMATS,
      ]),
    )
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((file: string, flags: ExportFlags) => runExport(file, flags, context));
}

async function runExport(file: string, flags: ExportFlags, context: CliContext): Promise<void> {
  const instrumentId = instrumentOf(flags.product, flags.symbol);
  const format = flags.format ?? FORMAT_BY_EXTENSION[extname(file).toLowerCase()];
  if (format === undefined) {
    throw new UsageError(
      'E_USAGE',
      `expected a file ending in ${Object.keys(FORMAT_BY_EXTENSION).join(', ')}, or --format, received ${file}`,
    );
  }
  await checkOutput(file, context);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const { exportCandles, openArchive } = await import('../../archive/index.js');
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const info = await archive.info(instrumentId, flags.interval);
  const columns = await archive.read(instrumentId, flags.interval, flags);
  const path = resolve(context.cwd, file);
  await exportCandles(columns, info, { path, format, signal: context.signal });
  const rows = columns.openTime.length;
  const first = formatUtc(columns.openTime[0] ?? Number.NaN);
  const last = formatUtc(columns.openTime.at(-1) ?? Number.NaN);
  await giveResult(
    context,
    {
      text: `wrote ${formatNoun(rows, 'row')} from ${first} to ${last} to ${file}\n`,
      json: { file, format, rows, first, last, volumeUnit: info.volumeUnit },
    },
    flags.json,
  );
}
