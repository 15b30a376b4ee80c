import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import type { Archive, VolumeUnit } from '../../archive/index.js';
import {
  FIXED_ZERO,
  parseFixed,
  UsageError,
  type EpochMs,
  type Fixed,
  type Interval,
  type ProductKind,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { addFileOptions, type FileFlags } from './file-options.js';
import { findFiles, isFolder, type FoundFile } from './find-files.js';
import { giveResult, type CommandResult } from './give-result.js';
import {
  archiveOption,
  argument,
  instrumentOf,
  intervalOption,
  jsonOption,
  kindOption,
  parseFileInterval,
  productOption,
  symbolOption,
  timeOption,
  VOLUME_UNIT_CHOICES,
  type FileKind,
} from './options.js';

interface ImportFlags extends FileFlags {
  readonly kind: FileKind;
  readonly product: ProductKind;
  readonly symbol: string;
  readonly as?: string;
  readonly interval?: Interval;
  readonly archive: string;
  readonly volumeUnit?: VolumeUnit;
  readonly from?: EpochMs;
  readonly multiplier?: Fixed;
  readonly replace?: true;
  readonly skipBad?: true;
  readonly json?: string;
}

const DETAILS = `
The content of a file selects its format, not the name: CSV, gzipped or not, alone or in
ZIP archives; Feather (version 2) and Parquet as pandas writes them. A folder stands for
all such files in it, a pattern ('BTCUSDT-1m-*.zip', '**' for folders) for all matches. A
file is stored completely or not at all. After an interruption or a bad file, the same
command continues from there. CSV needs a header with time, open, high, low, close and
volume under usual names; only the dump of twelve columns needs none. Times are seconds,
milliseconds, microseconds or nanoseconds since 1970, or ISO 8601 with a zone.

Rows are sorted by time, and equal duplicates are dropped. A row that cannot be read or
has impossible values ends the import with its number, and nothing is stored; --skip-bad
counts and leaves out such rows. A stored candle with different values is an error;
--replace overwrites it. The volume is stored unchanged; --volume-unit is its unit.

--kind mark takes mark prices, which need no volume. --kind funding takes a time and a
rate as a ratio (0.0001 is 0.01 %); stamps snap to the minute.

--kind rules and --kind tiers take one --symbol from a file of exchange information or of
leverage brackets (JSON, gzipped or not), or from YAML with the keys of a bot's file.
--as is the symbol of the bot's venue. The record is valid from --from on.

Examples:
  evenkeel data import BTCUSD-1m.csv.gz --product spot --symbol BTCUSD --interval 1min
  evenkeel data import 'dumps/BTCUSDT-1m-*.zip' --product spot --symbol BTCUSDT --interval 1m
  evenkeel data import funding.csv.gz --kind funding --product futures --symbol E-BTC-USDT
  evenkeel data import exchangeInfo.json.gz --kind rules --product futures \\
    --symbol BTCUSDT --as E-BTC-USDT --multiplier 0.001
`;

/** Adds `data import`: reads files into an archive. */
export function addImportCommand(data: Command, context: CliContext): void {
  const command = data
    .command('import')
    .summary('import candles, mark prices, funding, rules or tiers')
    .description(
      'Imports candles, mark prices, funding rates, venue rules or leverage tiers from files.',
    )
    .argument(
      '<files...>',
      'files, folders or patterns: CSV (also gzipped or in ZIP archives), Feather or Parquet; JSON or YAML of rules and tiers',
    )
    .addOption(kindOption('kind of data in the file'))
    .addOption(productOption().makeOptionMandatory())
    .addOption(symbolOption().makeOptionMandatory())
    .addOption(intervalOption(parseFileInterval))
    .addOption(archiveOption())
    .addOption(
      new Option(
        '--volume-unit <unit>',
        'unit of the volume (default: base; required for futures)',
      ).choices([...VOLUME_UNIT_CHOICES]),
    );
  addFileOptions(command)
    .addOption(
      new Option(
        '--as <symbol>',
        'for rules and tiers: symbol to store them under, if the file has another',
      ),
    )
    .addOption(timeOption('from', 'for rules and tiers: start of validity (default: 1970)'))
    .addOption(
      new Option(
        '--multiplier <base>',
        'for rules of futures: face value of a contract, if the file counts base (default: its step)',
      ).argParser(argument(parseMultiplier)),
    )
    .option('--skip-bad', 'leave out bad rows and count them')
    .option('--replace', 'overwrite stored rows that have different values')
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((files: string[], flags: ImportFlags) => runImport(files, flags, context));
}

async function runImport(
  names: readonly string[],
  flags: ImportFlags,
  context: CliContext,
): Promise<void> {
  refuseForeignFlags(flags);
  const { kind } = flags;
  const [name = ''] = names;
  if (isOfRecords(kind) && (await isFolder(resolve(context.cwd, name))))
    throw new UsageError('E_USAGE', `--kind ${kind} takes one file, received the folder ${name}`);
  const importFile = prepareImport(await findFiles(context.cwd, names), flags, context);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  await giveResult(context, await importFile(), flags.json);
}

/** Checks the command line, and returns the function that does the work. */
function prepareImport(
  files: readonly FoundFile[],
  flags: ImportFlags,
  context: CliContext,
): () => Promise<CommandResult> {
  const { kind, product, symbol, interval } = flags;
  const instrumentId = instrumentOf(
    product,
    flags.as ?? symbol,
    flags.as === undefined ? 'symbol' : 'as',
  );
  const replace = flags.replace ?? false;
  const openTarget = async (): Promise<Archive> => {
    const { openArchive } = await import('../../archive/index.js');
    return openArchive(resolve(context.cwd, flags.archive));
  };
  if (isOfRecords(kind)) {
    const { from = 0, multiplier } = flags;
    if (multiplier !== undefined && product !== 'futures')
      throw new UsageError('E_USAGE', `--multiplier is for --product futures, received ${product}`);
    const file = requireOne(files, kind);
    return async () => {
      const { importRecords } = await import('./import-records.js');
      return importRecords(
        {
          kind,
          file,
          archive: await openTarget(),
          instrumentId,
          symbol,
          from,
          multiplier,
          replace,
        },
        context,
      );
    };
  }
  const rows = { ...flags, files, instrumentId, replace };
  if (kind === 'funding') {
    return async () =>
      (await loadImportRows())({ ...rows, kind, archive: await openTarget() }, context);
  }
  if (interval === undefined) {
    throw new UsageError('E_USAGE', `--kind ${kind} needs --interval`);
  }
  if (kind === 'mark') {
    return async () =>
      (await loadImportRows())({ ...rows, kind, interval, archive: await openTarget() }, context);
  }
  const volumeUnit = flags.volumeUnit ?? defaultVolumeUnit(product);
  return async () =>
    (await loadImportRows())(
      { ...rows, kind, interval, volumeUnit, archive: await openTarget() },
      context,
    );
}

/** Whether one file has the records of many instruments: an option selects one of them. */
function isOfRecords(kind: FileKind): kind is 'rules' | 'tiers' {
  return kind === 'rules' || kind === 'tiers';
}

/** Returns the only file. Rules and tiers come from one file; an option selects the symbol in it. */
function requireOne(files: readonly FoundFile[], kind: FileKind): string {
  const [file, second] = files;
  if (file !== undefined && second === undefined) return file.name;
  throw new UsageError('E_USAGE', `--kind ${kind} takes one file, received ${files.length}`);
}

const loadImportRows = async () => (await import('./import-rows.js')).importRows;

/** Options with the kinds that they apply to. With another kind an option is refused instead of ignored. */
const FLAGS_BY_KIND = {
  interval: ['candles', 'mark'],
  volumeUnit: ['candles'],
  columns: ['candles', 'mark', 'funding'],
  utc: ['candles', 'mark', 'funding'],
  skipBad: ['candles', 'mark', 'funding'],
  as: ['rules', 'tiers'],
  from: ['rules', 'tiers'],
  multiplier: ['rules'],
} as const satisfies Partial<Record<keyof ImportFlags, readonly ImportFlags['kind'][]>>;

function refuseForeignFlags(flags: ImportFlags): void {
  for (const [name, kinds] of Object.entries(FLAGS_BY_KIND)) {
    const isGiven = flags[name as keyof typeof FLAGS_BY_KIND] !== undefined;
    const allowed: readonly string[] = kinds;
    if (!isGiven || allowed.includes(flags.kind)) continue;
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(
      'E_USAGE',
      `--${option} goes with --kind ${kinds.join(' or ')} only, not with --kind ${flags.kind}`,
    );
  }
}

function parseMultiplier(text: string): Fixed {
  const multiplier = parseFixed(text);
  if (multiplier > FIXED_ZERO) return multiplier;
  throw new UsageError('E_USAGE', `expected a multiplier above 0, received "${text}"`);
}

function defaultVolumeUnit(product: ProductKind): VolumeUnit {
  if (product !== 'futures') return 'base';
  throw new UsageError(
    'E_USAGE',
    `futures need --volume-unit (${VOLUME_UNIT_CHOICES.join(', ')}), because their files count volume differently`,
  );
}
