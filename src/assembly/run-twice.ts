import type { Archive } from '../archive/index.js';
import { nominalIntervalMs, type EpochMs } from '../domain/index.js';
import { countCalls, type CallNeed } from '../report/index.js';
import type { BacktestConfig } from '../config/index.js';
import type { StreamWarmup } from '../engine/index.js';
import { listWarmups } from './list-warmups.js';
import { prepareMarket } from './market/prepare-market.js';
import { replayMarket } from './run-backtest.js';
import type { RunOptions } from './run-options.js';
import {
  countCommands,
  describeDifference,
  findDifference,
  noticesAmong,
  TraceJournal,
} from '../determinism/index.js';

/** Number of replayed candles of the finest interval: two weeks of minutes. */
const FINEST_CANDLES = 20_000;
/** Number of candles of the longest interval, so that indicators on days are warm. */
const LONGEST_CANDLES = 300;

interface RunTwiceOptions extends Pick<
  RunOptions,
  'strategyClass' | 'sourceHash' | 'signal' | 'breathe'
> {
  readonly config: BacktestConfig;
  readonly archive: Archive;
}

/** A short stretch that was run twice with the same plugin. */
export interface TwiceRun {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly candles: number;
  /** Orders and cancels that were sent. If there are none, the comparison says little. */
  readonly commands: number;
  /** The warm-up that the strategy needs before a start. */
  readonly warmups: readonly StreamWarmup[];
  /** The calls that the stretch would have needed live, by limit of the venue. */
  readonly calls: readonly CallNeed[];
  /** The first difference between both runs; undefined if they are the same. */
  readonly difference: string | undefined;
  /** Uses of clock, chance and promises that the first run noticed. */
  readonly noticed: readonly string[];
}

/**
 * Runs the beginning of a backtest twice and compares intents, commands and fills. State that the strategy keeps outside its instance stays as the first run
 * left it.
 *
 * @throws as `runBacktest`.
 */
export async function runTwice(options: RunTwiceOptions): Promise<TwiceRun> {
  const { archive, ...run } = options;
  const config = await shorten(options.config, archive);
  const market = await prepareMarket(config, archive);
  try {
    const [first, second] = [new TraceJournal(), new TraceJournal()];
    const record = await replayMarket(market, { ...run, config, journal: first });
    await replayMarket(market, { ...run, config, journal: second });
    const { from, to, candles } = record.run;
    const difference = findDifference(first.trace, second.trace);
    return {
      from,
      to,
      candles,
      commands: countCommands(first.trace),
      warmups: listWarmups({ ...run, config, terms: market.terms }, from),
      calls: countCalls(record),
      difference: difference && describeDifference(difference),
      // The run received no findings of the scan, so these notices come from the run itself.
      noticed: noticesAmong(record.warnings),
    };
  } finally {
    await market.close();
  }
}

/** Returns the configuration with its range cut to the stretch. */
async function shorten(config: BacktestConfig, archive: Archive): Promise<BacktestConfig> {
  const { simulation, instruments } = config;
  const intervals = instruments.flatMap((instrument) => instrument.intervals);
  const lengths = intervals.map(nominalIntervalMs);
  const spanMs = Math.max(
    FINEST_CANDLES * Math.min(...lengths),
    LONGEST_CANDLES * Math.max(...lengths),
  );
  const opens = await firstOpens(config, archive);
  const start = simulation.from ?? Math.min(...opens);
  // The stretch begins when all series have candles.
  const from = Math.max(start, ...opens);
  const to = Math.min(simulation.to ?? Number.POSITIVE_INFINITY, from + spanMs);
  return { ...config, simulation: { ...simulation, ...(from > start && { from }), to } };
}

async function firstOpens(
  { instruments }: BacktestConfig,
  archive: Archive,
): Promise<readonly EpochMs[]> {
  const infos = await Promise.all(
    instruments.flatMap(({ instrumentId, intervals }) =>
      intervals.map((interval) => archive.info(instrumentId, interval)),
    ),
  );
  return infos.map(({ from }) => from);
}
