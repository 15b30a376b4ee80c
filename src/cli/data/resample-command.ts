import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import {
  DomainError,
  parseInterval,
  resampleCandles,
  UsageError,
  type Interval,
  type ProductKind,
  type ResampledCandles,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { formatNoun, holdingJson, holdingLine } from './format.js';
import { giveResult } from './give-result.js';
import {
  archiveOption,
  argument,
  instrumentOf,
  intervalOption,
  jsonOption,
  productOption,
  symbolOption,
} from './options.js';

interface ResampleFlags {
  readonly product: ProductKind;
  readonly symbol: string;
  readonly interval: Interval;
  readonly to: Interval;
  readonly complete?: true;
  readonly archive: string;
  readonly replace?: true;
  readonly json?: string;
}

const DETAILS = `
A candle has the open of its first part, the close of its last, the extremes of all and
the exact sum of their volumes. If parts are missing, it is made of the stored ones;
--complete leaves it out. Nothing is interpolated.

Example:
  evenkeel data resample --product spot --symbol BTCUSDT --interval 1min --to 4h
`;

/** Adds `data resample`: makes stored candles of a longer interval from those of a shorter one. */
export function addResampleCommand(data: Command, context: CliContext): void {
  data
    .command('resample')
    .summary('make longer candles from shorter ones')
    .description('Makes candles of a longer interval from stored candles, and stores them.')
    .addOption(productOption().makeOptionMandatory())
    .addOption(symbolOption().makeOptionMandatory())
    .addOption(intervalOption().makeOptionMandatory())
    .addOption(
      new Option('--to <interval>', 'interval to make')
        .argParser(argument<Interval>(parseInterval))
        .makeOptionMandatory(),
    )
    .option('--complete', 'leave out candles with missing parts')
    .addOption(archiveOption())
    .option('--replace', 'overwrite stored candles that have different values')
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((flags: ResampleFlags) => runResample(flags, context));
}

async function runResample(flags: ResampleFlags, context: CliContext): Promise<void> {
  const { product, symbol, interval, to } = flags;
  const instrumentId = instrumentOf(product, symbol);
  if (interval === to) {
    throw new UsageError(
      'E_USAGE',
      `the candles already have the interval ${to}: name another one with --to`,
    );
  }
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const { isSynthetic, openArchive } = await import('../../archive/index.js');
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const { volumeUnit, sources } = await archive.info(instrumentId, interval);
  // Candles that are made of random ones are random.
  const source = [`resampled ${interval}`, ...sources.filter(isSynthetic)];
  const stored = await archive.read(instrumentId, interval, { verify: true });
  const complete = flags.complete === true ? 'all' : 'any';
  const made = asUsage(() => resampleCandles(stored, interval, to, { complete }));
  const partial = made.missing.filter((missing) => missing > 0).length;
  const { info, added, duplicates, replaced } = await archive.merge(
    { instrumentId, interval: to, columns: made.columns },
    { source, volumeUnit, replace: flags.replace, signal: context.signal },
  );
  const left = made.dropped > 0 ? `, ${formatNoun(made.dropped, 'incomplete one')} left out` : '';
  await giveResult(
    context,
    {
      text: `made ${formatNoun(made.columns.openTime.length, 'candle')}, ${String(partial)} of them without all parts${left}\n  ${holdingLine(info)}\n`,
      json: {
        added,
        duplicates,
        replaced,
        partial,
        dropped: made.dropped,
        stored: holdingJson(info),
      },
    },
    flags.json,
  );
}

/** The intervals come from the command line, so intervals that do not fit are a usage error. */
function asUsage(make: () => ResampledCandles): ResampledCandles {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'E_RESAMPLE_INTERVAL') throw error;
    throw new UsageError(error.code, error.message, { cause: error });
  }
}
