import type { InstrumentId } from '../domain/index.js';
import {
  buildFigures,
  buildResult,
  type CurveKind,
  type Result,
  type ResultFigures,
  type RunRecord,
} from '../report/index.js';
import { createHeldPrices } from './market/held-prices.js';
import type { LoadedMarket } from './market/prepare-market.js';
import { PlotRecorder } from './plot-recorder.js';
import { replayMarket } from './run-backtest.js';
import type { RunOptions } from './run-options.js';

export interface FigureRunOptions extends Omit<RunOptions, 'keepCloses'> {
  /** Points of the equity curve: one a day, or one a candle. @defaultValue 'daily' */
  readonly curve?: CurveKind | undefined;
  /** Called with what the figures are made of, which is not to be kept: it is large. @defaultValue nothing */
  readonly onRecord?: ((record: RunRecord) => void) | undefined;
}

export interface ResultRunOptions extends FigureRunOptions {
  /** What the run is compared with holding. @defaultValue its first instrument */
  readonly benchmark?: InstrumentId | undefined;
  /** Whether trades, and what the strategy plots, are in the result. @defaultValue true */
  readonly isListed?: boolean | undefined;
}

const NO_LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/**
 * Does what `replayMarket` does, and makes the result document of it: that of `evenkeel backtest --json`, whoever asks for it.
 *
 * @throws as `runBacktest`.
 */
export async function replayToResult(
  market: LoadedMarket,
  options: ResultRunOptions,
): Promise<Result> {
  const { curve = 'daily', benchmark, isListed = true, createLog, onRecord, ...run } = options;
  const plots = isListed ? new PlotRecorder(run.config) : undefined;
  const record = await replayMarket(market, {
    ...run,
    keepCloses: curve === 'candle',
    createLog:
      plots === undefined ? createLog : (now) => plots.over(createLog?.(now) ?? NO_LOG, now),
  });
  onRecord?.(record);
  return buildResult(record, {
    curve,
    benchmark,
    prices: isListed ? createHeldPrices(market.series, run.config.simulation) : undefined,
    plots: plots?.since(record.run.from),
  });
}

/**
 * Does what `replayMarket` does, and says of it what a summary says.
 *
 * @throws as `runBacktest`.
 */
export async function replayToFigures(
  market: LoadedMarket,
  { curve = 'daily', onRecord, ...run }: FigureRunOptions,
): Promise<ResultFigures> {
  const record = await replayMarket(market, { ...run, keepCloses: curve === 'candle' });
  onRecord?.(record);
  return buildFigures(record, { curve });
}
