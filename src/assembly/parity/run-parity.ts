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
  /** Calls the live run made over HTTP. */
  readonly requests: number;
  /** What the live bot noted about its venue, in order: nothing, where nothing went wrong. */
  readonly notes: readonly ParityNote[];
  /** In what the live bot's orders, positions and balances were not those of its venue at the end: nothing, where all that became of its orders was told. */
  readonly disagreements: readonly string[];
}

/**
 * Runs a backtest, and the same bot on the same candles over HTTP against an exchange in lockstep, and compares what both did.
 *
 * The live side has everything but the clock of a live bot: client, signatures, limits, feed, readers, engine. Market time moves only to the
 * next instant at which something can happen, and only when nothing is queued or under way.
 *
 * @throws {ConfigError} `E_CONFIG_VALUE` when the bot cannot be warm at its start; {UsageError}
 * `E_PARITY_UNSETTLED` when an instant does not come to rest; errors of both runs.
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

/** What only a backtest can do is left out of both sides. */
function comparable(config: BacktestConfig): BacktestConfig {
  const { simulation } = config;
  return { ...config, simulation: { ...simulation, closeAtEnd: false } };
}
