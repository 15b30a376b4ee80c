import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Archive, Gap, SeriesInfo } from '../../archive/index.js';
import {
  formatUtc,
  parseInstrumentId,
  type CandleColumns,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { formatCount, formatNoun, seriesJson } from './format.js';
import { giveResult } from './give-result.js';
import { archiveOption, argument, jsonOption, parseFileInterval } from './options.js';

interface ShowFlags {
  readonly archive: string;
  readonly json?: string;
}

const DETAILS = `
A series is called as data list calls it: product, symbol, interval. What uses it are the
files of bots in this folder and in config/ that name it and this archive.

Example:
  evenkeel data show spot:BTCUSDT 1h
`;

const CHART_HEIGHT = 8;
const DEFAULT_WIDTH = 80;
/** Gaps that are told one by one. */
const SHOWN_GAPS = 5;

/** Adds `data show`: one stored series. */
export function addShowCommand(data: Command, context: CliContext): void {
  data
    .command('show')
    .summary('show one series: range, gaps, a chart, what uses it')
    .description('Shows stored candles: first and last, gaps, a chart, and which bots name them.')
    .argument('<instrument>', 'for example spot:BTCUSDT', argument(parseInstrumentId))
    .argument('<interval>', 'for example 1h', argument<Interval>(parseFileInterval))
    .addOption(archiveOption())
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((instrumentId: InstrumentId, interval: Interval, flags: ShowFlags) =>
      runShow({ instrumentId, interval }, flags, context),
    );
}

interface Wanted {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
}

async function runShow(wanted: Wanted, flags: ShowFlags, context: CliContext): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const { instrumentId, interval } = wanted;
  const { findGaps, openArchive } = await import('../../archive/index.js');
  const archive: Archive = openArchive(resolve(context.cwd, flags.archive));
  const info = await archive.info(instrumentId, interval);
  const columns = await archive.read(instrumentId, interval);
  const { findUsers } = await import('./find-users.js');
  const users = await findUsers(wanted, archive.directory, context);
  const gaps = findGaps(columns.openTime, interval);
  const chart = await drawCloses(columns, context);
  const last = columns.openTime.length - 1;
  const json = {
    ...seriesJson(info),
    first: candleJson(columns, 0),
    last: candleJson(columns, last),
    gapList: gaps.map(({ from, to, missing }) => ({
      from: formatUtc(from),
      to: formatUtc(to),
      missing,
    })),
    usedBy: users,
  };
  const text = describe({ info, columns, gaps, users, chart });
  await giveResult(context, { text, json }, flags.json);
}

interface Shown {
  readonly info: SeriesInfo;
  readonly columns: CandleColumns;
  readonly gaps: readonly Gap[];
  readonly users: readonly string[];
  readonly chart: string;
}

function describe({ info, columns, gaps, users, chart }: Shown): string {
  const longest = gaps.toSorted((a, b) => b.missing - a.missing).slice(0, SHOWN_GAPS);
  return [
    `${info.instrumentId} ${info.interval}: ${formatNoun(info.rows, 'candle')}, volume in ${info.volumeUnit}`,
    `  first    ${candleLine(columns, 0)}`,
    `  last     ${candleLine(columns, columns.openTime.length - 1)}`,
    `  gaps     ${gaps.length === 0 ? 'none' : `${formatCount(gaps.length)}, ${formatNoun(info.missing, 'candle')} missing`}`,
    ...longest.map(
      ({ from, to, missing }) =>
        `           ${formatCount(missing)} from ${formatUtc(from)} to ${formatUtc(to)}`,
    ),
    `  sources  ${info.sources.slice(0, 3).join(', ')}${info.sources.length > 3 ? `, … (${formatCount(info.sources.length)} in all)` : ''}`,
    `  used by  ${users.length === 0 ? 'no bot in this folder or in config/' : users.join(', ')}`,
    ...(chart === '' ? [] : ['', chart]),
    '',
  ].join('\n');
}

const valueAt = (column: Float64Array, row: number): number => column[row] ?? Number.NaN;

function candleLine(columns: CandleColumns, row: number): string {
  const { openTime, open, high, low, close, volume } = columns;
  const prices = [open, high, low, close].map((column) => String(valueAt(column, row)));
  return `${formatUtc(valueAt(openTime, row))}  ${prices.join(' ')}  volume ${String(valueAt(volume, row))}`;
}

function candleJson(columns: CandleColumns, row: number): Readonly<Record<string, unknown>> {
  const { openTime, ...others } = columns;
  const at = (name: keyof typeof others): number => valueAt(others[name], row);
  return {
    openTime: formatUtc(valueAt(openTime, row)),
    open: at('open'),
    high: at('high'),
    low: at('low'),
    close: at('close'),
    volume: at('volume'),
  };
}

/** Closes, thinned to what a terminal can show. */
async function drawCloses(
  { openTime, close }: CandleColumns,
  { stdout }: CliContext,
): Promise<string> {
  const { renderEquityChart } = await import('../../report/index.js');
  const width = stdout.columns ?? DEFAULT_WIDTH;
  const step = Math.max(1, Math.floor(openTime.length / (8 * width)));
  const points: [number, string][] = [];
  for (let row = 0; row < openTime.length; row += step) {
    points.push([valueAt(openTime, row), String(valueAt(close, row))]);
  }
  return renderEquityChart(points, { width, height: CHART_HEIGHT });
}
