import { basename, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { DataError, parseDuration, UsageError } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { jobsOption } from '../threads/jobs.js';
import { checkOutput } from '../write-output.js';
import { checkedJson, checkedText, isDefective, type CheckedCandles } from './checked-candles.js';
import { addFileOptions, type FileFlags } from './file-options.js';
import { giveResult } from './give-result.js';
import {
  archiveOption,
  argument,
  intervalOption,
  isWanted,
  jsonOption,
  productOption,
  symbolOption,
  type SeriesOptions,
} from './options.js';
import { binaryReader } from './read-in-thread.js';

interface CheckFlags extends FileFlags, SeriesOptions {
  readonly archive: string;
  readonly maxGap?: number;
  readonly jobs?: number;
  readonly json?: string;
}

const EXIT_VIOLATION = 3;

const DETAILS = `
Without a file, checks every stored series that matches the filters, with its checksum
and metadata. With a file, checks its rows; --interval is their interval.

Defects end with exit code 3: a damaged file, a row that cannot be read, rows out of
order, duplicate times, times off the grid of the interval, numbers that are not finite,
prices not above 0, volumes below 0, high below low, open or close outside high and low,
and gaps longer than --max-gap. Mark prices: also closes more than 10 % from last.
Funding: also stamps off the minute, and rates beyond ±0.1. Other gaps and candles
without volume are normal in markets, and are only reported.
`;

/** Adds `data check`: looks for damage in stored candles or in a file. */
export function addCheckCommand(data: Command, context: CliContext): void {
  const command = data
    .command('check')
    .summary('find gaps and damage')
    .description(
      'Checks stored candles, mark prices, funding, rules and tiers, or the candles of a file.',
    )
    .argument('[file]', 'CSV (also gzipped), Feather or Parquet')
    .addOption(productOption())
    .addOption(symbolOption())
    .addOption(intervalOption())
    .addOption(archiveOption())
    .addOption(
      new Option(
        '--max-gap <duration>',
        'longest gap that is not a defect, such as 3h or 2d',
      ).argParser(argument(parseDuration)),
    )
    .addOption(jobsOption());
  addFileOptions(command)
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((file: string | undefined, flags: CheckFlags) => {
      if (file !== undefined) refuseBesideFile(command, file);
      return runCheck(file, flags, context);
    });
}

async function runCheck(
  file: string | undefined,
  flags: CheckFlags,
  context: CliContext,
): Promise<void> {
  refuseUnused(file, flags);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const checked =
    file === undefined
      ? await checkArchive(flags, context)
      : [await checkFile(file, flags, context)];
  if (checked.some(isDefective)) context.setExitCode(EXIT_VIOLATION);
  await giveResult(
    context,
    { text: checked.map(checkedText).join(''), json: checked.map(checkedJson) },
    flags.json,
  );
}

/** Options that choose stored series, and how they are checked. */
const OF_STORED = ['product', 'symbol', 'archive', 'jobs'];

/** @throws {UsageError} `E_USAGE` for an option of stored series beside a file. */
function refuseBesideFile(command: Command, file: string): void {
  const unused = OF_STORED.find((name) => command.getOptionValueSource(name) === 'cli');
  if (unused !== undefined)
    throw new UsageError(
      'E_USAGE',
      `--${unused} is for stored series: expected no file beside it, received ${file}`,
    );
}

/** @throws {UsageError} `E_USAGE` for an option that says how to read a file, without a file. */
function refuseUnused(file: string | undefined, { columns, utc }: CheckFlags): void {
  if (file !== undefined) return;
  const [name] = Object.entries({ columns, utc }).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError('E_USAGE', `--${name} needs a file`);
}

async function checkArchive(
  flags: CheckFlags,
  { cwd, signal }: CliContext,
): Promise<readonly CheckedCandles[]> {
  const { listKeys } = await import('../../archive/index.js');
  const { checkStored } = await import('./check-stored.js');
  const directory = resolve(cwd, flags.archive);
  const keys = (await listKeys(directory)).filter((key) => isWanted(key, flags));
  if (keys.length === 0) {
    throw new DataError(
      'E_DATA_MISSING',
      `the archive ${flags.archive} has no series that matches the filters`,
    );
  }
  return checkStored({ keys, directory, maxGapMs: flags.maxGap, jobs: flags.jobs, signal });
}

async function checkFile(
  file: string,
  flags: CheckFlags,
  context: CliContext,
): Promise<CheckedCandles> {
  if (flags.interval === undefined) {
    throw new UsageError('E_USAGE', 'a file needs --interval');
  }
  const { checkCandleFile } = await import('../../archive/index.js');
  const { check, unreadable } = await checkCandleFile({
    path: resolve(context.cwd, file),
    interval: flags.interval,
    columns: flags.columns,
    assumeUtc: flags.utc,
    maxGapMs: flags.maxGap,
    signal: context.signal,
    readBinary: binaryReader(context),
  });
  return { status: 'readable', name: basename(file), check, unreadable: unreadable.examples };
}
