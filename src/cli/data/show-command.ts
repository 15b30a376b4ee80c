import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import {
  formatUtc,
  parseInstrumentId,
  UsageError,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { formatCount, formatNoun } from './format.js';
import { giveResult } from './give-result.js';
import { archiveOption, argument, jsonOption, parseFileInterval } from './options.js';
import type { ShownSeries, ShownRows } from './show/stored-rows.js';

interface ShowFlags {
  readonly archive: string;
  readonly kind: ShownSeries['kind'];
  readonly json?: string;
}

const DETAILS = `
Name a series as data list shows it: product, symbol, interval. If the interval is not
stored, its candles are made of finer ones, as in a run. Users of a series are the files
of bots in this folder and in config/ that name it and this archive.

Examples:
  evenkeel data show spot:BTCUSDT 1h
  evenkeel data show futures:E-BTC-USDT 1min --kind mark
  evenkeel data show futures:E-BTC-USDT --kind funding
`;

const CHART_HEIGHT = 8;
/** Enough for the price of an exchange rate, such as 1.08345. */
const PRICE_DECIMALS = 8;
const DEFAULT_WIDTH = 80;
/** Most gaps that are listed one by one. */
const SHOWN_GAPS = 5;

/** Adds `data show`: shows one series. */
export function addShowCommand(data: Command, context: CliContext): void {
  data
    .command('show')
    .summary('show one series: range, gaps, a chart and its users')
    .description('Shows a series: first and last row, gaps, a chart, and which bots name it.')
    .argument(
      '<instrument>',
      'id of the instrument, for example spot:BTCUSDT',
      argument(parseInstrumentId),
    )
    .argument(
      '[interval]',
      'interval of candles and mark prices, for example 1h',
      argument<Interval>(parseFileInterval),
    )
    .addOption(
      new Option('--kind <kind>', 'kind of data to show')
        .choices(['candles', 'mark', 'funding'])
        .default('candles'),
    )
    .addOption(archiveOption())
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((instrumentId: InstrumentId, interval: Interval | undefined, flags: ShowFlags) =>
      runShow(seriesOf(instrumentId, interval, flags), flags, context),
    );
}

function seriesOf(
  instrumentId: InstrumentId,
  interval: Interval | undefined,
  { kind }: ShowFlags,
): ShownSeries {
  if (kind === 'funding') {
    if (interval === undefined) return { kind, instrumentId };
    throw new UsageError(
      'E_USAGE',
      `interval: expected none with --kind funding, received ${interval}`,
    );
  }
  if (interval !== undefined) return { kind, instrumentId, interval };
  throw new UsageError('E_USAGE', `interval: expected one with --kind ${kind}, received none`);
}

async function runShow(series: ShownSeries, flags: ShowFlags, context: CliContext): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const [{ openArchive }, { readShown }, { findUsers }] = await Promise.all([
    import('../../archive/index.js'),
    import('./show/stored-rows.js'),
    import('./find-users.js'),
  ]);
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const rows = await readShown(archive, series);
  const users = await findUsers(series, archive.directory, context);
  const chart = await drawValues(rows, context);
  const json = { ...rows.json, usedBy: users };
  await giveResult(context, { text: describe(rows, users, chart), json }, flags.json);
}

function describe(rows: ShownRows, users: readonly string[], chart: string): string {
  const { title, first, last, madeFrom, sources } = rows;
  const named = sources.slice(0, 3).join(', ');
  const more = sources.length > 3 ? `, … (${formatCount(sources.length)} in all)` : '';
  return [
    title,
    `  first    ${first}`,
    `  last     ${last}`,
    ...gapLines(rows),
    madeFrom === undefined
      ? `  sources  ${named}${more}`
      : `  made of  ${madeFrom}; it is not stored`,
    `  used by  ${users.length === 0 ? 'no bot in this folder or in config/' : users.join(', ')}`,
    ...(chart === '' ? [] : ['', chart]),
    '',
  ].join('\n');
}

function gapLines({ gaps }: ShownRows): readonly string[] {
  if (gaps === undefined) return [];
  if (gaps.length === 0) return ['  gaps     none'];
  const absent = gaps.reduce((sum, { missing }) => sum + missing, 0);
  const longest = gaps.toSorted((a, b) => b.missing - a.missing).slice(0, SHOWN_GAPS);
  return [
    `  gaps     ${formatCount(gaps.length)}, ${formatNoun(absent, 'candle')} missing`,
    ...longest.map(
      ({ from, to, missing }) =>
        `           ${formatCount(missing)} from ${formatUtc(from)} to ${formatUtc(to)}`,
    ),
  ];
}

/** Draws closes or rates, thinned to the width of the terminal. */
async function drawValues({ times, values }: ShownRows, { stdout }: CliContext): Promise<string> {
  const { renderEquityChart } = await import('../../report/index.js');
  const width = stdout.columns ?? DEFAULT_WIDTH;
  const step = Math.max(1, Math.floor(times.length / (8 * width)));
  const points: [number, string][] = [];
  for (let row = 0; row < times.length; row += step) {
    points.push([times[row] ?? Number.NaN, String(values[row])]);
  }
  return renderEquityChart(points, { width, height: CHART_HEIGHT, decimals: PRICE_DECIMALS });
}
