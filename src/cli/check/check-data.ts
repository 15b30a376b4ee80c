import { findGaps, openRunArchive, type Gap, type SeriesKey } from '../../archive/index.js';
import { findMissingData, locateRunError, tryBacktest } from '../../assembly/backtest/index.js';
import {
  DataError,
  formatUtc,
  InvariantError,
  TradingError,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { LoadedBot } from '../bot/load-bot.js';

/** What is stored of one series a bot wants, within its range. */
export interface SeriesCheck {
  readonly instrument: InstrumentId;
  readonly interval: Interval;
  readonly candles: number;
  /** Open time of the first candle. */
  readonly first: EpochMs;
  /** Open time of the last candle. */
  readonly last: EpochMs;
  readonly gaps: number;
  /** Candles absent in them. */
  readonly missing: number;
  /** Interval of the stored candles of which these are made while they are read. @defaultValue they are stored */
  readonly madeFrom?: Interval | undefined;
}

export interface DataCheck {
  readonly series: readonly SeriesCheck[];
  readonly findings: readonly Error[];
}

/** Reads every candle a bot would replay, compares files with their checksums, measures gaps, and has a backtest begin on them. */
export async function checkData(bot: LoadedBot): Promise<DataCheck> {
  const { config, document } = bot;
  const archive = openRunArchive(config.simulation.archive);
  const findings: Error[] = [...(await collect(() => findMissingData(bot, archive)))];
  const known = new Set(findings.map(codeOf));
  const series: SeriesCheck[] = [];
  const { from, to } = config.simulation;
  for (const { instrumentId, intervals } of config.instruments) {
    for (const interval of intervals) {
      const failures = await collect(async () => {
        const { openTime } = await archive.read(instrumentId, interval, { from, to, verify: true });
        const gaps = findGaps(openTime, interval);
        const { madeFrom } = await archive.info(instrumentId, interval);
        series.push({ ...describeSeries({ instrumentId, interval }, openTime, gaps), madeFrom });
        return gaps.flatMap((gap) => describeLongGap(gap, { config, document }, interval));
      });
      // What is missing altogether has been found before, with its place in the config.
      findings.push(...failures.filter((failure) => !known.has(codeOf(failure))));
    }
  }
  findings.push(...(await findWhatEndsARun(bot, new Set(findings.map(codeOf)))));
  return { series, findings };
}

/** What `backtest` refuses before its first candle, in its own way, but for what is known already. */
async function findWhatEndsARun(
  bot: LoadedBot,
  known: ReadonlySet<string>,
): Promise<readonly Error[]> {
  const { config, plugin } = bot;
  try {
    await tryBacktest({ config, archive: openRunArchive(config.simulation.archive), ...plugin });
    return [];
  } catch (error: unknown) {
    if (!(error instanceof TradingError) || error instanceof InvariantError) throw error;
    const located = locateRunError(error, bot);
    return located instanceof Error && !known.has(error.code) ? [located] : [];
  }
}

/** Damage in the data is something that a check finds, not a failure of the check. */
async function collect(check: () => Promise<readonly Error[]>): Promise<readonly Error[]> {
  try {
    return await check();
  } catch (error: unknown) {
    if (error instanceof DataError) return [error];
    throw error;
  }
}

function codeOf(error: Error): string {
  return error instanceof TradingError ? error.code : error.name;
}

function describeSeries(
  { instrumentId, interval }: SeriesKey,
  openTime: Float64Array,
  gaps: readonly Gap[],
): SeriesCheck {
  return {
    instrument: instrumentId,
    interval,
    candles: openTime.length,
    first: openTime[0] ?? Number.NaN,
    last: openTime.at(-1) ?? Number.NaN,
    gaps: gaps.length,
    missing: gaps.reduce((sum, { missing }) => sum + missing, 0),
  };
}

function describeLongGap(
  { from, to }: Gap,
  { config, document }: Pick<LoadedBot, 'config' | 'document'>,
  interval: Interval,
): readonly Error[] {
  const { maxGapMs } = config.simulation;
  if (maxGapMs === undefined || to - from <= maxGapMs) return [];
  return [
    document.problem('E_DATA_GAP', ['simulation', 'maxGap'], {
      expected: `no gap longer than ${document.describe(['simulation', 'maxGap'])}`,
      received: `${interval} candles missing from ${formatUtc(from)} to ${formatUtc(to)}`,
    }),
  ];
}
