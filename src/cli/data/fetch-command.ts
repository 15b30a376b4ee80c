import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Archive } from '../../archive/index.js';
import {
  DataError,
  DAY_MS,
  floorToInterval,
  formatUtc,
  UsageError,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { systemTime } from '../venue/system-time.js';
import { checkOutput } from '../write-output.js';
import type { DataSource, Dump } from './fetch/data-source.js';
import { DATA_SOURCES } from './fetch/data-sources.js';
import type { FetchOptions, FoundDumps } from './fetch/fetch-dumps.js';
import { planDumps } from './fetch/plan-dumps.js';
import { formatNoun, holdingLine, seriesJson } from './format.js';
import { giveResult, type CommandResult } from './give-result.js';
import {
  archiveOption,
  instrumentOf,
  jsonOption,
  parseFileInterval,
  timeOption,
} from './options.js';

interface FetchFlags {
  readonly from: EpochMs;
  readonly to?: EpochMs;
  readonly as?: string;
  readonly archive: string;
  readonly url?: string;
  readonly skipMissing?: true;
  readonly replace?: true;
  readonly json?: string;
}

/** Environment variable that names a mirror where no option does. */
const URL_VARIABLE = 'EVENKEEL_DUMPS_URL';

const DETAILS = `
Whole files are fetched: of each month that is over its file, of the running one a file of
each day that is over. First the checksums of all are read; what is not published, or does
not have its checksum, ends the command, and nothing is stored. Files lie in
ARCHIVE/.fetch until all of them are imported; after an interruption the same command goes
on where it was. Files whose candles are stored are not asked for again, unless --replace.

Redirects are not followed. Keys are neither needed nor sent.

Examples:
  evenkeel data fetch binance-spot BTCUSDT 1m --from 2023-01-01 --to 2026-01-01
  evenkeel data fetch binance-um BTCUSDT 1h --from 2025-01-01 --as E-BTC-USDT
`;

/** Adds `data fetch`: public files of candles into an archive. */
export function addFetchCommand(data: Command, context: CliContext): void {
  data
    .command('fetch')
    .summary('fetch candles from public dumps')
    .description('Downloads files of candles that a source publishes, verifies and imports them.')
    .argument('<source>', `one of ${DATA_SOURCES.map(({ name }) => name).join(', ')}`)
    .argument('<symbol>', "the source's symbol, for example BTCUSDT")
    .argument('<interval>', 'for example 1m or 1h')
    .addOption(timeOption('from', 'first time').makeOptionMandatory())
    .addOption(timeOption('to', 'time to stop at, exclusive (default: today)'))
    .option('--as <symbol>', 'symbol to store it under, where the venue has another')
    .addOption(archiveOption())
    .option('--url <url>', `address of the files (default: ${URL_VARIABLE}, else the source's own)`)
    .option('--skip-missing', 'import what is published, also where files are missing')
    .option(
      '--replace',
      'fetch all files again and overwrite stored candles that have other values',
    )
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((source: string, symbol: string, interval: string, flags: FetchFlags) =>
      runFetch({ source, symbol, interval }, flags, context),
    );
}

interface Asked {
  readonly source: string;
  readonly symbol: string;
  readonly interval: string;
}

async function runFetch(asked: Asked, flags: FetchFlags, context: CliContext): Promise<void> {
  const source = findSource(asked);
  const interval = intervalOf(asked, source);
  const symbol = symbolOf(asked, source);
  const instrumentId = instrumentOf(
    source.product,
    flags.as ?? symbol,
    flags.as === undefined ? 'symbol' : 'as',
  );
  const now = systemTime.now();
  const to = flags.to ?? floorToInterval(now, '1day');
  if (flags.from >= to) {
    throw new UsageError(
      'E_USAGE',
      `expected --from before ${flags.to === undefined ? 'today' : '--to'}, received ${formatUtc(flags.from)} and ${formatUtc(to)}`,
    );
  }
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const planned = planDumps(source, { symbol, interval }, { from: flags.from, to, now });
  const { openArchive } = await import('../../archive/index.js');
  const archive = openArchive(resolve(context.cwd, flags.archive));
  const target = { source, archive, instrumentId, interval };
  const stored = flags.replace === true ? [] : await storedSources(target);
  const wanted = planned.filter(
    ({ path, instead }) => !stored.includes(basename(path)) && !isStoredByDays(instead, stored),
  );
  const files = { planned: planned.length, wanted };
  await giveResult(context, await fetchInto(target, files, flags, context), flags.json);
}

interface Target {
  readonly source: DataSource;
  readonly archive: Archive;
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
}

interface Files {
  /** How many files hold the range. */
  readonly planned: number;
  readonly wanted: ReturnType<typeof planDumps>;
}

async function fetchInto(
  target: Target,
  { planned, wanted }: Files,
  flags: FetchFlags,
  context: CliContext,
): Promise<CommandResult> {
  const { source, archive, instrumentId, interval } = target;
  const storedAlready = planned - wanted.length;
  const known = storedAlready === 0 ? '' : `${formatNoun(storedAlready, 'file')} stored already\n`;
  if (wanted.length === 0) {
    const info = await archive.info(instrumentId, interval);
    return {
      text: `${known}  ${holdingLine(info)}\n`,
      json: { fetched: 0, storedAlready, stored: seriesJson(info) },
    };
  }
  const folder = join(archive.directory, '.fetch', source.name);
  const { paths, missing } = await download(wanted, { folder, source, flags, context });
  if (paths.length === 0) throw missingError(missing, flags);
  const { importRows } = await import('./import-rows.js');
  const imported = await importRows(
    {
      kind: 'candles',
      archive,
      instrumentId,
      interval,
      volumeUnit: source.volumeUnit,
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
  const [{ FileHost, parseBaseUrl }, { downloadDumps, findDumps }] = await Promise.all([
    import('../../client/index.js'),
    import('./fetch/fetch-dumps.js'),
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

/** The day before today is published in the course of today: who names no end does without. */
function isNotYet({ to, from }: Dump, flags: FetchFlags): boolean {
  return flags.to === undefined && to - from === DAY_MS && systemTime.now() - to < 2 * DAY_MS;
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
      : `; the first that is published begins ${formatUtc(published.from)}`;
  return new DataError(
    'E_FETCH_MISSING',
    `not published: ${named}${more}${since}; nothing is stored; --skip-missing imports what there is`,
  );
}

function isStoredByDays(days: readonly Dump[], stored: readonly string[]): boolean {
  return days.length > 0 && days.every(({ path }) => stored.includes(basename(path)));
}

/** Names of the files that the series was made of. */
async function storedSources({
  archive,
  instrumentId,
  interval,
}: Target): Promise<readonly string[]> {
  try {
    return (await archive.info(instrumentId, interval)).sources;
  } catch (error) {
    if (
      error instanceof DataError &&
      ['E_DATA_MISSING', 'E_DATA_ARCHIVE', 'E_DATA_TORN'].includes(error.code)
    )
      return [];
    throw error;
  }
}

function findSource({ source }: Asked): DataSource {
  const found = DATA_SOURCES.find(({ name }) => name === source);
  if (found !== undefined) return found;
  const names = DATA_SOURCES.map(({ name }) => name).join(', ');
  throw new UsageError('E_USAGE', `source: expected one of ${names}, received "${source}"`);
}

function intervalOf({ interval }: Asked, { name, intervals }: DataSource): Interval {
  const parsed = parseFileInterval(interval);
  if (intervals.includes(parsed)) return parsed;
  throw new UsageError(
    'E_USAGE',
    `interval: expected one that ${name} publishes (${intervals.join(' ')}), received ${parsed}; longer ones are made of these when they are read`,
  );
}

function symbolOf({ symbol }: Asked, { name, symbols }: DataSource): string {
  if (symbols.test(symbol)) return symbol;
  throw new UsageError(
    'E_USAGE',
    `symbol: expected one as ${name} writes them, BTCUSDT, received "${symbol}"`,
  );
}
