import type { EpochMs } from '../../domain/index.js';
import { compareTraces, type ParityNote, type ParityReport } from '../../report/index.js';
import type { BacktestConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { prepareMarket, type LoadedMarket } from '../market/prepare-market.js';
import { replayMarket } from '../run-backtest.js';
import { LiveSide, type LiveSideOptions } from './live-side.js';
import { TraceRecorder } from './trace-recorder.js';
import { withVenueVolumes } from './venue-volumes.js';
import { warmInstant } from './warm-instant.js';

export type ParityOptions = LiveSideOptions;

export interface ParityOutcome {
  readonly report: ParityReport;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Number of calls that the live run made over HTTP. */
  readonly requests: number;
  /** Problems that the live bot noted about its venue, in order; empty if there were none. */
  readonly notes: readonly ParityNote[];
  /** Differences between the live bot and its venue at the end, in orders, positions and balances; empty if the bot learned all outcomes of its orders. */
  readonly disagreements: readonly string[];
}

/**
 * Runs a backtest, and the same bot on the same candles over HTTP at an exchange in lockstep, and compares both.
 *
 * The live side has all parts of a live bot except the clock: client, signatures, limits, feed, readers, engine. Market time moves only to the next
 * instant at which something can happen, and only when nothing is queued or under way.
 *
 * @throws {ConfigError} `E_CONFIG_VALUE` when the bot cannot be warm at its start; {UsageError} `E_PARITY_UNSETTLED` when an instant does not come to
 * rest; errors of both runs.
 */
export async function runParity(options: ParityOptions): Promise<ParityOutcome> {
  const config = comparable(options.config);
  const archive = withVenueVolumes(options.archive, config.instruments.map(createInstrument));
  const market = await prepareMarket(config, archive);
  try {
    return await compareRuns(market, { ...options, config, archive });
  } finally {
    await market.close();
  }
}

async function compareRuns(market: LoadedMarket, options: ParityOptions): Promise<ParityOutcome> {
  const { config, strategyClass, sourceHash, signal, breathe } = options;
  const from = warmInstant(market, options);
  const fixed: BacktestConfig = { ...config, simulation: { ...config.simulation, from } };
  const recorder = new TraceRecorder();
  const record = await replayMarket(market, {
    config: fixed,
    strategyClass,
    sourceHash,
    signal,
    breathe,
    journal: recorder,
  });
  const { refusals, worked = [], finalBalances: balances } = record;
  const tested = recorder.trace({ refusals, worked, balances });
  const live = new LiveSide({ ...options, config: fixed }, market, from);
  const trace = await live.play(record.run.to);
  const { requests, notes, disagreements } = live;
  const report = compareTraces(tested, trace);
  return { report, from, to: record.run.to, requests, notes, disagreements };
}

/** Turns off on both sides what only a backtest can do. */
function comparable(config: BacktestConfig): BacktestConfig {
  const { simulation } = config;
  return { ...config, simulation: { ...simulation, closeAtEnd: false } };
}
