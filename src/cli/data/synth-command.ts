import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type {
  Archive,
  FundingMergeReport,
  MergeReport,
  SynthInstrument,
  SynthMarket,
  VolumeUnit,
} from '../../archive/index.js';
import {
  DomainError,
  parseInterval,
  parseUtc,
  splitInstrumentId,
  UsageError,
  type EpochMs,
  type Interval,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { formatNoun, holdingJson, holdingLine } from './format.js';
import { giveResult } from './give-result.js';
import { addSynthInstrument } from './synth-instrument.js';
import {
  archiveOption,
  argument,
  intervalOption,
  jsonOption,
  timeOption,
  VOLUME_UNIT_CHOICES,
} from './options.js';

interface SynthFlags {
  readonly instrument: readonly SynthInstrument[];
  readonly interval: Interval;
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly seed: number;
  readonly origin?: EpochMs;
  readonly correlation: number;
  readonly markInterval?: Interval;
  readonly volumeUnit: VolumeUnit;
  readonly archive: string;
  readonly replace?: true;
  readonly json?: string;
}

const EXAMPLE = `
The candles are no forecast and no history. Prices are a random walk on a tick grid, with
clustered volatility and jumps, without gaps. Volume follows volatility and the time of
day. The same options give the same bytes on every machine. With the same seed and origin,
other intervals, ranges and sets of instruments show the same market. Margin has the
prices of the spot symbol of the same name; like=spot:BTCUSDT takes those of another
instrument, which needs the same price and volatility.

A futures symbol has the prices of its market as mark prices, last prices near them, and
funding every 8 hours that follows the premium of last over mark. Its volume counts
contracts.

Example:
  evenkeel data synth --seed 1 --interval 1h --from 2025-01-01 --to 2025-07-01 \\
    --instrument spot:BTCUSDT,price=62000,volatility=0.5,volume=20000 \\
    --instrument spot:ETHUSDT,price=3400
`;

/** Adds `data synth`: writes seeded candles to an archive. */
export function addSynthCommand(data: Command, context: CliContext): void {
  data
    .command('synth')
    .summary('make random candles from a seed')
    .description('Makes candles of a random market from a seed, and stores them.')
    .addOption(
      new Option(
        '--instrument <spec>',
        'spot:SYMBOL, margin:SYMBOL or futures:SYMBOL, then any of price=100 volatility=0.6 (per year, 1 is 100 %) ' +
          'volume=10000 (per day) price-precision=2 quantity-precision=5 (futures: 0) like=INSTRUMENT, separated by commas; repeatable',
      )
        .argParser(addSynthInstrument)
        .makeOptionMandatory(),
    )
    .addOption(intervalOption().makeOptionMandatory())
    .addOption(timeOption('from', 'open time of the first candle').makeOptionMandatory())
    .addOption(timeOption('to', 'end of the last candle, exclusive').makeOptionMandatory())
    .addOption(
      new Option('--seed <number>', 'seed of the random market, a whole number')
        .argParser(parseSeed)
        .default(1),
    )
    .addOption(
      new Option('--origin <time>', 'start of the price paths, UTC (default: --from)').argParser(
        argument<EpochMs>(parseUtc),
      ),
    )
    .addOption(
      new Option('--correlation <share>', 'correlation of any two instruments, from 0 to 1')
        .argParser(parseShare)
        .default(0.7),
    )
    .addOption(
      new Option(
        '--mark-interval <interval>',
        'interval of the mark prices of futures (default: --interval)',
      ).argParser(argument<Interval>(parseInterval)),
    )
    .addOption(
      new Option('--volume-unit <unit>', 'unit of the volume of futures')
        .choices([...VOLUME_UNIT_CHOICES])
        .default('contracts'),
    )
    .addOption(archiveOption())
    .option('--replace', 'overwrite stored candles that have different values')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLE)
    .action((flags: SynthFlags) => runSynth(flags, context));
}

type SynthReport = MergeReport | FundingMergeReport;

async function runSynth(flags: SynthFlags, context: CliContext): Promise<void> {
  const { openArchive, synthesizeMarkets } = await import('../../archive/index.js');
  const options = {
    seed: flags.seed,
    interval: flags.interval,
    markInterval: flags.markInterval,
    from: flags.from,
    to: flags.to,
    origin: flags.origin,
    correlation: flags.correlation,
    instruments: flags.instrument,
  };
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const reports: SynthReport[] = [];
  for (const market of asUsage(() => synthesizeMarkets(options))) {
    reports.push(...(await store(market, archive, flags, context)));
  }
  await giveResult(
    context,
    {
      text: reports.map(reportLine).join(''),
      json: reports.map(({ info, added, duplicates, replaced }) => ({
        added,
        duplicates,
        replaced,
        stored: holdingJson(info),
      })),
    },
    flags.json,
  );
}

async function store(
  { candles, marks, funding }: SynthMarket,
  archive: Archive,
  flags: SynthFlags,
  { signal }: CliContext,
): Promise<readonly SynthReport[]> {
  const { instrumentId, source } = candles;
  const merge = { source, replace: flags.replace, signal };
  const isContract = splitInstrumentId(instrumentId).kind === 'futures';
  const volumeUnit = isContract ? flags.volumeUnit : 'base';
  signal.throwIfAborted();
  const reports: SynthReport[] = [await archive.merge(candles, { ...merge, volumeUnit })];
  if (marks !== undefined) reports.push(await archive.mergeMarks(marks, merge));
  // A range shorter than a period may hold no settlement.
  if (funding !== undefined && funding.time.length > 0) {
    reports.push(await archive.mergeFunding(instrumentId, funding, merge));
  }
  return reports;
}

/** Turns refusals of the generator into usage errors: all its inputs come from the command line. */
function asUsage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError(error.code, error.message, { cause: error });
  }
}

function reportLine({ info, added, duplicates, replaced }: SynthReport): string {
  const before =
    duplicates > 0 ? `, ${formatNoun(duplicates, 'row was', 'rows were')} there already` : '';
  const overwritten = replaced > 0 ? `, ${formatNoun(replaced, 'row')} overwritten` : '';
  return `made ${formatNoun(added, 'row')}${before}${overwritten}\n  ${holdingLine(info)}\n`;
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
