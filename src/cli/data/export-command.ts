import { realpath } from 'node:fs/promises';
import { dirname, extname, relative, resolve, sep } from 'node:path';
import { Option, type Command } from 'commander';
import {
  PRODUCT_KINDS,
  UsageError,
  type EpochMs,
  type Interval,
  type ProductKind,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { exportRecords, type RecordExport } from './export-records.js';
import { exportRows, type RowExport } from './export-rows.js';
import { giveResult, type CommandResult } from './give-result.js';
import {
  archiveOption,
  instrumentOf,
  intervalOption,
  jsonOption,
  kindOption,
  productOption,
  symbolOption,
  requireRange,
  timeOption,
  type FileKind,
} from './options.js';

type Format = RowExport['format'] | RecordExport['format'];

interface ExportFlags {
  readonly kind: FileKind;
  readonly product: ProductKind;
  readonly symbol: string;
  readonly interval?: Interval;
  readonly archive: string;
  readonly from?: EpochMs;
  readonly to?: EpochMs;
  readonly format?: Format;
  readonly json?: string;
}

const ROW_FORMATS = {
  '.csv': 'csv',
  '.feather': 'feather',
  '.arrow': 'feather',
  '.parquet': 'parquet',
} as const satisfies Readonly<Record<string, RowExport['format']>>;

const RECORD_FORMATS = {
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
} as const satisfies Readonly<Record<string, RecordExport['format']>>;

const DETAILS = `
CSV has the header time_ms,open,high,low,close,volume with times in UTC milliseconds, or
time_ms,rate for funding; Feather (version 2, uncompressed) and Parquet have timestamps in
UTC. Rules and tiers are YAML or JSON with the keys of a bot's file. The file can be
imported again with the same --kind. An existing file is replaced when the new one is
complete.

Examples:
  evenkeel data export btc.parquet --product spot --symbol BTCUSDT --interval 1h --from 2025-01-01
  evenkeel data export tiers.yaml --kind tiers --product futures --symbol E-BTC-USDT
`;

/** Adds `data export`: writes stored rows or records to a file for other programs. */
export function addExportCommand(data: Command, context: CliContext): void {
  data
    .command('export')
    .summary('write candles, mark prices, funding, rules or tiers to a file')
    .description(
      'Writes candles, mark prices or funding as CSV, Feather or Parquet; rules or tiers as YAML or JSON.',
    )
    .argument('<file>', 'file to write; its ending selects the format')
    .addOption(kindOption('kind of data to write'))
    .addOption(productOption().makeOptionMandatory())
    .addOption(symbolOption().makeOptionMandatory())
    .addOption(intervalOption())
    .addOption(archiveOption())
    .addOption(timeOption('from', 'first time (of candles: open time)'))
    .addOption(timeOption('to', 'end time, exclusive'))
    .addOption(
      new Option(
        '--format <format>',
        'format, if the ending of the file does not select it',
      ).choices([...new Set([...Object.values(ROW_FORMATS), ...Object.values(RECORD_FORMATS)])]),
    )
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((file: string, flags: ExportFlags) => runExport(file, flags, context));
}

async function runExport(file: string, flags: ExportFlags, context: CliContext): Promise<void> {
  const write = prepareExport(file, flags, context);
  await checkOutput(file, context);
  await refuseStored(file, flags, context);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  await giveResult(context, await write(), flags.json);
}

/** @throws {UsageError} `E_USAGE` for a file among those of the archive, which it would destroy. */
async function refuseStored(
  file: string,
  { archive }: ExportFlags,
  { cwd }: CliContext,
): Promise<void> {
  const folder = await realpath(dirname(resolve(cwd, file)));
  const directory = await realpath(resolve(cwd, archive)).catch(() => undefined);
  if (directory === undefined) return;
  const [top] = relative(directory, folder).split(sep);
  if (!PRODUCT_KINDS.some((kind) => kind === top)) return;
  throw new UsageError(
    'E_USAGE',
    `expected a file that is not of the archive ${archive}, received ${file}`,
  );
}

/** Checks the command line, and returns the function that does the work. */
function prepareExport(
  file: string,
  flags: ExportFlags,
  context: CliContext,
): () => Promise<CommandResult> {
  const { kind, interval, from, to } = flags;
  requireRange(flags);
  const instrumentId = instrumentOf(flags.product, flags.symbol);
  const directory = resolve(context.cwd, flags.archive);
  const place = { file, directory, instrumentId };
  if (kind === 'rules' || kind === 'tiers') {
    refuse(kind, { interval, from, to });
    const format = formatOf(file, flags, RECORD_FORMATS);
    return () => exportRecords({ ...place, kind, format }, context);
  }
  const format = formatOf(file, flags, ROW_FORMATS);
  const rows = { ...place, format, from, to };
  if (kind === 'funding') {
    refuse(kind, { interval });
    return () => exportRows({ ...rows, kind }, context);
  }
  if (interval === undefined) {
    throw new UsageError('E_USAGE', `--kind ${kind} needs --interval`);
  }
  return () => exportRows({ ...rows, kind, interval }, context);
}

/** Refuses options that have no meaning for a kind, instead of ignoring them. */
function refuse(kind: FileKind, options: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new UsageError('E_USAGE', `--${given} does not go with --kind ${kind}`);
}

function formatOf<F extends Format>(
  file: string,
  { kind, format }: ExportFlags,
  byEnding: Readonly<Record<string, F>>,
): F {
  const ending = extname(file).toLowerCase();
  const found =
    format === undefined
      ? byEnding[ending]
      : Object.values(byEnding).find((candidate) => candidate === format);
  if (found !== undefined) return found;
  const formats = [...new Set(Object.values(byEnding))].join(', ');
  throw new UsageError(
    'E_USAGE',
    format === undefined
      ? `expected a file ending in ${Object.keys(byEnding).join(', ')}, or --format, received ${file}`
      : `expected --format ${formats} with --kind ${kind}, received ${format}`,
  );
}
