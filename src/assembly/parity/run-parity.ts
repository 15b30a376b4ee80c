import type { EpochMs } from '../../domain/index.js';
import { compareTraces, type ParityReport } from '../../report/index.js';
import type { BacktestConfig } from '../bot-config.js';
import { prepareMarket, replayMarket } from '../run-backtest.js';
import { LiveSide, type LiveSideOptions } from './live-side.js';
import { TraceRecorder } from './trace-recorder.js';
import { warmInstant } from './warm-instant.js';

export type ParityOptions = LiveSideOptions;

export interface ParityOutcome {
  readonly report: ParityReport;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Calls the live run made over HTTP. */
  readonly requests: number;
}

/**
 * Runs a backtest, and the same bot on the same candles over HTTP against an exchange in lockstep, and compares what both did.
 *
 * The live side has everything but the clock of a live bot: client, signatures, limits, feed, readers, engine. Market time moves only to the
 * next instant at which something can happen, and only when nothing is queued or under way.
 *
 * @throws {UsageError} `E_PARITY_UNSETTLED` when an instant does not come to rest; errors of both runs.
 */
export async function runParity(options: ParityOptions): Promise<ParityOutcome> {
  const config = comparable(options.config);
  const market = await prepareMarket(config, options.archive);
  const from = warmInstant(market, options);
  const fixed: BacktestConfig = { ...config, simulation: { ...config.simulation, from } };
  const recorder = new TraceRecorder();
  const { strategyClass, sourceHash, signal, breathe } = options;
  const record = await replayMarket(market, {
    config: fixed,
    strategyClass,
    sourceHash,
    signal,
    breathe,
    journal: recorder,
  });
  const tested = recorder.trace({ refusals: record.refusals, balances: record.finalBalances });
  const live = new LiveSide({ ...options, config: fixed }, market, from);
  const trace = await live.play(record.run.to);
  return {
    report: compareTraces(tested, trace),
    from,
    to: record.run.to,
    requests: live.requests,
  };
}

/** What only a backtest can do is left out of both sides. */
function comparable(config: BacktestConfig): BacktestConfig {
  const { simulation } = config;
  return { ...config, simulation: { ...simulation, closeAtEnd: false } };
}
