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

interface FigureRunOptions extends Omit<RunOptions, 'keepCloses'> {
  /** Points of the equity curve: one a day, or one a candle. @defaultValue 'daily' */
  readonly curve?: CurveKind | undefined;
  /** Called with the record that the figures are made of. Do not keep it: it is large. @defaultValue nothing */
  readonly onRecord?: ((record: RunRecord) => void) | undefined;
}

interface ResultRunOptions extends FigureRunOptions {
  /** Instrument for the comparison with buy and hold. @defaultValue the first instrument of the run */
  readonly benchmark?: InstrumentId | undefined;
  /** Whether the result contains trades and the strategy's plots. @defaultValue true */
  readonly isListed?: boolean | undefined;
}

const NO_LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/**
 * Runs `replayMarket` and makes the result document of `evenkeel backtest --json` from its record, for every caller.
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
 * Runs `replayMarket` and makes the figures of a summary from its record.
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
