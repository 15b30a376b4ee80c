import { findGaps, openRunArchive, type CandleGap, type SeriesKey } from '../../archive/index.js';
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

/** The stored candles of one configured series, within the range of the run. */
export interface SeriesCheck {
  readonly instrument: InstrumentId;
  readonly interval: Interval;
  readonly candles: number;
  /** Open time of the first candle. */
  readonly first: EpochMs;
  /** Open time of the last candle. */
  readonly last: EpochMs;
  readonly gaps: number;
  /** Number of missing candles in all gaps. */
  readonly missing: number;
  /** Interval of the stored candles that these are made from while they are read. @defaultValue these are stored themselves */
  readonly madeFrom?: Interval | undefined;
}

export interface DataCheck {
  readonly series: readonly SeriesCheck[];
  readonly findings: readonly Error[];
}

/** Reads every candle that the bot would replay, compares files with their checksums, measures gaps, and lets a backtest begin. */
export async function checkData(bot: LoadedBot, signal: AbortSignal): Promise<DataCheck> {
  const { config, document } = bot;
  const archive = openRunArchive(config.simulation.archive);
  const findings: Error[] = [...(await collect(() => findMissingData(bot, archive)))];
  const known = new Set(findings.map(codeOf));
  const series: SeriesCheck[] = [];
  const { from, to } = config.simulation;
  for (const { instrumentId, intervals } of config.instruments) {
    for (const interval of intervals) {
      signal.throwIfAborted();
      const failures = await collect(async () => {
        const { openTime } = await archive.read(instrumentId, interval, { from, to, verify: true });
        const gaps = findGaps(openTime, interval);
        const { madeFrom } = await archive.info(instrumentId, interval);
        series.push({ ...describeSeries({ instrumentId, interval }, openTime, gaps), madeFrom });
        return gaps.flatMap((gap) => describeLongGap(gap, { config, document }, interval));
      });
      // `findMissingData` has already reported missing data, with its place in the config.
      findings.push(...failures.filter((failure) => !known.has(codeOf(failure))));
    }
  }
  signal.throwIfAborted();
  findings.push(...(await findWhatEndsARun(bot, new Set(findings.map(codeOf)))));
  return { series, findings };
}

/** Finds the errors with which `backtest` would refuse the bot before its first candle, except those that are known already. */
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

/** Runs a check. Damage in the data is a finding of the check, not a failure of it. */
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
  gaps: readonly CandleGap[],
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
  { from, to }: CandleGap,
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
