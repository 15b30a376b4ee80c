import { createMemoryArchive, type Archive } from '../../archive/index.js';
import { prepareMarket, replayMarket, type BacktestConfig } from '../../assembly/backtest/index.js';
import { resampleCandles, StrategyError } from '../../domain/index.js';
import type { RunRecord } from '../../report/index.js';
import { describeFailure } from '../trials/run-trial.js';
import type { FailedTrial } from '../trials/trial-schema.js';
import type { FuzzGround } from './fuzz-ground.js';
import type { LaidOut } from './lay-out.js';

/** Outcome of a history: the record of the run, or the failure of the strategy. */
export type HistoryRun =
  | { readonly status: 'finished'; readonly record: RunRecord }
  | (Omit<FailedTrial, 'status'> & { readonly status: 'failed' });

/**
 * Backtests a history. An error of the strategy is an outcome.
 *
 * @throws errors that are no fault of the strategy.
 */
export async function runHistory(ground: FuzzGround, laid: LaidOut): Promise<HistoryRun> {
  const config = configOfHistory(ground.config, { from: ground.from, ...laid });
  const market = await prepareMarket(config, openHistory(ground, laid));
  const { strategyClass, sourceHash } = ground;
  try {
    const record = await replayMarket(market, {
      config,
      strategyClass,
      sourceHash,
      keepCloses: true,
    });
    return { status: 'finished', record };
  } catch (error: unknown) {
    if (!(error instanceof StrategyError)) throw error;
    return describeFailure(error);
  } finally {
    await market.close();
  }
}

/** The configuration that replays a history: its range and the delay of its candles. The path is not `finer`, because no finer candles are drawn. */
export function configOfHistory(
  config: BacktestConfig,
  { from, to, lateMs }: Pick<LaidOut, 'to' | 'lateMs'> & { readonly from: number },
): BacktestConfig {
  const { simulation } = config;
  return {
    ...config,
    simulation: {
      ...simulation,
      ...{ from, to },
      dataDelayMs: Math.max(simulation.dataDelayMs, lateMs),
      path: simulation.path === 'finer' ? 'nearest' : simulation.path,
    },
  };
}

/** An archive with the candles of a history, in memory. */
export function openHistory({ config, interval, starts }: FuzzGround, laid: LaidOut): Archive {
  const series = laid.markets.flatMap(({ instrumentId, columns }) => {
    const intervals = config.instruments
      .filter((each) => each.instrumentId === instrumentId)
      .flatMap((each) => each.intervals);
    return intervals.map((wanted) => ({
      instrumentId,
      interval: wanted,
      columns: wanted === interval ? columns : resampleCandles(columns, interval, wanted).columns,
    }));
  });
  return {
    ...createMemoryArchive(series),
    rules: (instrumentId) =>
      Promise.resolve(laid.markets.find((each) => each.instrumentId === instrumentId)?.rules ?? []),
    tiers: (instrumentId) =>
      Promise.resolve(starts.find((each) => each.instrumentId === instrumentId)?.tiers ?? []),
  };
}
