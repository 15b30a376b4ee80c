import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { MergeReport, SynthInstrument } from '../../archive/index.js';
import {
  DomainError,
  parseUtc,
  UsageError,
  type EpochMs,
  type Interval,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { formatNoun, seriesJson, seriesLine } from './format.js';
import { giveResult } from './give-result.js';
import { addSynthInstrument } from './synth-instrument.js';
import { archiveOption, argument, intervalOption, jsonOption, timeOption } from './options.js';

interface SynthFlags {
  readonly instrument: readonly SynthInstrument[];
  readonly interval: Interval;
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly seed: number;
  readonly origin?: EpochMs;
  readonly correlation: number;
  readonly archive: string;
  readonly replace?: true;
  readonly json?: string;
}

const EXAMPLE = `
The candles are no forecast and no history: prices walk at random, with clustered
volatility, jumps, volume that follows volatility and the time of day, on a tick grid
and without gaps. The same options give the same bytes on every machine. With the same
seed and origin, other intervals, ranges and sets of instruments show the same market.

Example:
  evenkeel data synth --seed 1 --interval 1h --from 2025-01-01 --to 2025-07-01 \\
    --instrument spot:BTCUSDT,price=62000,volatility=0.5,volume=20000 --instrument spot:ETHUSDT,price=3400
`;

/** Adds `data synth`: seeded candles into an archive. */
export function addSynthVerb(data: Command, context: CliContext): void {
  data
    .command('synth')
    .summary('make seeded candles')
    .description('Makes candles of a market that never was and stores them.')
    .addOption(
      new Option(
        '--instrument <spec>',
        'spot:SYMBOL, then any of price=100 volatility=0.6 (a year, 1 is 100 %) volume=10000 (base, a day) price-precision=2 ' +
          'quantity-precision=5, separated by commas; repeatable',
      )
        .argParser(addSynthInstrument)
        .makeOptionMandatory(),
    )
    .addOption(intervalOption().makeOptionMandatory())
    .addOption(timeOption('from', 'open time of the first candle').makeOptionMandatory())
    .addOption(timeOption('to', 'end of the last candle, exclusive').makeOptionMandatory())
    .addOption(new Option('--seed <number>', 'whole number').argParser(parseSeed).default(1))
    .addOption(
      new Option('--origin <time>', 'where the paths start, UTC (default: --from)').argParser(
        argument<EpochMs>(parseUtc),
      ),
    )
    .addOption(
      new Option('--correlation <share>', 'of any two instruments, from 0 to 1')
        .argParser(parseShare)
        .default(0.7),
    )
    .addOption(archiveOption())
    .option('--replace', 'overwrite stored candles that have other values')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLE)
    .action((flags: SynthFlags) => runSynth(flags, context));
}

async function runSynth(flags: SynthFlags, context: CliContext): Promise<void> {
  const { openArchive, synthesizeCandles } = await import('../../archive/index.js');
  const options = {
    seed: flags.seed,
    interval: flags.interval,
    from: flags.from,
    to: flags.to,
    origin: flags.origin,
    correlation: flags.correlation,
    instruments: flags.instrument,
  };
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const reports: MergeReport[] = [];
  for (const series of asUsage(() => synthesizeCandles(options))) {
    context.signal.throwIfAborted();
    reports.push(
      await archive.merge(series, {
        source: series.source,
        volumeUnit: 'base',
        replace: flags.replace,
        signal: context.signal,
      }),
    );
  }
  await giveResult(
    context,
    {
      text: reports.map(reportLine).join(''),
      json: reports.map(({ info, added, duplicates, replaced }) => ({
        added,
        duplicates,
        replaced,
        stored: seriesJson(info),
      })),
    },
    flags.json,
  );
}

/** What the generator refuses was said on the command line. */
function asUsage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError(error.code, error.message, { cause: error });
  }
}

function reportLine({ info, added, duplicates, replaced }: MergeReport): string {
  const before = duplicates > 0 ? `, ${formatNoun(duplicates, 'row')} were there already` : '';
  const overwritten = replaced > 0 ? `, ${formatNoun(replaced, 'row')} overwritten` : '';
  return `made ${formatNoun(added, 'row')}${before}${overwritten}\n  ${seriesLine(info)}\n`;
}

function parseSeed(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

function parseShare(text: string): number {
  if (!/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text)) {
    throw new InvalidArgumentError('expected a number from 0 to 1');
  }
  return Number(text);
}
