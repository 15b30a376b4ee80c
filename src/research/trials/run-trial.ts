import {
  noticesAmong,
  replayMarket,
  type BacktestConfig,
  type LoadedMarket,
  type RunOptions,
} from '../../assembly/backtest/index.js';
import { formatFixed, InvariantError, TradingError } from '../../domain/index.js';
import {
  computeStatistics,
  countRefusals,
  followFills,
  formatStatistics,
  type RunRecord,
} from '../../report/index.js';
import type { Combination } from '../search/search-space.js';
import { dailyReturnsOf, type DailyReturns } from './daily-returns-of.js';
import { configOf } from './trial-job.js';
import type { FailedTrial, FinishedTrial, TrialOutcome } from './trial-schema.js';

/** Outcome of a trial and its daily returns, which methods that judge a search need. */
export interface TrialRun {
  readonly outcome: TrialOutcome;
  /** Undefined if it failed, or if its equity was not above 0. */
  readonly returns?: DailyReturns | undefined;
}

/** Inputs that the trials of one sweep share. */
export interface TrialGround extends Pick<
  RunOptions,
  'strategyClass' | 'sourceHash' | 'breathe' | 'precomputed' | 'candles'
> {
  readonly config: BacktestConfig;
  readonly market: LoadedMarket;
  /** Memory that the records of consecutive trials reuse. @defaultValue each has its own */
  readonly recordMemory?: { lend(): TrialMemory } | undefined;
}

type TrialMemory = NonNullable<RunOptions['memory']> & { giveBack(): void };

/**
 * Replays one combination in the same way as a single backtest.
 *
 * @throws whatever the backtest throws.
 */
export function replayTrial(
  { config, market, ...ground }: TrialGround & Pick<RunOptions, 'memory'>,
  parameters: Combination['parameters'],
): Promise<RunRecord> {
  return replayMarket(market, { ...ground, config: configOf(config, parameters) });
}

/**
 * Runs one combination and keeps its figures. An error or a refusal of the strategy is an outcome.
 *
 * @throws {InvariantError} and other errors that are no fault of a strategy or its parameters.
 */
export async function runTrial(
  ground: TrialGround,
  parameters: Combination['parameters'],
): Promise<TrialRun> {
  const memory = ground.recordMemory?.lend();
  try {
    const record = await replayTrial({ ...ground, memory }, parameters);
    return trialOf(record);
  } catch (error: unknown) {
    if (!(error instanceof TradingError) || error instanceof InvariantError) throw error;
    return { outcome: describeFailure(error) };
  } finally {
    memory?.giveBack();
  }
}

/** Outcome of a run as a trial. */
export function trialOf(record: RunRecord): TrialRun {
  return { outcome: summarize(record), returns: dailyReturnsOf(record) };
}

/** Outcome of a failed run: its error in one line. */
export function describeFailure({ code, message }: TradingError): FailedTrial {
  return { status: 'failed', code, message: message.replace(/\s*\n\s*/g, ' ') };
}

/** Reduces a run to the figures that a sweep keeps. Their size does not grow with the candles or the orders. */
export function summarize(record: RunRecord): FinishedTrial {
  const { run } = record;
  const followed = followFills(record);
  const noticed = noticesAmong(record.warnings);
  return {
    status: 'finished',
    from: run.from,
    to: run.to,
    candles: run.candles,
    equity: {
      initial: formatFixed(record.initialEquity),
      final: formatFixed(record.finalEquity),
      currency: record.equityCurrency,
    },
    statistics: { ...formatStatistics(computeStatistics(record, followed)) },
    longestHold: followed.longestHoldMs,
    intents: record.intents,
    orders: record.orders.length,
    fills: record.fills.length,
    refusals: countRefusals(record.refusals),
    undecidedCandles: record.undecidedCandles,
    accounting: { residual: formatFixed(record.residual) },
    ...(noticed.length > 0 && { noticed: [...noticed] }),
  };
}
