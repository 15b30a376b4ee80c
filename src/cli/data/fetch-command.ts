import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type {
  Archive,
  DataSource,
  Dump,
  DumpKind,
  DumpSeries,
  HoldingInfo,
} from '../../archive/index.js';
import {
  DataError,
  DAY_MS,
  floorToInterval,
  formatUtc,
  UsageError,
  type EpochMs,
  type InstrumentId,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { checkOutput } from '../write-output.js';
import { readAsked, type AskedRows } from './fetch/asked-rows.js';
import { DATA_SOURCES } from './fetch/data-sources.js';
import { DUMP_KINDS } from './fetch/dump-kinds.js';
import { readSource } from './fetch/read-source.js';
import type { FetchOptions, FoundDumps } from './fetch/fetch-dumps.js';
import { MONTH_IS_LATE_MS, planDumps } from './fetch/plan-dumps.js';
import { formatNoun, holdingJson, holdingLine } from './format.js';
import { giveResult, type CommandResult } from './give-result.js';
import type { ImportedKind } from './import-rows.js';
import { archiveOption, instrumentOf, jsonOption, timeOption } from './options.js';
import { storedInfo } from './stored-info.js';

interface FetchFlags {
  readonly kind: DumpKind;
  readonly from: EpochMs;
  readonly to?: EpochMs;
  readonly as?: string;
  readonly archive: string;
  readonly url?: string;
  readonly skipMissing?: true;
  readonly replace?: true;
  readonly json?: string;
}

/** Environment variable that names a mirror if no option does. */
const URL_VARIABLE = 'EVENKEEL_DUMPS_URL';

const DETAILS = `
Fetches whole files: one for each past month, and one for each past day of the current
month. It reads all checksums first. A file that is not published or does not match its
checksum ends the command, and nothing is stored. Files stay in ARCHIVE/.fetch until all
of them are imported. After an interruption, the same command continues from there. Files
whose rows are stored are not fetched again, unless --replace is given.

--kind mark takes the mark prices of contracts. --kind funding takes their settled rates,
which need no INTERVAL and are published by whole months.

Redirects are not followed. Keys are neither needed nor sent.

Examples:
  evenkeel data fetch binance-spot BTCUSDT 1m --from 2023-01-01 --to 2026-01-01
  evenkeel data fetch binance-um BTCUSDT 1h --from 2025-01-01 --as E-BTC-USDT
  evenkeel data fetch binance-um BTCUSDT --kind funding --from 2025-01-01 --as E-BTC-USDT
  evenkeel data fetch binance-cm BTCUSD_PERP 1m --kind mark --from 2025-01-01
`;

/** Adds `data fetch`: imports public files of rows into an archive. */
export function addFetchCommand(data: Command, context: CliContext): void {
  data
    .command('fetch')
    .summary('fetch candles, mark prices and funding from public dumps')
    .description(
      'Downloads the published files of a source, verifies their checksums and imports them.',
    )
    .argument(
      '<source>',
      `one of ${DATA_SOURCES.map(({ name }) => name).join(', ')}, or a module with your own source`,
    )
    .argument('<symbol>', "the source's symbol, for example BTCUSDT")
    .argument('[interval]', 'interval of candles and mark prices, for example 1m or 1h')
    .addOption(
      new Option('--kind <kind>', 'kind of data to fetch')
        .choices([...DUMP_KINDS])
        .default('candles'),
    )
    .addOption(timeOption('from', 'first time').makeOptionMandatory())
    .addOption(timeOption('to', 'end time, exclusive (default: today)'))
    .option('--as <symbol>', 'symbol of the venue to store the data under, if it differs')
    .addOption(archiveOption())
    .option(
      '--url <url>',
      `address of the files (default: ${URL_VARIABLE}, otherwise that of the source)`,
    )
    .option('--skip-missing', 'import the published files, even if some are missing')
    .option(
      '--replace',
      'fetch all files again and overwrite stored rows that have different values',
    )
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((source: string, symbol: string, interval: string | undefined, flags: FetchFlags) =>
      runFetch({ source, symbol, interval, kind: flags.kind }, flags, context),
    );
}

async function runFetch(asked: AskedRows, flags: FetchFlags, context: CliContext): Promise<void> {
  const source = await readSource(asked.source, context.cwd);
  const series = readAsked(asked, source);
  const instrumentId = instrumentOf(
    source.product,
    flags.as ?? series.symbol,
    flags.as === undefined ? 'symbol' : 'as',
  );
  const now = Date.now();
  const to = flags.to ?? floorToInterval(now, '1day');
  if (flags.from >= to) {
    throw new UsageError(
      'E_USAGE',
      `expected --from before ${flags.to === undefined ? 'today' : '--to'}, received ${formatUtc(flags.from)} and ${formatUtc(to)}`,
    );
  }
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const planned = planDumps(source, series, { from: flags.from, to, now });
  const { openArchive } = await import('../../archive/index.js');
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const target = { source, archive, instrumentId, series };
  const info = await storedInfo(archive, { ...series, instrumentId }).catch(orNothing);
  const stored = flags.replace === true || info === undefined ? [] : info.sources;
  const wanted = planned.filter(
    ({ path, instead }) => !stored.includes(basename(path)) && !isStoredByDays(instead, stored),
  );
  const files = { planned: planned.length, wanted, info };
  await giveResult(context, await fetchInto(target, files, flags, context), flags.json);
}

/** Returns undefined if nothing is stored yet, or if a write was interrupted. Rethrows other errors. */
function orNothing(error: unknown): undefined {
  const isNothing =
    error instanceof DataError && ['E_DATA_ARCHIVE', 'E_DATA_TORN'].includes(error.code);
  if (!isNothing) throw error;
}

interface Target {
  readonly source: DataSource;
  readonly archive: Archive;
  readonly instrumentId: InstrumentId;
  readonly series: DumpSeries;
}

interface Files {
  /** Number of files that hold the range. */
  readonly planned: number;
  readonly wanted: ReturnType<typeof planDumps>;
  /** The stored rows; undefined if there are none. */
  readonly info: HoldingInfo | undefined;
}

async function fetchInto(
  target: Target,
  { planned, wanted, info }: Files,
  flags: FetchFlags,
  context: CliContext,
): Promise<CommandResult> {
  const { source, archive, instrumentId, series } = target;
  const storedAlready = planned - wanted.length;
  const known = storedAlready === 0 ? '' : `${formatNoun(storedAlready, 'file')} stored already\n`;
  if (wanted.length === 0 && info !== undefined) {
    return {
      text: `${known}  ${holdingLine(info)}\n`,
      json: { fetched: 0, storedAlready, stored: holdingJson(info) },
    };
  }
  // A month's files of candles and of mark prices have the same name, so each kind has its own folder.
  const folder = join(archive.directory, '.fetch', source.name, series.kind);
  const { paths, missing } = await download(wanted, { folder, source, flags, context });
  if (paths.length === 0) throw missingError(missing, flags);
  const { importRows } = await import('./import-rows.js');
  const imported = await importRows(
    {
      ...rowsOf(series, source),
      archive,
      instrumentId,
      files: paths.map((path) => ({ name: basename(path), path })),
      replace: flags.replace ?? false,
    },
    context,
  );
  await Promise.all(paths.map((path) => rm(path, { force: true })));
  const absent =
    missing.length === 0 ? '' : `${formatNoun(missing.length, 'file')} not published\n`;
  return {
    text: `fetched ${formatNoun(paths.length, 'file')} of ${source.name}\n${known}${absent}${imported.text}`,
    json: {
      fetched: paths.length,
      storedAlready,
      missing: missing.map(({ path }) => basename(path)),
      imported: imported.json,
    },
  };
}

function rowsOf(series: DumpSeries, { volumeUnit }: DataSource): ImportedKind {
  if (series.kind === 'funding') return { kind: 'funding' };
  const { kind, interval } = series;
  return kind === 'mark' ? { kind, interval } : { kind, interval, volumeUnit };
}

interface Download {
  readonly folder: string;
  readonly source: DataSource;
  readonly flags: FetchFlags;
  readonly context: CliContext;
}

interface Downloaded {
  readonly paths: readonly string[];
  readonly missing: readonly Dump[];
}

async function download(
  wanted: Files['wanted'],
  { folder, source, flags, context }: Download,
): Promise<Downloaded> {
  const [{ FileHost, parseBaseUrl }, { downloadDumps, findDumps }, { systemTime }] =
    await Promise.all([
      import('../../client/index.js'),
      import('./fetch/fetch-dumps.js'),
      import('../../engine/index.js'),
    ]);
  const location =
    flags.url === undefined && context.env[URL_VARIABLE] !== undefined
      ? { file: 'environment', key: URL_VARIABLE }
      : { file: 'option', key: '--url' };
  const base = parseBaseUrl(flags.url ?? context.env[URL_VARIABLE] ?? source.url, location);
  const host = new FileHost({ base, timers: systemTime });
  const progress = new ProgressLine(context.stderr);
  const options: FetchOptions = {
    host,
    folder,
    signal: context.signal,
    onFile: (name, index, count) => {
      progress.show(`${String(index)} of ${String(count)}: ${name}`);
    },
  };
  try {
    const found: FoundDumps = await findDumps(wanted, options);
    const missing = found.missing.filter((dump) => !isNotYet(dump, flags));
    if (missing.length > 0 && flags.skipMissing !== true) throw missingError(missing, flags, found);
    return { paths: await downloadDumps(found.published, options), missing: found.missing };
  } finally {
    progress.clear();
    await host.close();
  }
}

/**
 * Whether a file is probably not published yet: a day's file appears during the next day, a month's in the week after it ends. Without
 * `--to`, such a file is not required.
 */
function isNotYet({ to, from }: Dump, flags: FetchFlags): boolean {
  const lateMs = to - from === DAY_MS ? 2 * DAY_MS : MONTH_IS_LATE_MS;
  return flags.to === undefined && Date.now() - to < lateMs;
}

function missingError(
  missing: readonly Dump[],
  { from }: FetchFlags,
  found?: FoundDumps,
): DataError {
  const [first] = missing;
  const published = found?.published[0];
  const named = missing
    .slice(0, 3)
    .map(({ path }) => basename(path))
    .join(', ');
  const more = missing.length > 3 ? `, … (${formatNoun(missing.length, 'file')} in all)` : '';
  const since =
    published === undefined || (first?.from ?? from) > published.from
      ? ''
      : `; the first published file begins ${formatUtc(published.from)}`;
  return new DataError(
    'E_FETCH_MISSING',
    `not published: ${named}${more}${since}; nothing is stored; --skip-missing imports the published files`,
  );
}

function isStoredByDays(days: readonly Dump[], stored: readonly string[]): boolean {
  return days.length > 0 && days.every(({ path }) => stored.includes(basename(path)));
}
