import { resolve } from 'node:path';
import type { Command } from 'commander';

import type { Archive, CandleGap, SeriesInfo } from '../../archive/index.js';
import {
  formatUtc,
  UsageError,
  VENUE_INTERVALS,
  type EpochMs,
  type InstrumentId,
  type Interval,
  type ProductKind,
  type VenueInterval,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { addVenueOptions, type VenueFlags } from '../venue/venue-options.js';
import { checkOutput } from '../write-output.js';
import { downloadCandles, reachError, type DownloadReport } from './download-candles.js';
import { formatCount, formatNoun, gapJson, seriesJson, seriesLine } from './format.js';
import { giveResult } from './give-result.js';
import {
  archiveOption,
  instrumentOf,
  intervalOption,
  jsonOption,
  productOption,
  symbolOption,
  requireRange,
  timeOption,
} from './options.js';

interface DownloadFlags extends VenueFlags {
  readonly product: ProductKind;
  readonly symbol: string;
  readonly interval: Interval;
  readonly archive: string;
  readonly from?: EpochMs;
  readonly to?: EpochMs;
  readonly json?: string;
}

const DETAILS = `
Requests candles in pages, oldest first, within the venue's limits, and stores each page
at once. After an interruption, the same command continues from there. Stored candles do
not change. Gaps are requested again. The open candle is left out.

The venue's interface serves the newest 300 candles and has no start time. Newer servers
accept startTime and endTime; the command tests this. If the venue ignores them and --from
is too old, the command stores the available candles and fails with the oldest time that
the venue serves. Without --from it takes the newest candles.

Example:
  evenkeel data download --product spot --symbol BTCUSDT --interval 1min \\
    --from 2025-01-01 --to 2025-02-01
`;

/** Adds `data download`: downloads candles of the venue into an archive. */
export function addDownloadCommand(data: Command, context: CliContext): void {
  const command = data
    .command('download')
    .summary('download candles from the venue')
    .description("Downloads the venue's candles and stores them.")
    .addOption(productOption().makeOptionMandatory())
    .addOption(symbolOption().makeOptionMandatory())
    .addOption(intervalOption().makeOptionMandatory())
    .addOption(timeOption('from', 'first open time'))
    .addOption(timeOption('to', 'end of the open times, exclusive'))
    .addOption(archiveOption());
  addVenueOptions(command)
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((flags: DownloadFlags) => runDownload(flags, context));
}

async function runDownload(flags: DownloadFlags, context: CliContext): Promise<void> {
  const { product, symbol, from, to } = flags;
  const instrumentId = instrumentOf(product, symbol);
  const interval = venueInterval(flags.interval);
  requireRange(flags);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const [{ connectVenue, venueHosts }, { RestMarketData }, { openArchive }] = await Promise.all([
    import('../venue/connect-venue.js'),
    import('../../client/index.js'),
    import('../../archive/index.js'),
  ]);
  const hosts = venueHosts(flags, context);
  const host = product === 'futures' ? 'futures' : 'spot';
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const client = connectVenue({ hosts });
  const progress = new ProgressLine(context.stderr);
  try {
    const report = await downloadCandles({
      archive,
      marketData: new RestMarketData(client, { klinesHaveStartTime: true }),
      instrumentId,
      interval,
      from,
      to,
      now: await client.serverTime(host, context.signal),
      volumeUnit: product === 'futures' ? 'contracts' : 'base',
      source: `klines of ${new URL(hosts[host].origin).hostname}`,
      signal: context.signal,
      onProgress: ({ at, candles, calls, to: end }) => {
        const done = `${formatNoun(candles, 'candle')} in ${formatNoun(calls, 'call')}`;
        progress.show(
          `${instrumentId} ${interval}: ${done}, at ${formatUtc(at)} of ${formatUtc(end)}`,
        );
      },
    });
    progress.clear();
    await giveReport(report, { archive, instrumentId, interval }, flags.json, context);
    if (report.reach !== undefined) throw reachError(report, report.reach);
  } finally {
    progress.clear();
    await client.close();
  }
}

function venueInterval(interval: Interval): VenueInterval {
  const served = VENUE_INTERVALS.find((candidate) => candidate === interval);
  if (served !== undefined) return served;
  throw new UsageError(
    'E_USAGE',
    `expected an interval the venue serves (${VENUE_INTERVALS.join(' ')}), received ${interval}`,
  );
}

interface Stored {
  readonly archive: Archive;
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
}

async function giveReport(
  report: DownloadReport,
  { archive, instrumentId, interval }: Stored,
  target: string | undefined,
  context: CliContext,
): Promise<void> {
  const { findGaps } = await import('../../archive/index.js');
  const info = await archive.info(instrumentId, interval);
  const { openTime } = await archive.read(instrumentId, interval);
  const wanted = openTime.filter((time) => time >= report.from && time < report.to);
  const gaps = findGaps(wanted, interval);
  const text = reportText(report, { info, gaps, wanted });
  const json = {
    from: formatUtc(report.from),
    to: formatUtc(report.to),
    calls: report.calls,
    added: report.added,
    rows: wanted.length,
    first: wanted[0] === undefined ? null : formatUtc(wanted[0]),
    reach: report.reach === undefined ? null : formatUtc(report.reach),
    gaps: gaps.map(gapJson),
    stored: seriesJson(info),
  };
  await giveResult(context, { text, json }, target);
}

/** Most gaps that are listed one by one. */
const SHOWN_GAPS = 10;

function reportText(
  { from, to, calls, added }: DownloadReport,
  {
    info,
    gaps,
    wanted,
  }: {
    readonly info: SeriesInfo;
    readonly gaps: readonly CandleGap[];
    readonly wanted: Float64Array;
  },
): string {
  const rows = wanted.length;
  const [first = to] = wanted;
  const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0);
  const gapLine =
    gaps.length === 0
      ? '  no gaps'
      : `  ${formatNoun(gaps.length, 'gap')} with ${formatNoun(missing, 'candle')} missing`;
  const longest = gaps.toSorted((a, b) => b.missing - a.missing).slice(0, SHOWN_GAPS);
  return [
    `downloaded ${info.instrumentId} ${info.interval} from ${formatUtc(from)} to ${formatUtc(to)} in ${formatNoun(calls, 'call')}`,
    `  ${formatNoun(rows, 'candle')}: ${formatCount(added)} added, ${formatCount(rows - added)} stored already`,
    ...(first > from ? [`  none before ${formatUtc(first)}`] : []),
    gapLine,
    ...longest.map(
      (gap) =>
        `    ${formatCount(gap.missing)} from ${formatUtc(gap.from)} to ${formatUtc(gap.to)}`,
    ),
    `  ${seriesLine(info)}`,
    '',
  ].join('\n');
}
